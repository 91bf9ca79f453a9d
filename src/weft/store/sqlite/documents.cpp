#include "weft/store/sqlite/documents.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <unordered_set>

#include "weft/search/score.hpp"

namespace weft::store::sqlite {
namespace {

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "the index is damaged; weft reindex makes it anew");
}

// A million of these are read before the first question is answered: a varint of one byte, as most
// are, costs a look and a step.
class PageReader {
 public:
  explicit PageReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool is_at_end() const { return at_ == end_; }

  // Distances lead from one row to the next. False if the bytes end early or say what cannot be.
  bool take(const DocumentRow& before, DocumentRow& row) {
    row.thought = away_from(before.thought);
    row.turn = away_from(row.thought);
    row.exchange = away_from(row.turn);
    const std::uint64_t kind = varint();
    row.role = static_cast<std::uint8_t>(kind & 3);
    row.type = static_cast<Id>(kind >> 2);
    row.time = away_from(before.time);
    std::uint64_t longest = 0;
    for (std::uint16_t& length : row.lengths) {
      const std::uint64_t value = varint();
      longest = std::max(longest, value);
      length = static_cast<std::uint16_t>(value);
    }
    return !is_broken_ && is_id(row.thought) && is_id(row.turn) && is_id(row.exchange) &&
           is_id(row.type) && longest <= search::kMaxLength;
  }

 private:
  static bool is_id(Id id) { return id >= 0 && id <= std::numeric_limits<std::uint32_t>::max(); }

  std::uint64_t varint() {
    if (at_ != end_ && static_cast<signed char>(*at_) >= 0) {
      return static_cast<std::uint64_t>(*at_++);
    }
    std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    const std::optional<std::uint64_t> value = take_varint(rest);
    is_broken_ = is_broken_ || !value;
    at_ = rest.data();
    return value.value_or(0);
  }
  // As append_distance() wrote it. Unsigned, for damaged bytes may say anything.
  std::int64_t away_from(std::int64_t from) {
    const std::uint64_t value = varint();
    const std::uint64_t distance = (value >> 1) ^ (0 - (value & 1));
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) - distance);
  }

  const char* at_;
  const char* end_;
  bool is_broken_ = false;
};

template <class Visit>
Status each_row(std::string_view bytes, const Visit& visit) {
  DocumentRow before, row;
  std::size_t count = 0;
  PageReader reader(bytes);
  while (!reader.is_at_end()) {
    if (!reader.take(before, row) || ++count > kPageDocuments) return damaged();
    visit(row);
    before = row;
  }
  return {};
}

Status write_page(const Database& database, std::int64_t page, std::span<const DocumentRow> rows) {
  const std::string packed = pack_documents(rows);
  return database.run("INSERT OR REPLACE INTO search_documents (page, documents) VALUES (?, ?)",
                      page, Blob{packed});
}

Result<std::vector<DocumentRow>> read_page(const Database& database, std::int64_t page) {
  Rows rows = database.query("SELECT documents FROM search_documents WHERE page = ?", page);
  if (rows.next()) return unpack_documents(rows.bytes(0));
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return std::vector<DocumentRow>();
}

constexpr auto kPage = static_cast<std::int64_t>(kPageDocuments);

}  // namespace

std::string pack_documents(std::span<const DocumentRow> rows) {
  std::string out;
  DocumentRow before;
  for (const DocumentRow& row : rows) {
    append_distance(out, before.thought, row.thought);
    append_distance(out, row.thought, row.turn);
    append_distance(out, row.turn, row.exchange);
    append_varint(out, static_cast<std::uint64_t>(row.type) << 2 | row.role);
    append_distance(out, before.time, row.time);
    for (const std::uint16_t length : row.lengths) append_varint(out, length);
    before = row;
  }
  return out;
}

Result<std::vector<DocumentRow>> unpack_documents(std::string_view bytes) {
  std::vector<DocumentRow> rows;
  Status status = each_row(bytes, [&rows](const DocumentRow& row) { rows.push_back(row); });
  if (!status) return fail(std::move(status).error());
  return rows;
}

