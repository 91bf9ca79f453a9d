#include "weft/mcp/answers/shared_parameters.hpp"

namespace weft::mcp {

Parameter limit_of(std::string_view description, std::int64_t preset, std::int64_t most) {
  return {.name = "limit",
          .kind = Parameter::Kind::whole,
          .description = description,
          .preset = preset,
          .least = 1,
          .most = most};
}

Parameter offset_of(std::string_view description) {
  return {
      .name = "offset", .kind = Parameter::Kind::whole, .description = description, .preset = 0};
}

Parameter thought_format() {
  return {.name = "response_format",
          .description =
              "detailed: whole thoughts; concise: their texts cut to 300 characters, without "
              "signatures.",
          .one_of = {"detailed", "concise"},
          .preset_text = "detailed"};
}

}  // namespace weft::mcp
