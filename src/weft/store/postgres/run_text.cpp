#include "weft/store/postgres/run_text.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {

Result<std::vector<Posting>> RunText::find(Index index, const Sought& sought) {
  return InvertedIndex(pages_, index).find(sought);
}

Status RunText::each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) {
  return InvertedIndex(pages_, Index::clear).each_term(prefix, visit);
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
  WEFT_TRY_VALUE([[maybe_unused]] const bool more,
                 runs.merge(bytes * InvertedIndex::kMergePerByte));
  return {};
}

Status RunText::flush() {
  for (const Index index : kIndexes) WEFT_TRY(write(index));
  return {};
}

void RunText::discard() {
  for (const Index index : kIndexes) of(index) = Changes{RunBuilder(index)};
}

Status RunText::remove(Index index, Document document, std::string_view) {
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

}  // namespace weft::store::sql
