#include "weft/store/sql/run_text.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/inverted/run_reader.hpp"

namespace weft::store::sql {
namespace {

// Merging less than this at once would cost more for the pages at the ends of runs than for what it
// moves.
constexpr std::uint64_t kLeastMerge = 64 << 10;

}  // namespace

Result<std::vector<Posting>> RunText::find(Index index, const Sought& sought) {
  return InvertedIndex(pages_, index).find(sought);
}

Status RunText::each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) {
  return InvertedIndex(pages_, Index::clear).each_term(prefix, visit);
}

Result<Document> RunText::check(Index index, std::vector<bool>& having) {
  WEFT_TRY_VALUE(const auto runs, pages_.runs(index));
  for (const IndexRun& run : runs) {
    RunReader reader(pages_, run, RunReader::Positions::read);
    while (true) {
      WEFT_TRY_VALUE(const bool has_term, reader.next_term());
      if (!has_term) break;
      while (true) {
        WEFT_TRY_VALUE(const bool has_more, reader.next_posting());
        if (!has_more) break;
        const Document document = reader.posting().document;
        if (document >= having.size()) {
          return fail(ErrorCode::corrupt, "the search index is damaged: run " +
                                              std::to_string(run.number) +
                                              " has a document that is not there");
        }
        having[document] = true;
      }
    }
  }
  return Document{0};
}

Status RunText::add(Index index, Document document, std::string_view packed) {
  of(index).added.add(document, packed);
  return of(index).added.is_full() ? write(index) : Status();
}

// A commit merges in proportion to what it adds, so that merging keeps up and none takes long.
Status RunText::write(Index index) {
  if (of(index).added.empty()) return {};
  InvertedIndex runs(pages_, index);
  WEFT_TRY_VALUE(const std::uint64_t bytes, runs.add(of(index).added));
  const std::uint64_t share = bytes * InvertedIndex::kMergePerByte;
  WEFT_TRY_VALUE(const bool is_due, runs.merge(merging_ == Merging::in_writes ? share : 0));
  if (is_due) unmerged_ += share;
  return {};
}

Status RunText::flush() {
  for (const Index index : kIndexes) WEFT_TRY(write(index));
  return {};
}

void RunText::discard() {
  for (const Index index : kIndexes) {
    if (!of(index).added.empty()) of(index).added = RunBuilder(index);
    of(index).removed.clear();
  }
}

Status RunText::remove(Index index, Document document) {
  of(index).removed.push_back(document);
  return {};
}

Status RunText::compact() {
  for (const Index index : kIndexes) {
    std::vector<Document> removed = std::exchange(of(index).removed, {});
    if (removed.empty()) continue;
    std::ranges::sort(removed);
    WEFT_TRY(InvertedIndex(pages_, index).forget(removed));
  }
  return {};
}

Status RunText::clear() {
  discard();
  WEFT_TRY(database_.run("DELETE FROM index_pages"));
  return database_.run("DELETE FROM index_runs");
}

std::uint64_t RunText::take_unmerged() {
  const std::uint64_t bytes = std::exchange(unmerged_, 0);
  if (merging_ == Merging::in_writes || bytes == 0) return 0;
  return std::max(bytes, kLeastMerge);
}

Result<bool> RunText::merge(std::uint64_t bytes) {
  bool is_more_due = false;
  for (const Index index : kIndexes) {
    WEFT_TRY_VALUE(const bool is_due, InvertedIndex(pages_, index).merge(bytes));
    is_more_due = is_more_due || is_due;
  }
  return is_more_due;
}

}  // namespace weft::store::sql
