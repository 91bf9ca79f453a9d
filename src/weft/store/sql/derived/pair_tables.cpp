// A table may not fit in memory. So owners are divided into groups, the pairs of each group are
// summed up in both tables, and only groups whose sums differ are read again, pair by pair.
#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/sql/derived/pair_tables.hpp"

namespace weft::store::sql {
namespace {

constexpr int kGroupBits = 10;
// Groups that are compared pair by pair at a time: a million owners.
constexpr std::size_t kGroupsAtOnce = 1024;

Id group_of_owner(Id owner) { return owner >> kGroupBits; }

constexpr Id kFirst = std::numeric_limits<Id>::min(), kLast = std::numeric_limits<Id>::max();

Status derive_effects(Derivation& from, Id low, Id high, const VisitPair& visit,
                      std::unordered_set<Id>& unreadable) {
  Rows rows = from.database.query(
      "SELECT id, because FROM thoughts WHERE id BETWEEN ? AND ? ORDER BY id", low, high);
  std::vector<Id> causes;
  while (rows.next()) {
    const Id id = rows.integer(0);
    const Result<std::vector<PackedRef>> refs = unpack_refs(rows.bytes(1), id);
    if (!refs) {
      unreadable.insert(id);
      continue;
    }
    causes.clear();
    for (const PackedRef& ref : *refs) causes.push_back(ref.thought);
    std::ranges::sort(causes);
    const auto twice = std::ranges::unique(causes);
    causes.erase(twice.begin(), twice.end());
    for (const Id cause : causes) visit({cause, id});
  }
  return rows.status();
}

Status read_effects(Derivation& from, const VisitPair& visit) {
  Rows rows = from.database.query("SELECT cause, thought FROM effects");
  while (rows.next()) visit({rows.integer(0), rows.integer(1)});
  return rows.status();
}

constexpr PairTable kEffects = {
    "effects", derive_effects, read_effects,
    [](Derivation& from, const Pair& pair) {
      return from.database.run(
          "INSERT INTO effects (cause, thought) VALUES (?, ?) ON CONFLICT DO NOTHING", pair.first,
          pair.owner);
    },
    [](Derivation& from, const Pair& pair) {
      return from.database.run("DELETE FROM effects WHERE cause = ? AND thought = ?", pair.first,
                               pair.owner);
    }};
// The finalizer of splitmix64, over both.
std::uint64_t mix(const Pair& pair) {
  std::uint64_t hash = static_cast<std::uint64_t>(pair.first) * 0x9e3779b97f4a7c15u ^
                       static_cast<std::uint64_t>(pair.owner);
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
  return hash ^ hash >> 31;
}

// The groups of owners whose pairs differ, in order.
Result<std::vector<Id>> differing_groups(Derivation& from, const PairTable& table,
                                         std::unordered_set<Id>& unreadable) {
  std::unordered_map<Id, std::uint64_t> sums;
  WEFT_TRY(table.derive(
      from, kFirst, kLast, [&](const Pair& pair) { sums[group_of_owner(pair.owner)] += mix(pair); },
      unreadable));
  WEFT_TRY(table.read(from, [&](const Pair& pair) {
    if (!unreadable.contains(pair.owner)) sums[group_of_owner(pair.owner)] -= mix(pair);
  }));
  std::vector<Id> groups;
  for (const auto& [group, sum] : sums) {
    if (sum != 0) groups.push_back(group);
  }
  std::ranges::sort(groups);
  return groups;
}

}  // namespace

Status each_difference(Derivation& from, const PairTable& table,
                       const std::function<Status(const Difference&)>& visit) {
  std::unordered_set<Id> unreadable;
  WEFT_TRY_VALUE(const auto groups, differing_groups(from, table, unreadable));
  for (std::size_t at = 0; at < groups.size(); at += kGroupsAtOnce) {
    const std::size_t end = std::min(groups.size(), at + kGroupsAtOnce);
    const std::unordered_set<Id> some(groups.begin() + static_cast<std::ptrdiff_t>(at),
                                      groups.begin() + static_cast<std::ptrdiff_t>(end));
    std::set<Pair> derived, stored;
    for (const Id group : some) {
      const Id low = group << kGroupBits;
      WEFT_TRY(table.derive(
          from, low, low | ((Id{1} << kGroupBits) - 1),
          [&](const Pair& pair) { derived.insert(pair); }, unreadable));
    }
    WEFT_TRY(table.read(from, [&](const Pair& pair) {
      if (some.contains(group_of_owner(pair.owner)) && !unreadable.contains(pair.owner)) {
        stored.insert(pair);
      }
    }));
    Difference difference;
    std::ranges::set_difference(derived, stored, std::back_inserter(difference.missing));
    std::ranges::set_difference(stored, derived, std::back_inserter(difference.surplus));
    WEFT_TRY(visit(difference));
  }
  return {};
}

Status rebuild_pairs(Derivation& from, const PairTable& table) {
  return each_difference(from, table, [&](const Difference& difference) -> Status {
    for (const Pair& pair : difference.surplus) WEFT_TRY(table.remove(from, pair));
    for (const Pair& pair : difference.missing) WEFT_TRY(table.add(from, pair));
    return {};
  });
}

Status check_effects(Derivation& from, FindingList& out) {
  return each_difference(from, kEffects, [&](const Difference& difference) -> Status {
    for (const Pair& pair : difference.missing) {
      out.add("effects", "an effect of this thought is not listed", pair.first);
    }
    for (const Pair& pair : difference.surplus) {
      out.add("effects", "something is listed as an effect of this thought and is not", pair.first);
    }
    return {};
  });
}

Status rebuild_effects(Derivation& from) { return rebuild_pairs(from, kEffects); }

}  // namespace weft::store::sql
