// Any bytes: once repaired they parse or are refused; what parses has one canonical
// form, which reads back to the same value and is its own canonical form.
#include <cstdint>
#include <cstdlib>

#include "weft/base/json.hpp"
#include "weft/base/utf8.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Equal but for the kind of a number: the canonical form of the double 1.0 is 1.
bool same(const weft::json::value& a, const weft::json::value& b) {
  if (a.is_number() && b.is_number() && (a.is_double() || b.is_double())) {
    return a.to_number<double>() == b.to_number<double>();
  }
  if (a.is_array() && b.is_array()) {
    const weft::json::array& x = a.get_array();
    const weft::json::array& y = b.get_array();
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!same(x[i], y[i])) return false;
    }
    return true;
  }
  if (a.is_object() && b.is_object()) {
    if (a.get_object().size() != b.get_object().size()) return false;
    for (const auto& member : a.get_object()) {
      const weft::json::value* other = b.get_object().if_contains(member.key());
      if (other == nullptr || !same(member.value(), *other)) return false;
    }
    return true;
  }
  return a == b;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string storage;
  std::size_t repairs = 0;
  const std::string_view repaired = weft::repair_json(text, storage, repairs);
  require((repairs == 0) == (repaired == text));
  std::string unused;
  std::size_t more_repairs = 0;
  weft::repair_json(repaired, unused, more_repairs);
  require(more_repairs == 0);

  const weft::Result<weft::ParsedJson> parsed = weft::parse_json(repaired);
  if (!parsed) {
    require(parsed.error().code == weft::ErrorCode::invalid_input);
    return 0;
  }
  const std::string canonical = weft::canonical_json(parsed->value);
  const weft::Result<weft::ParsedJson> back = weft::parse_json(canonical);
  require(back.has_value() && !back->inexact);
  require(same(parsed->value, back->value));
  require(weft::canonical_json(back->value) == canonical);

  const weft::Result<weft::ParsedJson> pretty = weft::parse_json(weft::pretty_json(parsed->value));
  require(pretty.has_value() && weft::canonical_json(pretty->value) == canonical);
  return 0;
}
