// Documents: the thoughts that can be found, numbered from 1 in the order in which they were
// indexed, and what ranking and filters need to know of each. All of it is held in memory, 30
// bytes a document, so that a match costs no look at a table. On disk they lie in pages of
// kPageDocuments (docs/formats/store.md): a commit writes the last one anew.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "weft/sqlite/database.hpp"
#include "weft/store/pages/document_page.hpp"
#include "weft/store/sqlite/fulltext_index.hpp"

namespace weft::store::sql {

// Where the index stands.
struct IndexState {
  std::int64_t epoch = 0;      // counted up when documents changed that were there
  std::int64_t documents = 0;  // the last one's number
  bool is_behind = false;      // thoughts are stored that were never indexed
  friend bool operator==(const IndexState&, const IndexState&) = default;
};
Result<IndexState> read_index_state(const sqlite::Database& database);
Status write_index_state(const sqlite::Database& database, const IndexState& state);

// Adds rows after the last; returns the number of the first.
Result<Document> append_documents(const sqlite::Database& database,
                                  std::span<const DocumentRow> rows);
// Blots out those of these thoughts, and returns what they were, by number.
struct NumberedRow {
  Document document;
  DocumentRow row;
};
Result<std::vector<NumberedRow>> blot_documents(const sqlite::Database& database,
                                                std::span<const Id> thoughts);

// Which indexes a question goes to, as bits by Index.
using Reach = std::uint8_t;
constexpr Reach reach_of(Index index) {
  return static_cast<Reach>(1U << static_cast<unsigned>(index));
}

// The lengths of texts for one reach.
struct Lengths {
  std::vector<std::uint16_t> of{};  // by document
  std::uint64_t sum = 0;            // of all of them
  std::uint64_t texts = 0;          // that have any
  double average = 0;
};

// Before refresh() succeeded there is nothing that may be asked.
class Documents {
 public:
  const IndexState& state() const { return state_; }
  std::size_t size() const { return thoughts_.size(); }  // one more than the last number

  Id thought(Document at) const { return thoughts_[at]; }
  Id turn(Document at) const { return turns_[at]; }
  Id exchange(Document at) const { return exchanges_[at]; }
  std::uint8_t role(Document at) const { return roles_[at]; }
  Id type(Document at) const { return types_[at]; }
  Millis time(Document at) const { return times_[at]; }
  std::uint16_t length(Document at, Index index) const {
    return lengths_[static_cast<std::size_t>(index)][at];
  }
  // Whether any document has text there.
  bool has_any(Index index) const { return any_[static_cast<std::size_t>(index)]; }

  // By thought; empty if it is not indexed.
  std::optional<Document> find(Id thought) const;
  // All in a range of thoughts, told one by one.
  template <class Visit>
  void each_between(Id first, Id last, const Visit& visit) const;

  // Reads what is new since the last time, or all. The caller's transaction pins what is read.
  Status refresh(const sqlite::Database& database);
  // Null until need_lengths() made them.
  const Lengths* lengths(Reach reach) const { return by_reach_[reach].get(); }
  void need_lengths(Reach reach);

 private:
  void clear();
  void reserve(std::size_t documents);
  void add(const DocumentPage& page, std::size_t from);
  // Up to the last of so many.
  Status read_pages(const sqlite::Database& database, std::int64_t documents);
  // Those after the first `known` are new.
  void put_in_order(std::size_t known);

  // Documents in the order of their thoughts, counted from 0; the first that is not below.
  std::size_t rank_of(Id thought) const;
  std::size_t ranks() const { return is_in_order_ ? size() - 1 : by_thought_.size(); }
  Document ranked(std::size_t rank) const {
    return is_in_order_ ? static_cast<Document>(rank + 1) : by_thought_[rank];
  }

  IndexState state_{.epoch = -1};
  // By document, as pages have them; at 0 there is none.
  std::vector<std::uint32_t> thoughts_, turns_, exchanges_, types_;
  std::vector<std::uint8_t> roles_;
  std::vector<Millis> times_;
  std::array<std::vector<std::uint16_t>, 3> lengths_;
  std::array<bool, 3> any_{};
  // Thoughts come in order, but where one was forgotten, or was spoken of before it was stored.
  bool is_in_order_ = true;
  std::vector<Document> by_thought_;  // in the order of their thoughts; only if they are not
  std::array<std::shared_ptr<Lengths>, 8> by_reach_;
};

template <class Visit>
void Documents::each_between(Id first, Id last, const Visit& visit) const {
  for (std::size_t rank = rank_of(first); rank < ranks(); ++rank) {
    const Document at = ranked(rank);
    if (thought(at) > last) break;
    visit(at);
  }
}

// The documents of one store, for all its readers: kept up to date by whoever asks.
class SharedDocuments {
 public:
  // Holds them as they are in one moment of the store.
  class View {
   public:
    const Documents& operator*() const { return *documents_; }
    const Documents* operator->() const { return documents_; }

   private:
    friend class SharedDocuments;
    View(const Documents& documents, std::shared_lock<std::shared_mutex> lock)
        : documents_(&documents), lock_(std::move(lock)) {}
    const Documents* documents_;
    std::shared_lock<std::shared_mutex> lock_;
  };
  // As `database` sees them in the transaction that the caller has begun. Empty if somebody
  // saw a later moment already: begin anew.
  Result<std::optional<View>> view(const sqlite::Database& database, Reach reach);

 private:
  std::shared_mutex mutex_;
  Documents documents_;  // guarded by mutex_
};

}  // namespace weft::store::sql
