#include "weft/transcript/state.hpp"

namespace weft::transcript {

json::value write_value(Role role) { return json::value(to_string(role)); }

StateFit read_value(const json::value& from, Role& role) {
  if (!from.is_string()) return StateFit::other_kind;
  const std::optional<Role> parsed = parse_role(view(from.get_string()));
  if (!parsed) return StateFit::refused;
  role = *parsed;
  return StateFit::fits;
}

void archive(StateArchive& a, TurnHead& head) {
  a.field("role", head.role);
  a.field("id", head.source_id);
  a.field("counted", head.counted);
  a.optional("parent", head.parent);
}

}  // namespace weft::transcript
