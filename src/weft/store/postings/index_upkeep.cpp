// InvertedIndex: new runs, merging, forgetting.
#include <algorithm>
#include <optional>

#include "weft/base/try.hpp"
#include "weft/store/postings/inverted_index.hpp"
#include "weft/store/postings/term_merge.hpp"

namespace weft::store::sql {
namespace {

using State = IndexRun::State;

// Runs up to this size have level 0; each further level is kRunsOfOneLevel times as large.
constexpr std::uint64_t kSmallRunBytes = 1 << 16;
constexpr std::size_t kPagesDropped = 1'000;

std::uint32_t level_of(std::uint64_t bytes) {
  std::uint32_t level = 0;
  for (; bytes > kSmallRunBytes; bytes /= InvertedIndex::kRunsOfOneLevel) ++level;
  return level;
}

bool is_inside(const IndexRun& run, const IndexRun& outer) {
  return run.first >= outer.first && run.first - outer.first < outer.documents;
}

// Whether any of `documents` is in the run's range.
bool reaches(const IndexRun& run, std::span<const Document> documents) {
  const auto found = std::ranges::lower_bound(documents, run.first);
  return found != documents.end() && *found - run.first < run.documents;
}

std::vector<IndexRun> live(const std::vector<IndexRun>& runs) {
  std::vector<IndexRun> out;
  std::ranges::copy_if(runs, std::back_inserter(out),
                       [](const IndexRun& run) { return run.state == State::live; });
  return out;
}

// The live runs that are due to become one: from the newest back, all up to a level of which there
// are enough. Runs behind a merge under way wait for it. Empty if none are due.
std::vector<IndexRun> due(const std::vector<IndexRun>& runs) {
  const auto barrier =
      std::ranges::find(runs.rbegin(), runs.rend(), State::building, &IndexRun::state);
  const std::vector<IndexRun> all = live(runs);
  std::uint32_t level = 0;
  std::size_t of_level = 0;
  for (std::size_t i = all.size(); i-- > 0;) {
    const IndexRun& run = all[i];
    if (barrier != runs.rend() && run.first < barrier->first + barrier->documents) break;
    if (run.level > level) {
      level = run.level;
      of_level = 0;
    }
    of_level += run.level == level ? 1 : 0;
    const bool is_last_of_level = i == 0 || all[i - 1].level > level;
    if (of_level >= InvertedIndex::kRunsOfOneLevel && is_last_of_level) {
      return {all.begin() + static_cast<std::ptrdiff_t>(i), all.end()};
    }
  }
  return {};
}

// The run that these are merged into.
IndexRun merged_run(const std::vector<IndexRun>& runs) {
  const Document last = runs.back().first + (runs.back().documents - 1);
  return {.index = runs.front().index,
          .level = 1 + std::ranges::max(runs, {}, &IndexRun::level).level,
          .first = runs.front().first,
          .documents = last - runs.front().first + 1};
}

}  // namespace

Result<std::uint64_t> InvertedIndex::add(RunBuilder& builder) {
  if (builder.empty()) return 0;
  IndexRun run = builder.run();
  WEFT_TRY_VALUE(run.number, pages_.add_run(run));
  RunWriter writer(pages_, run);
  WEFT_TRY(builder.write(writer));
  WEFT_TRY(publish(run, level_of(writer.written())));
  return writer.written();
}

Status InvertedIndex::publish(IndexRun run, std::uint32_t level) {
  run.state = State::live;
  run.level = level;
  return pages_.update_run(run);
}

Result<bool> InvertedIndex::merge(std::uint64_t bytes) {
  for (std::uint64_t done = 0; true;) {
    WEFT_TRY_VALUE(auto runs, pages_.runs(index_));
    const IndexRun* building = nullptr;
    const IndexRun* gone = nullptr;
    for (const IndexRun& run : runs) {
      if (run.state == State::gone) gone = &run;
      // The smallest first, so that small runs do not pile up behind a large merge.
      if (run.state != State::building) continue;
      if (building == nullptr || run.level < building->level) building = &run;
    }
    const std::vector<IndexRun> next = due(runs);
    if (building == nullptr && gone == nullptr && next.empty()) return false;
    if (done >= bytes) return true;
    if (!next.empty()) {
      WEFT_TRY(pages_.add_run(merged_run(next)));
    } else if (building != nullptr) {
      WEFT_TRY_VALUE(auto written, continue_merge(*building, runs, bytes - done));
      done += written;
    } else {
      const auto most = static_cast<std::size_t>((bytes - done) / kIndexPageBytes + 1);
      WEFT_TRY_VALUE(auto removed, pages_.drop_pages(gone->number, most));
      if (removed == 0) WEFT_TRY(pages_.remove_run(gone->number));
      done += removed * kIndexPageBytes;
    }
  }
}

Result<std::uint64_t> InvertedIndex::continue_merge(const IndexRun& into,
                                                    const std::vector<IndexRun>& runs,
                                                    std::uint64_t bytes) {
  std::vector<IndexRun> parts = live(runs);
  std::erase_if(parts, [&into](const IndexRun& run) { return !is_inside(run, into); });
  TermMerge merge(pages_, parts, RunReader::Positions::read);
  RunWriter writer(pages_, into);
  WEFT_TRY_VALUE(auto place, writer.resume());
  if (place) merge.start_behind(*place);
  while (true) {
    WEFT_TRY_VALUE(auto has_term, merge.next_term());
    if (!has_term) break;
    while (true) {
      WEFT_TRY_VALUE(auto has_more, merge.next_posting());
      if (!has_more) break;
      WEFT_TRY(writer.add(merge.term(), merge.posting(), merge.positions()));
      if (writer.written() < bytes) continue;
      WEFT_TRY(writer.flush());
      return writer.written();
    }
  }
  WEFT_TRY(writer.flush());
  for (IndexRun& part : parts) {
    part.state = State::gone;
    WEFT_TRY(pages_.update_run(part));
  }
  WEFT_TRY(publish(into, into.level));
  return writer.written();
}

Status InvertedIndex::forget(std::span<const Document> documents) {
  WEFT_TRY_VALUE(auto runs, pages_.runs(index_));
  for (const IndexRun& run : runs) {
    const bool is_touched = reaches(run, documents);
    if (run.state == State::gone || (run.state == State::building && is_touched)) {
      WEFT_TRY(drop(run.number));
    } else if (is_touched) {
      WEFT_TRY_VALUE(auto has_any, has_any_of(run, documents));
      if (has_any) WEFT_TRY(rewrite(run, documents));
    }
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
  rewritten.state = State::building;
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
  WEFT_TRY(drop(run.number));
  return publish(rewritten, rewritten.level);
}

Status InvertedIndex::drop(std::int64_t run) {
  while (true) {
    WEFT_TRY_VALUE(auto removed, pages_.drop_pages(run, kPagesDropped));
    if (removed == 0) return pages_.remove_run(run);
  }
}

}  // namespace weft::store::sql
