#include "weft/formats/reader.hpp"

#include <utility>

namespace weft::formats {

std::optional<json::object> parse_reader_state(const json::value& saved) {
  if (const json::object* state = saved.if_object()) return *state;
  if (!saved.is_string()) return std::nullopt;
  Result<ParsedJson> parsed = parse_json(view(saved.get_string()));
  if (!parsed || !parsed->value.is_object()) return std::nullopt;
  return std::move(parsed->value.get_object());
}

}  // namespace weft::formats
