// InvertedIndex: new runs, merging, forgetting.
#include <algorithm>
#include <optional>

#include "weft/base/try.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/inverted/run_trim.hpp"
#include "weft/store/inverted/term_merge.hpp"

namespace weft::store::sql {
namespace {

// Runs with as many tokens have level 0; each further level is kRunsOfOneLevel times as large.
constexpr std::uint64_t kSmallRunTokens = 1 << 15;

// Whether a run is merged into another.
bool is_part(const IndexRun& run, const IndexRun& into) {
  return run.level < into.level && run.first >= into.first &&
         run.first - into.first < into.documents;
}

std::vector<IndexRun> parts_of(const IndexRun& into, const std::vector<IndexRun>& runs) {
  std::vector<IndexRun> parts;
  std::ranges::copy_if(runs, std::back_inserter(parts),
                       [&into](const IndexRun& run) { return is_part(run, into); });
  return parts;
}

// The run of the lowest level that others are merged into, so that small runs do not pile up behind
// a large merge.
std::optional<IndexRun> under_way(const std::vector<IndexRun>& runs) {
  std::optional<IndexRun> lowest;
  for (const IndexRun& run : runs) {
    if (lowest && lowest->level <= run.level) continue;
    if (!parts_of(run, runs).empty()) lowest = run;
  }
  return lowest;
}

// Whether any of `documents` is in the run's range.
bool reaches(const IndexRun& run, std::span<const Document> documents) {
  const auto found = std::ranges::lower_bound(documents, run.first);
  return found != documents.end() && *found - run.first < run.documents;
}

// The run that others are due to be merged into, by their levels: from the newest back, all up to a
// level of which there are enough. Those before a merge under way wait for it.
std::optional<IndexRun> due(const std::vector<IndexRun>& runs) {
  std::uint32_t level = 0;
  std::size_t of_level = 0;
  for (std::size_t i = runs.size(); i-- > 0;) {
    const IndexRun& run = runs[i];
    const bool is_merged = std::ranges::any_of(
        runs, [&run](const IndexRun& other) { return is_part(run, other) || is_part(other, run); });
    if (is_merged) break;
    if (run.level > level) {
      level = run.level;
      of_level = 0;
    }
    of_level += run.level == level ? 1 : 0;
    const bool is_last_of_level = i == 0 || runs[i - 1].level > level;
    if (of_level < InvertedIndex::kRunsOfOneLevel || !is_last_of_level) continue;
    const Document last = runs.back().first + (runs.back().documents - 1);
    return IndexRun{.index = run.index,
                    .level = level + 1,
                    .first = run.first,
                    .documents = last - run.first + 1};
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t InvertedIndex::level_of(std::uint64_t tokens) {
  std::uint32_t level = 0;
  for (; tokens > kSmallRunTokens; tokens /= kRunsOfOneLevel) ++level;
  return level;
}

Result<std::uint64_t> InvertedIndex::add(RunBuilder& builder) {
  if (builder.empty()) return 0;
  IndexRun run = builder.run();
  run.level = level_of(builder.tokens());
  WEFT_TRY_VALUE(run.number, pages_.add_run(run));
  RunWriter writer(pages_, run);
  WEFT_TRY(builder.write(writer));
  return writer.written();
}

Result<bool> InvertedIndex::merge(std::uint64_t bytes) {
  for (std::uint64_t done = 0; true;) {
    WEFT_TRY_VALUE(auto runs, pages_.runs(index_));
    const std::optional<IndexRun> next = due(runs), into = under_way(runs);
    if (!next && !into) return false;
    if (done >= bytes) return true;
    if (next) {
      WEFT_TRY(pages_.add_run(*next));
    } else {
      WEFT_TRY_VALUE(auto written, continue_merge(*into, parts_of(*into, runs), bytes - done));
      done += written;
    }
  }
}

Result<std::uint64_t> InvertedIndex::continue_merge(const IndexRun& into,
                                                    const std::vector<IndexRun>& parts,
                                                    std::uint64_t bytes) {
  TermMerge merge(pages_, parts, RunReader::Positions::read);
  RunWriter writer(pages_, into);
  WEFT_TRY(writer.resume());
  while (true) {
    WEFT_TRY_VALUE(auto has_term, merge.next_term());
    if (!has_term) break;
    while (true) {
      WEFT_TRY_VALUE(auto has_more, merge.next_posting());
      if (!has_more) break;
      WEFT_TRY(writer.add(merge.term(), merge.posting(), merge.positions()));
      if (writer.written() < bytes) continue;
      const PostingPlace place{merge.term(), merge.posting().document};
      WEFT_TRY(writer.flush());
      for (const IndexRun& part : parts) WEFT_TRY(trim(pages_, part, place));
      return writer.written();
    }
  }
  WEFT_TRY(writer.flush());
  for (const IndexRun& part : parts) WEFT_TRY(pages_.remove_run(part.number));
  return writer.written();
}

Status InvertedIndex::forget(std::span<const Document> documents) {
  WEFT_TRY_VALUE(auto runs, pages_.runs(index_));
  for (const IndexRun& run : runs) {
    if (!reaches(run, documents)) continue;
    WEFT_TRY_VALUE(auto has_any, has_any_of(run, documents));
    if (has_any) WEFT_TRY(rewrite(run, documents));
  }
  return {};
}

Result<bool> InvertedIndex::has_any_of(const IndexRun& run, std::span<const Document> documents) {
  RunReader reader(pages_, run, RunReader::Positions::skipped);
  while (true) {
    WEFT_TRY_VALUE(auto has_term, reader.next_term());
    if (!has_term) return false;
    while (true) {
      WEFT_TRY_VALUE(auto has_more, reader.next_posting());
      if (!has_more) break;
      if (std::ranges::binary_search(documents, reader.posting().document)) return true;
    }
  }
}

Status InvertedIndex::rewrite(const IndexRun& run, std::span<const Document> without) {
  IndexRun rewritten = run;
  WEFT_TRY_VALUE(rewritten.number, pages_.add_run(rewritten));
  RunReader reader(pages_, run, RunReader::Positions::read);
  RunWriter writer(pages_, rewritten);
  while (true) {
    WEFT_TRY_VALUE(auto has_term, reader.next_term());
    if (!has_term) break;
    while (true) {
      WEFT_TRY_VALUE(auto has_more, reader.next_posting());
      if (!has_more) break;
      if (std::ranges::binary_search(without, reader.posting().document)) continue;
      WEFT_TRY(writer.add(reader.term(), reader.posting(), reader.positions()));
    }
  }
  WEFT_TRY(writer.flush());
  return pages_.remove_run(run.number);
}

}  // namespace weft::store::sql
