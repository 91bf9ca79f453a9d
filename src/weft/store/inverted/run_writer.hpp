// RunWriter: writes the pages of one run, posting by posting.
//
//   RunWriter writer(pages, run);
//   WEFT_TRY(writer.add("apple", {.document = 7, .times = 2}, positions));
//   WEFT_TRY(writer.add("apple", {.document = 9, .times = 1}, more));
//   WEFT_TRY(writer.flush());
#pragma once

#include <string>

#include "weft/store/inverted/index_pages.hpp"
#include "weft/store/inverted/term_page.hpp"

namespace weft::store::sql {

class RunWriter {
 public:
  // `pages` outlive it and have the run.
  RunWriter(IndexPages& pages, const IndexRun& run);

  // Continues a run that may have pages already, after their last posting. Call it before add().
  // corrupt
  Status resume();
  // Terms come in order; the documents of a term in order, each in the run. `positions` are those
  // of the posting as pages have them (term_page.hpp); empty if the index has none.
  Status add(std::string_view term, const Posting& posting, std::string_view positions);
  // Writes what is still in memory. What is added later starts on new pages.
  Status flush();

  // The bytes of all pages it wrote.
  std::uint64_t written() const { return written_; }

 private:
  Status begin_term(std::string_view term);
  void close_entry();
  bool is_full(std::size_t more) const;
  Status write_terms();
  Status write_positions(std::size_t bytes);
  Status put(PageKind kind, const std::string& key, std::string_view body);

  IndexPages& pages_;
  const IndexRun run_;
  std::uint64_t written_ = 0;
  TermPageWriter page_;
  std::string page_key_;  // empty while the page has no entry
  // The entry under way; its documents are counted from the first of the run.
  std::string term_, postings_;
  std::uint32_t last_ = 0, entry_first_ = 0;
  std::uint64_t entry_positions_ = 0;
  // The positions that are not written yet, and where they begin in the stream.
  std::string stream_;
  std::uint64_t stream_at_ = 0;
};

}  // namespace weft::store::sql
