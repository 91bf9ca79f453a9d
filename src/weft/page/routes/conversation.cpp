// GET /api/conversations/CONV: one conversation, as in a list.
#include "weft/base/try.hpp"
#include "weft/page/forks.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> conversation(const Asking& asking) {
  WEFT_TRY_VALUE(const auto row, asking.conversation());
  json::array one{query::describe(asking.library, row)};
  WEFT_TRY(add_forks(asking.library, one));
  return std::move(one.front().as_object());
}

}  // namespace

const Route& conversation_route() {
  static const std::string schema = conversation_shape("Conversation", std::string(kForkShape));
  static const Route route = {
      .path = "/api/conversations/{conversation}",
      .output_schema = schema,
      .answer = conversation,
  };
  return route;
}

}  // namespace weft::page
