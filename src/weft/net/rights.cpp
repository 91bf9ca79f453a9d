#include "weft/net/rights.hpp"

#include <algorithm>

namespace weft::net {

std::string_view to_string(Right right) {
  switch (right) {
    case Right::read: return "read";
    case Right::push: return "push";
    case Right::keeper: break;
  }
  return "keeper";
}

Rights Rights::all() {
  Rights rights;
  for (const Right right : kAllRights) rights.add(right);
  return rights;
}

std::optional<Rights> Rights::parse(std::string_view text) {
  Rights rights;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    const auto found = std::ranges::find(kAllRights, name, to_string);
    if (found == kAllRights.end() || rights.has(*found)) return std::nullopt;
    rights.add(*found);
    if (comma == std::string_view::npos) return rights;
    text.remove_prefix(comma + 1);
  }
}

std::string Rights::str() const {
  std::string text;
  for (const Right right : kAllRights) {
    if (!has(right)) continue;
    if (!text.empty()) text += ',';
    text += to_string(right);
  }
  return text;
}

}  // namespace weft::net
