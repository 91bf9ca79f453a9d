// Mends pages of connections and leaves of checkpoints. Most connections have no stored name: the
// tree of their checkpoint proves them, and the index of names has the first bytes of their CIDs,
// which shows the changed one among thousands.
#include <algorithm>
#include <limits>
#include <set>

#include "weft/base/try.hpp"
#include "weft/store/sql/mend/bit_search.hpp"
#include "weft/store/sql/mend/mender.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::store::sql {
namespace {

// The ids that a checkpoint signs; empty if they cannot be read.
Result<std::vector<Range>> leaves_of(const Database& database, Id checkpoint) {
  Rows row = database.query("SELECT leaves FROM checkpoints WHERE id = ?", checkpoint);
  std::vector<Range> ranges;
  if (row.next()) ranges = unpack_leaves(row.bytes(0)).value_or(std::vector<Range>());
  WEFT_TRY(row.status());
  return ranges;
}

Result<std::optional<std::string>> find_page(const Database& database, Id first) {
  Rows row = database.query("SELECT edges FROM edge_pages WHERE first = ?", first);
  std::optional<std::string> bytes;
  if (row.next()) bytes = row.bytes(0);
  WEFT_TRY(row.status());
  return bytes;
}

// The last id that a page may have.
Result<Id> last_on_page(const Database& database, Id first) {
  Rows row = database.query("SELECT min(first) FROM edge_pages WHERE first > ?", first);
  Id last = std::numeric_limits<Id>::max();
  if (row.next() && row.find_integer(0)) last = row.integer(0) - 1;
  WEFT_TRY(row.status());
  return last;
}

}  // namespace

Result<bool> Mender::mend_trees() {
  bool is_changed = false;
  for (;;) {
    WEFT_TRY_VALUE(const bool is_settled, settle_trees());
    is_changed = is_changed || is_settled;
    bool is_mended = false;
    for (std::size_t i = 0; i < suspects_.pages.size() && !is_mended; ++i) {
      WEFT_TRY_VALUE(is_mended, mend_edge_names(suspects_.pages[i]));
    }
    for (std::size_t i = 0; i < suspects_.pages.size() && !is_mended; ++i) {
      WEFT_TRY_VALUE(is_mended, mend_page(suspects_.pages[i]));
    }
    for (std::size_t i = 0; i < suspects_.pages.size() && !is_mended; ++i) {
      WEFT_TRY_VALUE(is_mended, mend_edge_words(suspects_.pages[i]));
    }
    for (std::size_t i = 0; i < suspects_.checkpoints.size() && !is_mended; ++i) {
      WEFT_TRY_VALUE(is_mended, mend_leaves(suspects_.checkpoints[i]));
    }
    if (!is_mended) return is_changed;
    is_changed = true;
  }
}

// Leaves out what is whole by now, and adds the pages on which a damaged tree has a changed leaf.
Result<bool> Mender::settle_trees() {
  const std::size_t before = suspects_.checkpoints.size() + suspects_.pages.size();
  std::vector<Id> damaged;
  std::set<Id> pages;
  for (const Id checkpoint : suspects_.checkpoints) {
    if (judge_.tree_state(checkpoint) != TreeState::damaged) continue;
    damaged.push_back(checkpoint);
    WEFT_TRY_VALUE(const auto ranges, leaves_of(database(), checkpoint));
    for (const Range& range : ranges) {
      WEFT_TRY_VALUE(const auto changed,
                     changed_pages(range.first, range.first + static_cast<Id>(range.count) - 1));
      pages.insert(changed.begin(), changed.end());
    }
  }
  for (const Id page : suspects_.pages) {
    WEFT_TRY_VALUE(const auto changed, changed_pages(page, page));
    pages.insert(changed.begin(), changed.end());
  }
  suspects_.checkpoints = std::move(damaged);
  suspects_.pages.assign(pages.begin(), pages.end());
  return suspects_.checkpoints.size() + suspects_.pages.size() < before;
}

Result<std::vector<Id>> Mender::changed_pages(Id first, Id last) {
  std::vector<std::pair<Id, std::string>> pages;
  {
    Rows rows = database().query(
        "SELECT first, edges FROM edge_pages WHERE first <= ?2 AND first >= coalesce("
        "(SELECT max(first) FROM edge_pages WHERE first <= ?1), ?1)",
        first, last);
    while (rows.next()) pages.emplace_back(rows.integer(0), rows.bytes(1));
    WEFT_TRY(rows.status());
  }
  std::vector<Id> changed;
  for (const auto& [page, bytes] : pages) {
    std::vector<Edge> edges;
    bool is_fine = unpack_edges(bytes, page, edges).has_value();
    for (std::size_t i = 0; is_fine && i < edges.size(); ++i) {
      WEFT_TRY_VALUE(is_fine, is_expected(edges[i]));
    }
    if (!is_fine) changed.push_back(page);
  }
  return changed;
}

Result<std::optional<Hash>> Mender::find_indexed(Id id) {
  if (index_.empty()) {
    // What a damaged index does not tell is not mended now; it is rebuilt from the thoughts.
    const Status read =
        database().name_index().each([this](const Name& name) { index_.push_back(name); });
    if (!read && read.error().code != ErrorCode::corrupt) return fail(Error(read.error()));
    std::ranges::sort(index_, {}, &Name::id);
  }
  const auto found = std::ranges::lower_bound(index_, id, {}, &Name::id);
  if (found == index_.end() || found->id != id) return std::nullopt;
  return found->hash;
}

Result<bool> Mender::is_expected(const Edge& edge) {
  WEFT_TRY_VALUE(const auto hash, find_indexed(edge.id));
  if (!hash) return false;
  WEFT_TRY_VALUE(const auto name, find_stored_name(edge.id));
  const Judgement judgement = judge_.judge(edge, name);
  return judgement.flaw == Flaw::none && hash_of(*judgement.computed) == *hash;
}

