#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/read/tree_leaves.hpp"

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

}  // namespace

Status check_names(Derivation& from, FindingList& out) {
  NameSum derived, found;
  WEFT_TRY(each_derived_name(from, [&](const Name& name) -> Status {
    derived.add(name);
    return {};
  }));
  NameIndex& index = from.database.name_index();
  WEFT_TRY(index.check([&](const Name& name) { found.add(name); }, out));
  if (derived == found) return {};
  out.add(index.table(), found.names < derived.names
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
  WEFT_TRY(from.database.name_index().remove_all());
  const auto write = [&]() -> Status {
    std::ranges::sort(names);
    WEFT_TRY(from.database.name_index().add(names));
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
