#include "weft/store/sql/derived/checks.hpp"

namespace weft::store::sql {

Status check_late(Derivation& from, FindingList& out) {
  LateContext with = from.late();
  return check_late_tables(with, out);
}

Status rebuild_late(Derivation& from) {
  LateContext with = from.late();
  return rebuild_late_tables(with);
}

}  // namespace weft::store::sql