Result<bool> Mender::are_trees_whole(Id first, Id last) {
  for (const Id checkpoint : suspects_.checkpoints) {
    WEFT_TRY_VALUE(const auto ranges, leaves_of(database(), checkpoint));
    const bool is_touched = std::ranges::any_of(ranges, [&](const Range& range) {
      return range.first <= last && first < range.first + static_cast<Id>(range.count);
    });
    if (is_touched && judge_.tree_state(checkpoint) == TreeState::damaged) return false;
  }
  return true;
}

// Some connections have a stored name, which must be that of their columns.
Result<bool> Mender::mend_edge_names(Id page) {
  WEFT_TRY_VALUE(const auto bytes, find_page(database(), page));
  std::vector<Edge> edges;
  if (!bytes || !unpack_edges(*bytes, page, edges)) return false;
  for (const Edge& edge : edges) {
    WEFT_TRY_VALUE(const auto hash, find_indexed(edge.id));
    const Judgement judgement = judge_.judge(edge, std::nullopt);
    WEFT_TRY_VALUE(const bool is_fine, is_expected(edge));
    if (is_fine || judgement.flaw != Flaw::none || hash != hash_of(*judgement.computed)) continue;
    WEFT_TRY_VALUE(const bool is_mended,
                   commit_if(
                       {judgement.computed, "names", "the name follows from the connection"},
                       [&] {
                         return database().run("UPDATE names SET cid = ? WHERE id = ?",
                                               blob(judgement.computed->digest()), edge.id);
                       },
                       [&]() -> Result<bool> {
                         WEFT_TRY_VALUE(const bool is_right, is_expected(edge));
                         if (!is_right) return false;
                         return are_trees_whole(edge.id, edge.id);
                       }));
    if (is_mended) return true;
  }
  return false;
}

Result<bool> Mender::mend_page(Id page) {
  WEFT_TRY_VALUE(const auto bytes, find_page(database(), page));
  if (!bytes) return false;
  WEFT_TRY_VALUE(const Id last, last_on_page(database(), page));
  std::vector<Edge> before, edges;
  if (!unpack_edges(*bytes, page, before)) before.clear();
  std::vector<bool> was_fine(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    WEFT_TRY_VALUE(const bool is_fine, is_expected(before[i]));
    was_fine[i] = is_fine;
  }
  for (std::size_t bit = 0; bit < bytes->size() * 8; ++bit) {
    const std::string changed = with_bit_changed(*bytes, bit);
    if (!unpack_edges(changed, page, edges)) continue;
    bool is_fine = true;
    for (std::size_t i = 0; is_fine && i < edges.size(); ++i) {
      if (i < before.size() && was_fine[i] && edges[i] == before[i]) continue;
      WEFT_TRY_VALUE(is_fine, is_expected(edges[i]));
    }
    if (!is_fine) continue;
    WEFT_TRY_VALUE(const bool is_mended,
                   commit_if(
                       {std::nullopt, "edge_pages", "a changed bit was changed back"},
                       [&] {
                         return database().run("UPDATE edge_pages SET edges = ? WHERE first = ?",
                                               Blob{changed}, page);
                       },
                       [&] { return are_trees_whole(page, last); }));
    if (is_mended) return true;
  }
  return false;
}

// A relation or a label that was changed damages every connection with it.
Result<bool> Mender::mend_edge_words(Id page) {
  WEFT_TRY_VALUE(const auto bytes, find_page(database(), page));
  std::vector<Edge> edges;
  if (!bytes || !unpack_edges(*bytes, page, edges)) return false;
  std::set<Id> tried;
  for (const Edge& edge : edges) {
    WEFT_TRY_VALUE(const bool is_fine, is_expected(edge));
    if (is_fine) continue;
    for (const std::optional<Id>& word : {std::optional(edge.relation), edge.label}) {
      if (!word || !tried.insert(*word).second) continue;
      WEFT_TRY_VALUE(const bool is_mended, mend_word(*word, [&]() -> Result<bool> {
                       WEFT_TRY_VALUE(const bool is_right, is_expected(edge));
                       return is_right;
                     }));
      if (is_mended) return true;
    }
  }
  return false;
}

Result<bool> Mender::mend_leaves(Id checkpoint) {
  std::string bytes;
  {
    Rows row = database().query("SELECT leaves FROM checkpoints WHERE id = ?", checkpoint);
    if (row.next()) bytes = row.bytes(0);
    WEFT_TRY(row.status());
  }
  const Result<Cid> cid = reader_.name_of(checkpoint);
  const Result<thought::Thought> thought = reader_.get_thought(checkpoint);
  if (!cid || !thought) return false;
  const Result<thought::Checkpoint> content = thought::to_checkpoint(*thought);
  if (!content) return false;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const std::string changed = with_bit_changed(bytes, bit);
    const Result<std::vector<Range>> ranges = unpack_leaves(changed);
    std::uint64_t count = 0;
    for (const Range& range : ranges.value_or(std::vector<Range>())) count += range.count;
    if (count != content->leaves) continue;
    WEFT_TRY_VALUE(const bool is_mended,
                   commit_if(
                       {*cid, "checkpoints", "a changed bit of `leaves` was changed back"},
                       [&] {
                         return database().run("UPDATE checkpoints SET leaves = ? WHERE id = ?",
                                               Blob{changed}, checkpoint);
                       },
                       [&] { return judge_.tree_state(checkpoint) == TreeState::whole; }));
    if (is_mended) return true;
  }
  return false;
}

}  // namespace weft::store::sql
