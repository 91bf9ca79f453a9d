// GET /api/verify: whether the store, or one conversation or thought, is as it was signed.
#include "weft/query/verify/verify.hpp"
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> verify(const Asking& asking) {
  query::VerifyOptions options{.quick = find_bool(asking.arguments, "quick").value_or(false),
                               .control = {.stop = asking.stop}};
  if (const auto named = mcp::find_text_in(asking.arguments, "of")) {
    WEFT_TRY(query::add_named(asking.library, *named, options));
  }
  return query::verify(asking.context.store, asking.context.keyring, options);
}

}  // namespace

const Route& verify_route() {
  static const Route route = {
      .path = "/api/verify",
      .parameters = {{.name = "of"}, {.name = "quick", .kind = mcp::Parameter::Kind::flag}},
      .tool = "wot_verify",
      .pace = Route::Pace::slow,
      .answer = verify,
  };
  return route;
}

}  // namespace weft::page
