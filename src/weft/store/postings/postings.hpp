// Postings: what ranking reads of a store, and all that a backend implements for search. Matching,
// scores and filters are the same for every backend (ranking.hpp).
//
// A *document* is a thought that can be found, numbered from 1 in the order of indexing. There are
// three indexes of terms over the same documents: of clear text, and of the text in each layer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

enum class Index : std::uint8_t { clear, metadata, content };
inline constexpr Index kIndexes[] = {Index::clear, Index::metadata, Index::content};

using Document = std::uint32_t;  // the first is 1

// A document that matches, and how often.
struct Posting {
  Document document;
  std::uint32_t times;
};

// What to find in one index: a term, consecutive terms, or terms with a prefix.
struct Sought {
  std::vector<std::string> terms{};
  bool is_prefix = false;
};

struct IndexState {
  std::int64_t epoch = 0;      // incremented when existing documents change
  std::int64_t documents = 0;  // the last document
  bool is_behind = false;      // some stored thoughts were never indexed
  friend bool operator==(const IndexState&, const IndexState&) = default;
};

// The documents of one state of a store, in pages (pages/document_page.hpp).
class DocumentPages {
 public:
  virtual ~DocumentPages() = default;

  [[nodiscard]] virtual Result<IndexState> index_state() = 0;
  // Calls `visit` with each packed page from page number `first` (0: all) on, in order; its failure
  // is passed on.
  using VisitPage = std::function<Status(std::string_view packed)>;
  [[nodiscard]] virtual Status each_document_page(std::int64_t first, const VisitPage& visit) = 0;
};

// One state of a store. For one thread at a time.
class Postings : public DocumentPages {
 public:
  // The matching documents, in their order.
  [[nodiscard]] virtual Result<std::vector<Posting>> find_postings(Index index,
                                                                   const Sought& sought) = 0;
  // Calls `visit` with each term of clear text that begins with `prefix`, in the order of their
  // bytes, and the number of documents that have it, until it returns false.
  using VisitTerm = std::function<bool(std::string_view term, std::uint64_t documents)>;
  [[nodiscard]] virtual Status each_clear_term(std::string_view prefix, const VisitTerm& visit) = 0;
  // The ids of the keys of sealed layers that the index knows of. Those with terms of their own
  // (index_terms.hpp) are of others than the store's owner.
  [[nodiscard]] virtual Result<std::vector<std::string>> index_keys(Index index) = 0;

  // Calls `visit` with every word that documents have as their type, and its id.
  using VisitWord = std::function<void(Id word, std::string_view text)>;
  [[nodiscard]] virtual Status each_word(const VisitWord& visit) = 0;
  // The ids of the thoughts in a conversation, as ranges, both ends included. Empty for an unknown
  // conversation.
  struct IdRange {
    Id first, last;
  };
  [[nodiscard]] virtual Result<std::vector<IdRange>> thoughts_in(const Cid& conversation) = 0;

  [[nodiscard]] virtual Result<thought::Thought> get_thought(Id id) = 0;
  [[nodiscard]] virtual Result<Cid> name_of(Id id) = 0;
};

}  // namespace weft::store::sql
