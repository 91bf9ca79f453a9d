#include "weft/store/postings/documents.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/search/score.hpp"

namespace weft::store::sql {
namespace {

Status write_page(const sqlite::Database& database, std::int64_t page,
                  std::span<const DocumentRow> rows) {
  const std::string packed = pack_documents(rows);
  return database.run("INSERT OR REPLACE INTO search_documents (page, documents) VALUES (?, ?)",
                      page, sqlite::Blob{packed});
}

Result<std::vector<DocumentRow>> read_page(const sqlite::Database& database, std::int64_t page) {
  sqlite::Rows rows = database.query("SELECT documents FROM search_documents WHERE page = ?", page);
  if (rows.next()) return unpack_documents(rows.bytes(0));
  WEFT_TRY(rows.status());
  return std::vector<DocumentRow>();
}

constexpr auto kPage = static_cast<std::int64_t>(kPageDocuments);

}  // namespace

Result<IndexState> read_index_state(const sqlite::Database& database) {
  sqlite::Rows rows = database.query("SELECT epoch, documents, behind FROM search_state");
  IndexState state;
  if (rows.next()) {
    state = {rows.integer(0), rows.integer(1), rows.integer(2) != 0};
  }
  WEFT_TRY(rows.status());
  if (state.documents < 0 || state.documents > std::numeric_limits<Document>::max() - kPage) {
    return damaged_index();
  }
  return state;
}

Status write_index_state(const sqlite::Database& database, const IndexState& state) {
  return database.run("UPDATE search_state SET epoch = ?, documents = ?, behind = ?", state.epoch,
                      state.documents, std::int64_t{state.is_behind});
}

Result<Document> append_documents(const sqlite::Database& database,
                                  std::span<const DocumentRow> rows) {
  WEFT_TRY_VALUE(auto state, read_index_state(database));
  const auto first = static_cast<Document>(state.documents + 1);
  while (!rows.empty()) {
    const std::int64_t page = state.documents / kPage;
    const auto there = static_cast<std::size_t>(state.documents % kPage);
    WEFT_TRY_VALUE(auto all, read_page(database, page));
    if (all.size() != there) return damaged_index();
    const std::size_t count = std::min(rows.size(), kPageDocuments - there);
    all.insert(all.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    WEFT_TRY(write_page(database, page, all));
    rows = rows.subspan(count);
    state.documents += static_cast<std::int64_t>(count);
  }
  WEFT_TRY(write_index_state(database, state));
  return first;
}

Result<std::vector<NumberedRow>> blot_documents(const sqlite::Database& database,
                                                std::span<const Id> thoughts) {
  const std::unordered_set<Id> going(thoughts.begin(), thoughts.end());
  std::vector<NumberedRow> blotted;
  WEFT_TRY_VALUE(auto state, read_index_state(database));
  for (std::int64_t page = 0; page * kPage < state.documents; ++page) {
    WEFT_TRY_VALUE(auto rows, read_page(database, page));
    const std::size_t before = blotted.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      DocumentRow& row = rows[i];
      if (!going.contains(row.thought)) continue;
      const auto number = static_cast<Document>(page * kPage + static_cast<std::int64_t>(i) + 1);
      blotted.push_back({number, std::exchange(row, DocumentRow{})});
    }
    if (blotted.size() == before) continue;
    WEFT_TRY(write_page(database, page, rows));
  }
  if (blotted.empty()) return blotted;
  ++state.epoch;
  WEFT_TRY(write_index_state(database, state));
  return blotted;
}

// --- in memory -----------------------------------------------------------------------------

void Documents::clear() {
  *this = Documents();
  for (auto* ids : {&thoughts_, &turns_, &exchanges_, &types_}) ids->resize(1);
  roles_.resize(1, DocumentRow{}.role);
  times_.resize(1);
  for (auto& lengths : lengths_) lengths.resize(1);
}

void Documents::add(const DocumentPage& page, std::size_t from) {
  const auto append = [&](auto& column, const auto& more) {
    column.insert(column.end(), more.begin() + static_cast<std::ptrdiff_t>(from),
                  more.begin() + static_cast<std::ptrdiff_t>(page.size()));
  };
  append(thoughts_, page.thoughts);
  append(turns_, page.turns);
  append(exchanges_, page.exchanges);
  append(types_, page.types);
  append(roles_, page.roles);
  append(times_, page.times);
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    append(lengths_[i], page.lengths[i]);
    const auto added = std::span(page.lengths[i]).subspan(from, page.size() - from);
    any_[i] = any_[i] || std::ranges::any_of(added, [](auto length) { return length != 0; });
  }
}

// All at once where there are many to come: growing step by step would take twice the memory.
void Documents::reserve(std::size_t documents) {
  if (documents < 2 * size()) return;
  for (auto* ids : {&thoughts_, &turns_, &exchanges_, &types_}) ids->reserve(documents);
  roles_.reserve(documents);
  times_.reserve(documents);
  for (auto& lengths : lengths_) lengths.reserve(documents);
}

