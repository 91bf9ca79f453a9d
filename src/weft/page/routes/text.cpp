// GET /api/thoughts/CID/text: a piece of a long text in a thought.
#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

Result<json::object> text(const Asking& asking) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  WEFT_TRY_VALUE(const auto thought, query::get(asking.library, cid, query::Layers::open));
  const std::string pointer = mcp::text_in(asking.arguments, "pointer");
  boost::system::error_code error;
  const json::value whole = thought;
  const json::value* found = whole.find_pointer(pointer, error);
  if (error || found == nullptr || !found->is_string()) {
    return fail(ErrorCode::not_found, "pointer: there is no text at '" + pointer + "'");
  }
  const std::string_view all = view(found->as_string());
  const std::uint64_t from = mcp::whole_in(asking.arguments, "from");
  const std::string_view piece =
      slice_code_points(all, from, from + mcp::whole_in(asking.arguments, "count"));
  return json::object{{"pointer", pointer},
                      {"from", from},
                      {"length", count_code_points(all)},
                      {"text", json::string(piece)}};
}

}  // namespace

const Route& text_route() {
  static const Route route = {
      .path = "/api/thoughts/{cid}/text",
      .parameters = {{.name = "pointer", .is_required = true},
                     {.name = "from", .kind = mcp::Parameter::Kind::whole, .preset = 0},
                     {.name = "count",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 100'000,
                      .most = 4'000'000}},
      .output_schema = R"({"title": "TextPiece", "type": "object", "properties": {
  "pointer": {"type": "string"}, "from": {"type": "integer"},
  "length": {"type": "integer", "description": "of the whole text, in characters"},
  "text": {"type": "string"}},
  "required": ["pointer", "from", "length", "text"]})",
      .answer = text,
  };
  return route;
}

}  // namespace weft::page
