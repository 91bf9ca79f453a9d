#include "weft/store/sql/forget/uncovered.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

using Orphan = RowsToForget::Orphan;

// A row that lost a tree, and what covers it instead.
struct Lost {
  Id created_by = 0;               // of the checkpoint
  const Orphan* orphan = nullptr;  // null for a thought with a signature of its own
  bool is_covered = false;
};

using LostRows = std::map<Id, Lost>;

// Calls `visit` with each of `rows` that is a leaf in `leaves`, and with its index.
template <class Visit>
Status each_leaf(LostRows& rows, std::string_view leaves, const Visit& visit) {
  WEFT_TRY_VALUE(const auto ranges, unpack_leaves(leaves));
  std::uint64_t index = 0;
  for (const Range& range : ranges) {
    for (auto row = rows.lower_bound(range.first); row != rows.end(); ++row) {
      const auto at = static_cast<std::uint64_t>(row->first - range.first);
      if (at >= range.count) break;
      visit(*row, index + at);
    }
    index += range.count;
  }
  return {};
}

// Which of `alone` the bared trees cover, and the edges that they sign.
Result<LostRows> find_lost(const Database& database, const std::vector<Id>& bared,
                           const std::unordered_set<Id>& alone,
                           const std::vector<Orphan>& orphans) {
  LostRows staying, lost;
  for (const Id id : alone) staying.emplace(id, Lost{});
  std::map<Id, Id> creators;
  for (const Id checkpoint : bared) {
    Rows row = database.query(
        "SELECT created_by, leaves FROM thoughts JOIN checkpoints USING (id) WHERE id = ?",
        checkpoint);
    if (row.next()) {
      const Id creator = creators[checkpoint] = row.integer(0);
      WEFT_TRY(each_leaf(staying, row.bytes(1), [&](const auto& found, std::uint64_t) {
        lost.try_emplace(found.first, Lost{.created_by = creator});
      }));
    }
    WEFT_TRY(row.status());
  }
  for (const Orphan& orphan : orphans) {
    if (!orphan.is_edge) continue;
    lost.insert_or_assign(orphan.id,
                          Lost{.created_by = creators[orphan.checkpoint], .orphan = &orphan});
  }
  return lost;
}

}  // namespace

// Trees are not found by their leaves: all that remain are looked through, which is quick, because
// leaves are ranges.
Result<Uncovered> find_uncovered(const Database& database, const std::vector<Id>& bared,
                                 const std::unordered_set<Id>& alone,
                                 const std::vector<Orphan>& orphans) {
  WEFT_TRY_VALUE(auto lost, find_lost(database, bared, alone, orphans));
  Uncovered uncovered;
  if (lost.empty()) return uncovered;
  Rows trees = database.query(
      "SELECT checkpoints.id, created_by, leaves FROM checkpoints JOIN thoughts USING (id) "
      "WHERE leaves IS NOT NULL AND conversation IN (SELECT id FROM conversations) ORDER BY seq");
  while (trees.next()) {
    const Id checkpoint = trees.integer(0), creator = trees.integer(1);
    if (std::ranges::binary_search(bared, checkpoint)) continue;
    WEFT_TRY(each_leaf(lost, trees.bytes(2), [&](auto& found, std::uint64_t leaf) {
      Lost& row = found.second;
      if (row.is_covered || row.created_by != creator) return;
      row.is_covered = true;
      if (row.orphan != nullptr) uncovered.resigned.push_back({found.first, checkpoint, leaf});
    }));
  }
  WEFT_TRY(trees.status());
  for (const auto& [id, row] : lost) {
    if (row.is_covered) continue;
    uncovered.rows.push_back({id, row.created_by, row.orphan != nullptr});
  }
  return uncovered;
}

Result<std::optional<Id>> find_heir(const Database& database, const Uncovered::Row& row,
                                    const std::unordered_set<Id>& leaving) {
  Rows rows = database.query(
      "SELECT conversations.id FROM conversations JOIN thoughts USING (id) WHERE "
      "checkpoint IS NOT NULL AND created_by = ?2 AND conversations.id IN "
      "(SELECT conversation FROM shares WHERE thought = ?1 UNION ALL SELECT conversation FROM "
      "(SELECT conversation, last FROM runs WHERE first <= ?1 ORDER BY first DESC LIMIT 1) "
      "AS run WHERE last >= ?1) ORDER BY conversations.id",
      row.id, row.created_by);
  std::optional<Id> heir;
  while (!heir && rows.next()) {
    if (!leaving.contains(rows.integer(0))) heir = rows.integer(0);
  }
  WEFT_TRY(rows.status());
  return heir;
}

}  // namespace weft::store::sql
