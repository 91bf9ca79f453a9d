// Documents: the properties of every thought that can be found, for ranking and filters, in memory.
// 30 bytes a document, so that a match reads no table. On disk they are in pages of kPageDocuments
// (docs/formats/store.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "weft/store/pages/document_page.hpp"
#include "weft/store/postings/postings.hpp"

namespace weft::store::sql {

// The indexes that a request searches, as bits by Index.
using Reach = std::uint8_t;
constexpr Reach reach_of(Index index) {
  return static_cast<Reach>(1U << static_cast<unsigned>(index));
}

// The lengths of texts in the indexes of one reach.
struct Lengths {
  std::vector<std::uint16_t> of{};  // by document
  std::uint64_t sum = 0;
  std::uint64_t texts = 0;  // longer than 0
  double average = 0;
};

// Empty until refresh() has succeeded: ask nothing before.
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
  // Calls `visit` with every document in a range of thoughts.
  template <class Visit>
  void each_between(Id first, Id last, const Visit& visit) const;

  // Reads what is new since the last call, or everything. `pages` stay in one state meanwhile.
  Status refresh(DocumentPages& pages);
  // Null until need_lengths() made them.
  const Lengths* lengths(Reach reach) const { return by_reach_[reach].get(); }
  void need_lengths(Reach reach);

 private:
  void clear();
  void reserve(std::size_t documents);
  void add(const DocumentPage& page, std::size_t from);
  // Reads up to the document with this number.
  Status read_pages(DocumentPages& pages, std::int64_t documents);
  // Restores the order by thought; documents after the first `known` are new.
  void put_in_order(std::size_t known);

  // The rank of the first document whose thought is not below, in the order of thoughts, from 0.
  std::size_t rank_of(Id thought) const;
  std::size_t ranks() const { return is_in_order_ ? size() - 1 : by_thought_.size(); }
  Document ranked(std::size_t rank) const {
    return is_in_order_ ? static_cast<Document>(rank + 1) : by_thought_[rank];
  }

  IndexState state_{.epoch = -1};
  // By document, as pages have them; element 0 is unused.
  std::vector<std::uint32_t> thoughts_, turns_, exchanges_, types_;
  std::vector<std::uint8_t> roles_;
  std::vector<Millis> times_;
  std::array<std::vector<std::uint16_t>, 3> lengths_;
  std::array<bool, 3> any_{};
  // Thoughts are in order, unless one was forgotten or was referred to before it was stored.
  bool is_in_order_ = true;
  std::vector<Document> by_thought_;  // in the order of their thoughts, if they are not
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

// The documents of one state of a store, while it is read.
class DocumentsView {
 public:
  // `documents` outlive it and do not change meanwhile: `lock` keeps others from changing them.
  explicit DocumentsView(const Documents& documents, std::shared_lock<std::shared_mutex> lock = {})
      : documents_(&documents), lock_(std::move(lock)) {}

  const Documents& operator*() const { return *documents_; }
  const Documents* operator->() const { return documents_; }

 private:
  const Documents* documents_;
  std::shared_lock<std::shared_mutex> lock_;
};

// The documents of a store, shared by all its readers. Each reader brings them up to date.
class SharedDocuments {
 public:
  // The documents as `pages` has them, with lengths for `reach`. Empty if another reader has read a
  // later state already.
  Result<std::optional<DocumentsView>> view(DocumentPages& pages, Reach reach);

 private:
  std::shared_mutex mutex_;
  Documents documents_;  // guarded by mutex_
};

}  // namespace weft::store::sql
