#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/tree_leaves.hpp"
#include "weft/store/sqlite/derived/checks.hpp"
#include "weft/store/sqlite/names/name_runs.hpp"

namespace weft::store::sql {
namespace {

using VisitName = std::function<Status(const Name&)>;

// How many names, and a sum of them that does not depend on their order.
struct NameSum {
  std::uint64_t names = 0, sum = 0;

  void add(const Name& name) {
    std::uint64_t hash = static_cast<std::uint64_t>(name.hash) << 32 ^
                         static_cast<std::uint64_t>(name.id) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    ++names;
    sum += hash ^ hash >> 31;
  }
  friend bool operator==(const NameSum&, const NameSum&) = default;
};

// Visits every name that the index should have: the rows of `names`, and connections without one.
// What cannot be read is left out: verify reports it.
Status each_derived_name(Derivation& from, const VisitName& visit) {
  Rows named = from.database.query("SELECT id, cid FROM names ORDER BY id");
  bool more = named.next();
  const auto visit_named_below = [&](Id id) -> Status {
    for (; more && named.integer(0) < id; more = named.next()) {
      if (const Result<Cid> cid = to_cid(named.bytes(1))) {
        WEFT_TRY(visit({hash_of(*cid), named.integer(0)}));
      }
    }
    return {};
  };
  const Names names(from.database, from.words);
  Edges::Walk walk(from.edges, {});
  std::vector<Edge> page;
  for (;;) {
    const Result<bool> found = walk.next(page);
    if (!found && found.error().code == ErrorCode::corrupt) continue;
    if (!found) return fail(Error(found.error()));
    if (!*found) break;
    for (const Edge& edge : page) {
      WEFT_TRY(visit_named_below(edge.id));
      if (more && named.integer(0) == edge.id) continue;  // it has its row
      const Result<thought::Connection> connection = to_bare_connection(edge, names, from.words);
      if (connection) WEFT_TRY(visit({hash_of(cid_of(*connection)), edge.id}));
    }
  }
  WEFT_TRY(visit_named_below(std::numeric_limits<Id>::max()));
  return named.status();
}

// The order of pages and names, without which names are not found.
Status check_order(Derivation& from, NameSum& found, FindingList& out) {
  Rows rows = from.database.query(
      "SELECT id, name_pages.names, name_runs.names FROM name_pages LEFT JOIN name_runs "
      "ON run = id >> 32 ORDER BY id");
  constexpr std::string_view kPages = "name_pages";
  std::int64_t run = -1, left = 0;  // in this run, by its row
  Hash last = 0;
  const auto end_run = [&] {
    if (left != 0) out.add("name_runs", "a run of names has more or fewer names than it says");
  };
  while (rows.next()) {
    const std::int64_t page = rows.integer(0);
    if (page >> 32 != run) {
      end_run();
      run = page >> 32;
      last = 0;
      if (!rows.find_integer(2)) out.add(kPages, "a page of names belongs to no run");
      left = rows.find_integer(2).value_or(0);
    }
    const Result<std::vector<Name>> names = unpack_names(rows.bytes(1), first_of(page));
    if (!names) {
      out.add(kPages, names.error().message);
      continue;
    }
    const bool in_order =
        std::ranges::is_sorted(*names) && (names->empty() || names->front().hash >= last);
    if (!in_order) out.add(kPages, "the names of a page are not in order");
    if (!names->empty()) last = names->back().hash;
    left -= static_cast<std::int64_t>(names->size());
    for (const Name& name : *names) found.add(name);
  }
  end_run();
  return rows.status();
}

}  // namespace

Status check_names(Derivation& from, FindingList& out) {
  NameSum derived, found;
  WEFT_TRY(each_derived_name(from, [&](const Name& name) -> Status {
    derived.add(name);
    return {};
  }));
  WEFT_TRY(check_order(from, found, out));
  if (derived == found) return {};
  out.add("name_pages", found.names < derived.names
                            ? "some thoughts are not found by their CID"
                            : "the index of names does not match the thoughts");
  return {};
}

// In sorted parts, each a run; the index merges them as it does those of commits.
Status rebuild_names(Derivation& from) {
  constexpr std::size_t kAtOnce = 1 << 20;
  FindingList found(from.database, from.words);
  WEFT_TRY(check_names(from, found));
  if (found.empty()) return {};
  std::vector<Name> names;
  WEFT_TRY(from.database.run("DELETE FROM name_pages"));
  WEFT_TRY(from.database.run("DELETE FROM name_runs"));
  const auto write = [&]() -> Status {
    std::ranges::sort(names);
    WEFT_TRY(add_names(from.database, names));
    names.clear();
    return {};
  };
  WEFT_TRY(each_derived_name(from, [&](const Name& name) -> Status {
    names.push_back(name);
    return names.size() < kAtOnce ? Status() : write();
  }));
  return write();
}

}  // namespace weft::store::sql