Result<IndexState> read_index_state(const Database& database) {
  Rows rows = database.query("SELECT epoch, documents, behind FROM search_state");
  IndexState state;
  if (rows.next()) {
    state = {rows.integer(0), rows.integer(1), rows.integer(2) != 0};
  }
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  if (state.documents < 0 || state.documents > std::numeric_limits<Document>::max() - kPage) {
    return damaged();
  }
  return state;
}

Status write_index_state(const Database& database, const IndexState& state) {
  return database.run("UPDATE search_state SET epoch = ?, documents = ?, behind = ?", state.epoch,
                      state.documents, std::int64_t{state.is_behind});
}

Result<Document> append_documents(const Database& database, std::span<const DocumentRow> rows) {
  Result<IndexState> state = read_index_state(database);
  if (!state) return fail(std::move(state).error());
  const auto first = static_cast<Document>(state->documents + 1);
  while (!rows.empty()) {
    const std::int64_t page = state->documents / kPage;
    const auto there = static_cast<std::size_t>(state->documents % kPage);
    Result<std::vector<DocumentRow>> all = read_page(database, page);
    if (!all) return fail(std::move(all).error());
    if (all->size() != there) return damaged();
    const std::size_t count = std::min(rows.size(), kPageDocuments - there);
    all->insert(all->end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    if (Status status = write_page(database, page, *all); !status) {
      return fail(std::move(status).error());
    }
    rows = rows.subspan(count);
    state->documents += static_cast<std::int64_t>(count);
  }
  if (Status status = write_index_state(database, *state); !status) {
    return fail(std::move(status).error());
  }
  return first;
}

Result<std::vector<NumberedRow>> blot_documents(const Database& database,
                                                std::span<const Id> thoughts) {
  const std::unordered_set<Id> going(thoughts.begin(), thoughts.end());
  std::vector<NumberedRow> blotted;
  Result<IndexState> state = read_index_state(database);
  if (!state) return fail(std::move(state).error());
  for (std::int64_t page = 0; page * kPage < state->documents; ++page) {
    Result<std::vector<DocumentRow>> rows = read_page(database, page);
    if (!rows) return fail(std::move(rows).error());
    const std::size_t before = blotted.size();
    for (std::size_t i = 0; i < rows->size(); ++i) {
      DocumentRow& row = (*rows)[i];
      if (!going.contains(row.thought)) continue;
      const auto number = static_cast<Document>(page * kPage + static_cast<std::int64_t>(i) + 1);
      blotted.push_back({number, std::exchange(row, DocumentRow{})});
    }
    if (blotted.size() == before) continue;
    if (Status status = write_page(database, page, *rows); !status) {
      return fail(std::move(status).error());
    }
  }
  if (blotted.empty()) return blotted;
  ++state->epoch;
  if (Status status = write_index_state(database, *state); !status) {
    return fail(std::move(status).error());
  }
  return blotted;
}

// --- in memory -----------------------------------------------------------------------------

void Documents::clear() {
  *this = Documents();
  add({});  // there is no document 0
}

void Documents::add(const DocumentRow& row) {
  thoughts_.push_back(static_cast<std::uint32_t>(row.thought));
  turns_.push_back(static_cast<std::uint32_t>(row.turn));
  exchanges_.push_back(static_cast<std::uint32_t>(row.exchange));
  types_.push_back(static_cast<std::uint32_t>(row.type));
  roles_.push_back(row.role);
  times_.push_back(row.time);
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    lengths_[i].push_back(row.lengths[i]);
    any_[i] = any_[i] || row.lengths[i] != 0;
  }
}

// All at once where there are many to come: growing step by step would take twice the memory.
void Documents::reserve(std::size_t documents) {
  if (documents < 2 * size()) return;
  for (auto* ids : {&thoughts_, &turns_, &exchanges_, &types_, &by_thought_}) {
    ids->reserve(documents);
  }
  roles_.reserve(documents);
  times_.reserve(documents);
  for (auto& lengths : lengths_) lengths.reserve(documents);
}

