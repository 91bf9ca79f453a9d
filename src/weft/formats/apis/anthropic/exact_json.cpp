#include "weft/formats/apis/anthropic/exact_json.hpp"

#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::anthropic {

std::string exact_text(const json::value& value) {
  std::string text;
  append_json(text, value);
  return text;
}

json::value write_value(const ExactJson& exact) { return json::value(exact_text(exact.value)); }

json::value write_value(const ExactObject& exact) { return json::value(exact_text(exact.object)); }

StateFit read_value(const json::value& from, const ExactJson& exact) {
  if (!from.is_string()) return StateFit::other_kind;
  Result<ParsedJson> parsed = parse_json(view(from.get_string()));
  if (!parsed) return StateFit::refused;
  exact.value = std::move(parsed->value);
  return StateFit::fits;
}

StateFit read_value(const json::value& from, const ExactObject& exact) {
  json::value value;
  const StateFit fit = read_value(from, ExactJson{value});
  if (fit != StateFit::fits) return fit;
  if (!value.is_object()) return StateFit::refused;
  exact.object = std::move(value.get_object());
  return StateFit::fits;
}

}  // namespace weft::formats::anthropic