Status Documents::read_pages(const sqlite::Database& database, std::int64_t documents) {
  const auto known = static_cast<std::int64_t>(size()) - 1;
  reserve(static_cast<std::size_t>(documents) + 1);
  auto skip = static_cast<std::size_t>(known % kPage);  // of the first page: it is known already
  sqlite::Rows rows = database.query(
      "SELECT documents FROM search_documents WHERE page >= ? ORDER BY page", known / kPage);
  DocumentPage page;
  while (rows.next()) {
    WEFT_TRY(page.unpack(rows.bytes(0)));
    if (page.size() < skip) return damaged_index();
    add(page, std::exchange(skip, 0));
  }
  WEFT_TRY(rows.status());
  return static_cast<std::int64_t>(size()) - 1 == documents ? Status() : damaged_index();
}

Status Documents::refresh(const sqlite::Database& database) {
  WEFT_TRY_VALUE(auto state, read_index_state(database));
  if (state == state_) return {};
  const bool goes_on = state.epoch == state_.epoch && state.documents >= state_.documents;
  if (!goes_on) clear();
  const std::size_t known = size() - 1;
  if (Status status = read_pages(database, state.documents); !status) {
    *this = Documents();
    return status;
  }
  put_in_order(known);
  state_ = state;
  for (std::size_t reach = 0; reach < by_reach_.size(); ++reach) {
    if (by_reach_[reach] != nullptr) need_lengths(static_cast<Reach>(reach));
  }
  return {};
}

void Documents::put_in_order(std::size_t known) {
  const auto added = thoughts_.begin() + static_cast<std::ptrdiff_t>(known);
  is_in_order_ =
      is_in_order_ &&
      std::ranges::adjacent_find(added, thoughts_.end(), std::greater_equal()) == thoughts_.end();
  if (is_in_order_) return;
  const auto before = std::ssize(by_thought_);
  for (std::size_t at = before == 0 ? 1 : known + 1; at < size(); ++at) {
    if (thoughts_[at] != 0) by_thought_.push_back(static_cast<Document>(at));
  }
  const auto by_id = [this](Document document) { return thoughts_[document]; };
  const auto from = by_thought_.begin() + std::max<std::ptrdiff_t>(0, before - 1);
  if (!std::ranges::is_sorted(from, by_thought_.end(), {}, by_id)) {
    std::ranges::sort(by_thought_, {}, by_id);
  }
}

// By columns, so that the compiler takes many at a time.
void Documents::need_lengths(Reach reach) {
  std::shared_ptr<Lengths>& lengths = by_reach_[reach];
  if (lengths == nullptr) lengths = std::make_shared<Lengths>();
  std::vector<std::uint16_t>& of = lengths->of;
  const std::size_t known = of.size();
  if (size() > 2 * known) of.reserve(size());
  of.resize(size());
  for (const Index index : kIndexes) {
    if ((reach & reach_of(index)) == 0 || !has_any(index)) continue;
    const std::vector<std::uint16_t>& more = lengths_[static_cast<std::size_t>(index)];
    for (std::size_t at = known; at < of.size(); ++at) {
      const std::uint32_t length = std::uint32_t{of[at]} + more[at];
      of[at] = static_cast<std::uint16_t>(std::min(length, search::kMaxLength));
    }
  }
  for (std::size_t at = known; at < of.size(); ++at) {
    lengths->sum += of[at];
    lengths->texts += of[at] > 0 ? 1 : 0;
  }
  if (lengths->texts > 0) {
    lengths->average = static_cast<double>(lengths->sum) / static_cast<double>(lengths->texts);
  }
}

std::size_t Documents::rank_of(Id thought) const {
  if (is_in_order_) {
    const auto first = thoughts_.begin() + 1;
    return static_cast<std::size_t>(std::lower_bound(first, thoughts_.end(), thought) - first);
  }
  const auto at = std::ranges::lower_bound(
      by_thought_, thought, {}, [this](Document document) -> Id { return thoughts_[document]; });
  return static_cast<std::size_t>(at - by_thought_.begin());
}

std::optional<Document> Documents::find(Id thought) const {
  const std::size_t rank = rank_of(thought);
  if (rank >= ranks() || thoughts_[ranked(rank)] != thought) return std::nullopt;
  return ranked(rank);
}

Result<std::optional<SharedDocuments::View>> SharedDocuments::view(const sqlite::Database& database,
                                                                   Reach reach) {
  WEFT_TRY_VALUE(auto state, read_index_state(database));
  for (;;) {
    {
      std::shared_lock lock(mutex_);
      if (documents_.state() == state && documents_.lengths(reach) != nullptr) {
        return View(documents_, std::move(lock));
      }
    }
    const std::unique_lock lock(mutex_);
    const IndexState& known = documents_.state();
    if (known.epoch > state.epoch ||
        (known.epoch == state.epoch && known.documents > state.documents)) {
      return std::nullopt;
    }
    WEFT_TRY(documents_.refresh(database));
    documents_.need_lengths(reach);
  }
}

}  // namespace weft::store::sql
