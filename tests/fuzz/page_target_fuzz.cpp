// Any bytes as the target of a request to the page: its path matches a route or none, its arguments
// are read or refused, and a file is answered or not one; whatever comes out is UTF-8.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "weft/base/utf8.hpp"
#include "weft/page/route.hpp"
#include "weft/page/site/files.hpp"
#include "weft/page/site/target.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_utf8(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  weft::repair_utf8(text, storage, repairs);
  return repairs == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft::page;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Target target = split_target(text);
  require(target.path.size() + target.query.size() <= text.size());
  const auto given = read_query(target.query);
  for (const Route* route : all_routes()) {
    const auto name = match_path(route->path, target.path);
    if (!name) continue;
    require(is_utf8(*name));
    if (given) (void)weft::mcp::read_arguments(route->parameters, *given);
  }
  if (given) {
    for (const auto& argument : *given) require(is_utf8(argument.key()));
  }
  if (is_file(target.path)) {
    const auto response =
        respond_with_file({.method = "GET",
                           .target = text,
                           .fields = {{"accept-encoding", text}, {"if-none-match", text}}});
    require(response.status == 200 || response.status == 304);
  }
  return 0;
}
