// Answers the methods for resources and for completion.
#include <algorithm>
#include <charconv>

#include "weft/mcp/protocol/methods.hpp"
#include "weft/mcp/protocol/uri.hpp"

namespace weft::mcp {
namespace {

constexpr std::uint64_t kPage = 50;
constexpr std::size_t kMostValues = 100;
// The list of resources changes while people work.
constexpr std::int64_t kGrowingMs = 2'000;

json::object described(const Listed& listed) {
  json::object out{{"uri", listed.uri}, {"name", listed.name}};
  if (!listed.title.empty()) out["title"] = listed.title;
  if (!listed.description.empty()) out["description"] = listed.description;
  if (!listed.mime_type.empty()) out["mimeType"] = listed.mime_type;
  return out;
}

// A cursor is the offset of the next page, over all kinds: "o50".
std::optional<std::uint64_t> parse_cursor(const json::object& params) {
  const json::value* cursor = find_member(params, "cursor");
  if (cursor == nullptr || cursor->is_null() || *cursor == "") return 0;
  if (!cursor->is_string()) return std::nullopt;
  const std::string_view text = view(cursor->get_string());
  std::uint64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), offset);
  const bool is_ours = text.size() > 1 && text.front() == 'o' && error == std::errc() &&
                       end == text.data() + text.size();
  return is_ours ? std::optional(offset) : std::nullopt;
}

json::object with_short_cache_hint(json::object result) {
  result["ttlMs"] = kGrowingMs;
  result["cacheScope"] = "private";
  return result;
}

json::object completed(std::vector<std::string> values) {
  const std::size_t total = values.size();
  if (total > kMostValues) values.resize(kMostValues);
  return {{"completion", json::object{{"values", json::array(values.begin(), values.end())},
                                      {"total", total},
                                      {"hasMore", total > kMostValues}}}};
}

}  // namespace

Served<> Methods::list_resources(Call& call) const {
  const std::optional<std::uint64_t> offset = parse_cursor(call.params());
  if (!offset) return reject(code::kInvalidParams, "invalid cursor");
  prepare(call);
  json::array resources;
  std::uint64_t before = 0;  // number of resources of the kinds before this one
  std::uint64_t all = 0;
  for (const Resource* resource : features_.resources) {
    if (resource->list == nullptr) continue;
    const std::uint64_t from = *offset > before ? *offset - before : 0;
    Result<ListedPage> page = resource->list(call, from, kPage - resources.size());
    if (!page) return reject(code::kInternalError, page.error().message);
    for (const Listed& listed : page->resources) resources.push_back(described(listed));
    before += page->total;
    all += page->total;
  }
  const std::uint64_t next = *offset + resources.size();
  json::object out{{"resources", std::move(resources)}};
  if (next < all && next > *offset) out["nextCursor"] = "o" + std::to_string(next);
  return with_short_cache_hint(std::move(out));
}

Served<> Methods::list_templates(const json::object& params) const {
  const json::value* cursor = find_member(params, "cursor");
  if (cursor != nullptr && !cursor->is_null() && *cursor != "") {
    return reject(code::kInvalidParams, "invalid cursor");
  }
  json::array templates;
  for (const Resource* resource : features_.resources) {
    if (!has_variable(resource->uri_template)) continue;
    templates.push_back(json::object{{"uriTemplate", resource->uri_template},
                                     {"name", resource->name},
                                     {"title", resource->title},
                                     {"description", resource->description},
                                     {"mimeType", resource->mime_type}});
  }
  return with_short_cache_hint({{"resourceTemplates", std::move(templates)}});
}

Served<> Methods::read_resource(Call& call) const {
  const auto uri = find_string(call.params(), "uri");
  if (!uri) return reject(code::kInvalidParams, "resources/read: uri is missing");
  const std::string requested(*uri);
  for (const Resource* resource : features_.resources) {
    const std::optional<std::string> value = match_uri(resource->uri_template, requested);
    if (!value) continue;
    prepare(call);
    Served<> contents = resource->read(call, requested, *value);
    return contents ? with_short_cache_hint(*std::move(contents)) : std::move(contents);
  }
  return not_found(call, requested);
}

Served<> Methods::complete(Call& call) const {
  const json::object* reference = find_object(call.params(), "ref");
  const json::object* argument = find_object(call.params(), "argument");
  const auto type = reference != nullptr ? find_string(*reference, "type") : std::nullopt;
  const auto name = argument != nullptr ? find_string(*argument, "name") : std::nullopt;
  const auto value = argument != nullptr ? find_string(*argument, "value") : std::nullopt;
  if (!type || !name || !value) {
    return reject(code::kInvalidParams,
                  "completion/complete: expected a ref, and an argument's name and value");
  }
  if (*type == "ref/prompt") {
    const auto found = std::ranges::find(
        features_.prompts, find_string(*reference, "name").value_or(""), &Prompt::name);
    if (found == features_.prompts.end()) {
      return reject(code::kInvalidParams, "unknown prompt");
    }
    const Prompt& prompt = **found;
    if (std::ranges::find(prompt.arguments, *name, &PromptArgument::name) ==
        prompt.arguments.end()) {
      return reject(code::kInvalidParams, "unknown argument of that prompt");
    }
    prepare(call);
    return completed(prompt.complete != nullptr ? prompt.complete(call, *name, *value)
                                                : std::vector<std::string>());
  }
  const auto found = std::ranges::find(
      features_.resources, find_string(*reference, "uri").value_or(""), &Resource::uri_template);
  if (*type != "ref/resource" || found == features_.resources.end()) {
    return reject(code::kInvalidParams, "unknown resource template");
  }
  if (variable_of((*found)->uri_template) != *name) {
    return reject(code::kInvalidParams, "unknown variable of that template");
  }
  prepare(call);
  return completed((*found)->complete != nullptr ? (*found)->complete(call, *value)
                                                 : std::vector<std::string>());
}

std::unexpected<RpcError> not_found(const Call& call, std::string_view uri) {
  const int number =
      call.client().era == Era::modern ? code::kInvalidParams : code::kLegacyResourceNotFound;
  return reject(number, "Resource not found", json::object{{"uri", uri}});
}

}  // namespace weft::mcp
