// Any bytes as a message: parsed or refused with an error; what is made of it for a model has no
// hidden characters and fits; an answer to it is one line of JSON.
#include <cstdint>
#include <cstdlib>

#include "weft/mcp/answers/answer_size.hpp"
#include "weft/mcp/answers/sanitize.hpp"
#include "weft/mcp/protocol/message.hpp"
#include "weft/mcp/protocol/parameter.hpp"
#include "weft/mcp/protocol/uri.hpp"
#include "weft/search/visible.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_line(const std::string& line) {
  require(line.find('\n') == std::string::npos);
  require(weft::parse_json(line).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft::mcp;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string visible = cleaned(text);
  require(!weft::search::has_hidden(visible));
  require(cleaned(visible) == visible);
  if (const auto value = match_uri("weft://thought/{cid}", text)) {
    require(match_uri("weft://thought/{cid}", expand_uri("weft://thought/{cid}", *value)) == value);
  }
  auto message = parse_message(text);
  if (!message) {
    require(message.error().error.code <= code::kInvalidRequest ||
            message.error().error.code == code::kInvalidParams);
    check_line(to_error(message.error().id, message.error().error));
    return 0;
  }
  check_line(to_response(message->id, message->params));
  static const std::vector<Parameter> kParameters = {
      {.name = "query", .description = "", .is_required = true, .longest = 100},
      {.name = "limit", .kind = Parameter::Kind::whole, .description = "", .preset = 5, .most = 9},
      {.name = "how", .description = "", .one_of = {"a", "b"}, .preset_text = "a"},
      {.name = "block", .kind = Parameter::Kind::object, .description = ""}};
  if (const auto arguments = read_arguments(kParameters, message->params)) {
    require(whole_in(*arguments, "limit") <= 9 && !text_in(*arguments, "query").empty());
  }
  fit(message->params, 500);
  weft::json::value value(message->params);
  clean(value);
  return 0;
}
