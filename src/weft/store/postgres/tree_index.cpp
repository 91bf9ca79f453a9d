#include "weft/store/postgres/tree_index.hpp"

#include <algorithm>
#include <string>

#include "weft/base/try.hpp"
#include "weft/store/postgres/many_rows.hpp"

namespace weft::store::sql {
namespace {

constexpr std::int64_t kNamesAtOnce = 256;
constexpr std::size_t kHashesAtOnce = 4096;

constexpr auto kManyHashes = many_rows<2>("INSERT INTO name_hashes (hash, id) VALUES ");
constexpr auto kManyNames = many_rows<2>("INSERT INTO names (id, cid) VALUES ");

}  // namespace

Result<std::vector<Id>> TreeIndex::find(Hash hash) {
  Rows rows =
      database_.query("SELECT id FROM name_hashes WHERE hash = ? ORDER BY id", std::int64_t{hash});
  std::vector<Id> found;
  while (rows.next()) found.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return found;
}

// An array, as text: so there is one statement for any number of them.
Result<std::vector<Name>> TreeIndex::find_all(std::span<const Hash> hashes) {
  std::vector<Name> found;
  while (!hashes.empty()) {
    const auto some = hashes.first(std::min(hashes.size(), kHashesAtOnce));
    std::string array = "{";
    for (const Hash hash : some) {
      if (array.size() > 1) array += ',';
      array += std::to_string(hash);
    }
    array += '}';
    Rows rows = database_.query(
        "SELECT hash, id FROM name_hashes WHERE hash = ANY (CAST(CAST(? AS TEXT) AS BIGINT[]))",
        std::string_view(array));
    while (rows.next()) found.push_back({static_cast<Hash>(rows.integer(0)), rows.integer(1)});
    WEFT_TRY(rows.status());
    hashes = hashes.subspan(some.size());
  }
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
  ManyRows rows(database_, kManyHashes.data(), "INSERT INTO name_hashes (hash, id) VALUES (?, ?)");
  for (const Name& name : names) WEFT_TRY(rows.add({std::int64_t{name.hash}, name.id}));
  return rows.finish();
}

Status TreeIndex::add_rows(std::span<const NameRow> added) {
  ManyRows rows(database_, kManyNames.data(), "INSERT INTO names (id, cid) VALUES (?, ?)");
  for (const NameRow& row : added) WEFT_TRY(rows.add({row.id, blob(row.cid->digest())}));
  return rows.finish();
}

Status TreeIndex::remove(const Name& name) {
  return database_.run("DELETE FROM name_hashes WHERE hash = ? AND id = ?", std::int64_t{name.hash},
                       name.id);
}

Status TreeIndex::remove_all() { return database_.run("DELETE FROM name_hashes"); }

}  // namespace weft::store::sql
