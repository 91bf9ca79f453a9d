#include "weft/mcp/answers/shared_parameters.hpp"

namespace weft::mcp {

Parameter limit_of(std::int64_t preset, std::int64_t most) {
  return {
      .name = "limit", .kind = Parameter::Kind::whole, .preset = preset, .least = 1, .most = most};
}

Parameter offset_of() { return {.name = "offset", .kind = Parameter::Kind::whole, .preset = 0}; }

Parameter thought_format() {
  return {.name = "response_format",
          .description = "concise cuts texts to 300 characters.",
          .one_of = {"detailed", "concise"},
          .preset_text = "detailed"};
}

}  // namespace weft::mcp
