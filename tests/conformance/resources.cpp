#include <array>

#include "fixtures.hpp"

namespace weft::conformance {
namespace {

using mcp::Call;
using mcp::Listed;
using mcp::ListedPage;
using mcp::Resource;
using mcp::Served;

json::object contents(json::object one) { return {{"contents", json::array{std::move(one)}}}; }

Served<> read_text(Call&, std::string_view uri, std::string_view) {
  return contents({{"uri", uri},
                   {"mimeType", "text/plain"},
                   {"text", "This is the content of the static text resource."}});
}

Served<> read_binary(Call&, std::string_view uri, std::string_view) {
  return contents({{"uri", uri}, {"mimeType", "image/png"}, {"blob", kPng}});
}

Served<> read_template(Call&, std::string_view uri, std::string_view id) {
  const json::object data{
      {"id", id}, {"templateTest", true}, {"data", "Data for ID: " + std::string(id)}};
  return contents({{"uri", uri}, {"mimeType", "application/json"}, {"text", canonical_json(data)}});
}

template <std::size_t kWhich>
Result<ListedPage> list_one(Call&, std::uint64_t offset, std::uint64_t limit) {
  static const std::array<Listed, 3> all = {{
      {.uri = "test://static-text", .name = "static-text", .mime_type = "text/plain"},
      {.uri = "test://static-binary", .name = "static-binary", .mime_type = "image/png"},
      {.uri = "test://watched-resource", .name = "watched-resource", .mime_type = "text/plain"},
  }};
  ListedPage page{.total = 1};
  if (offset == 0 && limit > 0) page.resources.push_back(all[kWhich]);
  return page;
}

}  // namespace

std::span<const Resource* const> resources() {
  static const std::array<Resource, 4> all = {{
      {.uri_template = "test://static-text",
       .name = "static-text",
       .mime_type = "text/plain",
       .read = read_text,
       .list = list_one<0>},
      {.uri_template = "test://static-binary",
       .name = "static-binary",
       .mime_type = "image/png",
       .read = read_binary,
       .list = list_one<1>},
      {.uri_template = "test://watched-resource",
       .name = "watched-resource",
       .mime_type = "text/plain",
       .read = read_text,
       .list = list_one<2>},
      {.uri_template = "test://template/{id}/data",
       .name = "template",
       .title = "Template",
       .description = "Data by id",
       .read = read_template},
  }};
  static const std::vector<const Resource*> pointers = [] {
    std::vector<const Resource*> out;
    for (const Resource& resource : all) out.push_back(&resource);
    return out;
  }();
  return pointers;
}

}  // namespace weft::conformance
