// IndexPages: where an inverted index (inverted_index.hpp) keeps its bytes: runs, and the pages of
// each run by key. A database implements it (sql/index_tables.hpp), and a map in memory for tests.
//
// A *run* is a part of one index: postings of some consecutive documents. No posting is in two
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/store/postings/postings.hpp"

namespace weft::store::sql {

enum class PageKind : std::uint8_t { terms = 0, positions = 1 };  // on disk

// Only the index of clear text has positions: the terms of sealed text are in the order of their
// hashes, so their positions would say nothing.
constexpr bool has_positions(Index index) { return index == Index::clear; }

struct IndexRun {
  std::int64_t number = 0;
  Index index = Index::clear;
  std::uint32_t level = 0;      // how often its postings were merged, at most
  Document first = 1;           // the first document that it may hold
  std::uint32_t documents = 0;  // the number of documents from the first to the last

  friend bool operator==(const IndexRun&, const IndexRun&) = default;
};

struct IndexPage {
  std::string key, body;
};

// The implementation reads and writes in the transaction that the caller has begun. For one thread
// at a time. No method interprets keys or bodies; keys are compared byte by byte.
class IndexPages {
 public:
  virtual ~IndexPages() = default;

  // The runs of an index, ordered by first document, then by level, the highest first.
  [[nodiscard]] virtual Result<std::vector<IndexRun>> runs(Index index) = 0;
  // Adds a run without pages and returns its number, which no other run has. `run.number` is
  // ignored.
  [[nodiscard]] virtual Result<std::int64_t> add_run(const IndexRun& run) = 0;
  // Removes a run and its pages.
  [[nodiscard]] virtual Status remove_run(std::int64_t run) = 0;

  // The key is new in this run and kind.
  [[nodiscard]] virtual Status put_page(std::int64_t run, PageKind kind, std::string_view key,
                                        std::string_view body) = 0;
  // Removes the pages whose keys are below.
  [[nodiscard]] virtual Status drop_pages(std::int64_t run, PageKind kind,
                                          std::string_view below) = 0;

  // Visits pages of terms of all runs of an index, in the order of runs(), then of keys. Of each
  // run: from the last page whose key is not above `from`, to the last whose key is below `to`. A
  // failure of `visit` is passed on; `visit` does not use the pages itself.
  using VisitPage = std::function<Status(const IndexRun&, std::string_view key, std::string_view)>;
  [[nodiscard]] virtual Status each_page(Index index, std::string_view from, std::string_view to,
                                         const VisitPage& visit) = 0;
  // At most `most` pages of one run in order, beginning with the last whose key is not above
  // `from`, or with the first page if there is none.
  [[nodiscard]] virtual Result<std::vector<IndexPage>> read_pages(std::int64_t run, PageKind kind,
                                                                  std::string_view from,
                                                                  std::size_t most) = 0;
};

}  // namespace weft::store::sql
