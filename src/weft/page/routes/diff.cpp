// GET /api/conversations/CONV/diff: what a conversation, or one exchange of it, changed in files.
#include "weft/query/edits/diff.hpp"
#include "weft/base/try.hpp"
#include "weft/mcp/answers/diff_schema.hpp"
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> diff(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  query::DiffOptions options{.path = mcp::find_text_in(asking.arguments, "file"),
                             .control = {.stop = asking.stop}};
  if (const auto block = mcp::find_text_in(asking.arguments, "block")) {
    WEFT_TRY_VALUE(options.block, query::resolve_thought(asking.library, *block));
  }
  return query::diff(asking.library, row, options);
}

}  // namespace

const Route& diff_route() {
  static const Route route = {
      .path = "/api/conversations/{conversation}/diff",
      .parameters = {{.name = "block"}, {.name = "file"}},
      .output_schema = mcp::kDiffSchema,
      .answer = diff,
  };
  return route;
}

}  // namespace weft::page
