#include "weft/store/postgres/index_checks.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/search/score.hpp"
#include "weft/search/stop_words.hpp"
#include "weft/search/terms.hpp"
#include "weft/store/inverted/run_reader.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sql/index_tables.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kPages = "index_pages";
constexpr std::string_view kRuns = "index_runs";

// Terms that no text has, and that do not count towards its length (index_terms.hpp).
bool is_counted_term(std::string_view term, Index index) {
  if (index != Index::clear) return !term.starts_with("key=") && !term.starts_with("closed=");
  return !term.starts_with("tool=") && !search::is_stop_word(term);
}

// The terms of each document in an index, by its number.
class TermCounts {
 public:
  explicit TermCounts(std::size_t documents) : counts_(documents + 1) {}

  // False for a document that there is not.
  bool add(const Posting& posting) {
    if (posting.document >= counts_.size()) return false;
    std::uint32_t& count = counts_[posting.document];
    count = std::min(count + std::min(posting.times, kMost), kMost);
    return true;
  }
  // The tool of a sealed call is a term like any other, and does not count.
  bool fits(Document document, std::uint32_t length, Index index) const {
    const std::uint32_t count = counts_[document];
    const std::uint32_t spare = index == Index::clear ? 0 : 1;
    return length <= count && count <= length + spare;
  }

 private:
  static constexpr std::uint32_t kMost = search::kMaxLength;  // as lengths have it
  std::vector<std::uint32_t> counts_;
};

Status count_terms(IndexPages& pages, Index index, TermCounts& counts, FindingList& out) {
  WEFT_TRY_VALUE(const auto runs, pages.runs(index));
  for (const IndexRun& run : runs) {
    const auto read = [&]() -> Status {
      RunReader reader(
          pages, run,
          has_positions(index) ? RunReader::Positions::read : RunReader::Positions::skipped);
      while (true) {
        WEFT_TRY_VALUE(const bool has_term, reader.next_term());
        if (!has_term) return {};
        const bool is_counted = is_counted_term(reader.term(), index);
        while (true) {
          WEFT_TRY_VALUE(const bool has_posting, reader.next_posting());
          if (!has_posting) break;
          if (is_counted && !counts.add(reader.posting())) {
            return fail(ErrorCode::corrupt, "a run has a document that the store has not");
          }
        }
      }
    };
    Status done = read();
    if (!done && done.error().code != ErrorCode::corrupt) return done;
    if (!done) out.add(kPages, done.error().message, {}, kReindex);
  }
  return {};
}

Status compare(DocumentTable& documents, Index index, const TermCounts& counts, std::size_t all,
               FindingList& out) {
  Document number = 0;
  const auto visit = [&](std::string_view packed) -> Status {
    const Result<std::vector<DocumentRow>> rows = unpack_documents(packed);
    if (!rows) return {};  // said by check_documents()
    for (const DocumentRow& row : *rows) {
      if (++number > all) return {};
      if (counts.fits(number, row.lengths[static_cast<std::size_t>(index)], index)) continue;
      out.add(kPages, "a thought has more or fewer words in the index than it should",
              row.thought == 0 ? std::nullopt : std::optional(row.thought), kReindex);
    }
    return {};
  };
  return documents.each_document_page(0, visit);
}

// Pages that belong to no run are never read.
Status check_stray_pages(Derivation& from, FindingList& out) {
  Rows rows = from.database.query(
      "SELECT count(*) FROM (SELECT DISTINCT run FROM index_pages) AS of_pages "
      "WHERE run NOT IN (SELECT run FROM index_runs)");
  const bool has_stray = rows.next() && rows.integer(0) > 0;
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  if (has_stray) out.add(kRuns, "pages of the index are of no run", {}, kReindex);
  return {};
}

}  // namespace

Status check_index_pages(Derivation& from, FindingList& out) {
  DocumentTable documents(from.database);
  const Result<IndexState> state = documents.index_state();
  if (!state) return {};  // said by check_documents()
  const auto all = static_cast<std::size_t>(state->documents);
  WEFT_TRY(check_stray_pages(from, out));
  IndexTables pages(from.database);
  for (const Index index : kIndexes) {
    TermCounts counts(all);
    const bool was_whole = out.empty();
    WEFT_TRY(count_terms(pages, index, counts, out));
    // Damage that was named already need not be named once more for each document.
    if (was_whole && !out.empty()) continue;
    WEFT_TRY(compare(documents, index, counts, all, out));
  }
  return {};
}

}  // namespace weft::store::sql
