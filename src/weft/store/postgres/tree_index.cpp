#include "weft/store/postgres/tree_index.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

constexpr std::int64_t kNamesAtOnce = 256;

}  // namespace

Result<std::vector<Id>> TreeIndex::find(Hash hash) {
  Rows rows =
      database_.query("SELECT id FROM name_hashes WHERE hash = ? ORDER BY id", std::int64_t{hash});
  std::vector<Id> found;
  while (rows.next()) found.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return found;
}

// `visit` may ask the database, so nothing is being read meanwhile.
Status TreeIndex::each_from(Hash from, const std::function<bool(Name)>& visit) {
  Name last{from, -1};
  std::vector<Name> some;
  do {
    some.clear();
    Rows rows = database_.query(
        "SELECT hash, id FROM name_hashes WHERE hash > ?1 OR (hash = ?1 AND id > ?2) "
        "ORDER BY hash, id LIMIT ?3",
        std::int64_t{last.hash}, last.id, kNamesAtOnce);
    while (rows.next()) some.push_back({static_cast<Hash>(rows.integer(0)), rows.integer(1)});
    WEFT_TRY(rows.status());
    for (const Name& name : some) {
      if (!visit(name)) return {};
      last = name;
    }
  } while (!some.empty());
  return {};
}

Status TreeIndex::each(const std::function<void(Name)>& visit) {
  Rows rows = database_.query("SELECT hash, id FROM name_hashes");
  while (rows.next()) visit({static_cast<Hash>(rows.integer(0)), rows.integer(1)});
  return rows.status();
}

Status TreeIndex::add(std::span<const Name> names) {
  for (const Name& name : names) {
    WEFT_TRY(database_.run("INSERT INTO name_hashes (hash, id) VALUES (?, ?)",
                           std::int64_t{name.hash}, name.id));
  }
  return {};
}

Status TreeIndex::remove(const Name& name) {
  return database_.run("DELETE FROM name_hashes WHERE hash = ? AND id = ?", std::int64_t{name.hash},
                       name.id);
}

Status TreeIndex::remove_all() { return database_.run("DELETE FROM name_hashes"); }

}  // namespace weft::store::sql
