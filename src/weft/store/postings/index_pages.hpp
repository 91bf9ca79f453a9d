// IndexPages: where an inverted index (inverted_index.hpp) keeps its bytes: runs, and the pages of
// each run by key. A database implements it (sql/index_tables.hpp), and a map in memory for tests.
//
// A *run* is a part of one index: the postings of some consecutive documents. The live runs of an
// index have no document in common, and a page of a live run never changes. So a reader needs no
// lock, only one state of the database for each question.
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

struct IndexRun {
  // On disk. Readers see live runs alone. A run is `building` while others are merged into it, and
  // `gone` once it was merged, until all its pages are removed.
  enum class State : std::uint8_t { live = 0, building = 1, gone = 2 };

  std::int64_t number = 0;
  Index index = Index::clear;
  State state = State::building;
  std::uint32_t level = 0;      // counts the merges that made it
  Document first = 1;           // the first document
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

  // The runs of an index in all states, ordered by first document, then by number.
  [[nodiscard]] virtual Result<std::vector<IndexRun>> runs(Index index) = 0;
  // Adds a run without pages and returns its number, which no other run has. `run.number` is
  // ignored.
  [[nodiscard]] virtual Result<std::int64_t> add_run(const IndexRun& run) = 0;
  // Changes the state and the level of the run with this number.
  [[nodiscard]] virtual Status update_run(const IndexRun& run) = 0;
  // Removes the run, whose pages are removed already.
  [[nodiscard]] virtual Status remove_run(std::int64_t run) = 0;

  // The key is new in this run and kind.
  [[nodiscard]] virtual Status put_page(std::int64_t run, PageKind kind, std::string_view key,
                                        std::string_view body) = 0;
  // Removes at most `most` pages of a run, and returns how many: 0 if none are left.
  [[nodiscard]] virtual Result<std::size_t> drop_pages(std::int64_t run, std::size_t most) = 0;

  // Visits pages of terms of all live runs, ordered by run as runs() has them, then by key. Of each
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
