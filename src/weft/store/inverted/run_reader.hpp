// RunReader: reads one run in order: its terms, the postings of each, and their positions. Memory
// is that of a few pages.
//
//   RunReader reader(pages, run, RunReader::Positions::read);
//   while (…reader.next_term()) {
//     while (…reader.next_posting()) use(reader.term(), reader.posting(), reader.positions());
//   }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/store/inverted/index_pages.hpp"
#include "weft/store/inverted/position_reader.hpp"
#include "weft/store/inverted/term_page.hpp"

namespace weft::store::sql {

class RunReader {
 public:
  enum class Positions { read, skipped };
  // `pages` outlive it.
  RunReader(IndexPages& pages, const IndexRun& run, Positions positions);

  // Starts at the first term that is not below. Call it before anything is read.
  void start_at(std::string_view term) { start_ = term; }

  // Moves to the next term; what is left of this one is skipped. False at the end of the run.
  Result<bool> next_term();
  // Moves to the next posting of this term. False at the end of the term.
  Result<bool> next_posting();

  // All until the next call. Documents are those of the store.
  const std::string& term() const { return term_; }
  const Posting& posting() const { return posting_; }
  std::string_view positions() const { return positions_; }

 private:
  // Moves to the next entry; false at the end of the run.
  Result<bool> next_entry();
  Result<bool> next_page();
  Status take_positions();
  std::unexpected<Error> damaged(std::string_view why) const;

  IndexPages* pages_;
  const IndexRun run_;
  const bool with_positions_;
  PositionReader stream_;
  std::string start_;
  // Pages that were read; page_ is of the one before next_page_.
  std::vector<IndexPage> read_;
  std::size_t next_page_ = 0;
  std::optional<TermPageReader> page_;
  PostingCursor cursor_;             // of the entry
  std::string_view positions_left_;  // of the entry
  bool is_waiting_ = false;          // the entry is of the next term
  bool is_at_end_ = false;
  std::string term_;
  Posting posting_{};
  std::string_view positions_;
};

}  // namespace weft::store::sql