Status Documents::refresh(const Database& database) {
  Result<IndexState> state = read_index_state(database);
  if (!state) return fail(std::move(state).error());
  if (*state == state_) return {};
  const bool goes_on = state->epoch == state_.epoch && state->documents >= state_.documents;
  if (!goes_on) clear();
  const auto known = static_cast<std::int64_t>(size()) - 1;
  reserve(static_cast<std::size_t>(state->documents) + 1);
  std::int64_t skip = known % kPage;  // of the first page: what is known of it already
  Rows rows = database.query("SELECT documents FROM search_documents WHERE page >= ? ORDER BY page",
                             known / kPage);
  while (rows.next()) {
    Status status = each_row(rows.bytes(0), [&](const DocumentRow& row) {
      if (skip > 0) --skip;
      else add(row);
    });
    if (!status) {
      *this = Documents();
      return status;
    }
  }
  if (Status status = rows.status(); !status) {
    *this = Documents();
    return status;
  }
  if (static_cast<std::int64_t>(size()) - 1 != state->documents) {
    *this = Documents();
    return damaged();
  }
  // Nearly always they come in order: a thought that was only spoken of has an older number.
  const auto from = static_cast<std::ptrdiff_t>(by_thought_.size());
  for (std::size_t at = static_cast<std::size_t>(known) + 1; at < size(); ++at) {
    if (thoughts_[at] != 0) by_thought_.push_back(static_cast<Document>(at));
  }
  const auto by_id = [this](Document document) { return thoughts_[document]; };
  if (!std::ranges::is_sorted(by_thought_.begin() + std::max<std::ptrdiff_t>(0, from - 1),
                              by_thought_.end(), {}, by_id)) {
    std::ranges::sort(by_thought_, {}, by_id);
  }
  state_ = *state;
  for (std::size_t reach = 0; reach < by_reach_.size(); ++reach) {
    if (by_reach_[reach] != nullptr) need_lengths(static_cast<Reach>(reach));
  }
  return {};
}

void Documents::need_lengths(Reach reach) {
  std::shared_ptr<Lengths>& lengths = by_reach_[reach];
  if (lengths == nullptr) lengths = std::make_shared<Lengths>();
  if (size() > 2 * lengths->of.size()) lengths->of.reserve(size());
  for (std::size_t at = lengths->of.size(); at < size(); ++at) {
    std::uint32_t length = 0;
    for (const Index index : kIndexes) {
      if ((reach & reach_of(index)) != 0) length += this->length(static_cast<Document>(at), index);
    }
    length = std::min(length, search::kMaxLength);
    lengths->of.push_back(static_cast<std::uint16_t>(length));
    lengths->sum += length;
    lengths->texts += length > 0 ? 1 : 0;
  }
  if (lengths->texts > 0) {
    lengths->average = static_cast<double>(lengths->sum) / static_cast<double>(lengths->texts);
  }
}

std::vector<Document>::const_iterator Documents::lower_bound(Id thought) const {
  return std::ranges::lower_bound(by_thought_, thought, {},
                                  [this](Document document) -> Id { return thoughts_[document]; });
}

std::optional<Document> Documents::find(Id thought) const {
  const auto at = lower_bound(thought);
  if (at == by_thought_.end() || thoughts_[*at] != thought) return std::nullopt;
  return *at;
}

Result<std::optional<SharedDocuments::View>> SharedDocuments::view(const Database& database,
                                                                   Reach reach) {
  Result<IndexState> state = read_index_state(database);
  if (!state) return fail(std::move(state).error());
  for (;;) {
    {
      std::shared_lock lock(mutex_);
      if (documents_.state() == *state && documents_.lengths(reach) != nullptr) {
        return View(documents_, std::move(lock));
      }
    }
    const std::unique_lock lock(mutex_);
    const IndexState& known = documents_.state();
    if (known.epoch > state->epoch ||
        (known.epoch == state->epoch && known.documents > state->documents)) {
      return std::nullopt;
    }
    if (Status status = documents_.refresh(database); !status) {
      return fail(std::move(status).error());
    }
    documents_.need_lengths(reach);
  }
}

}  // namespace weft::store::sqlite
