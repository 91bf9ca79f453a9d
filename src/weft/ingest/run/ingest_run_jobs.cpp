// From what is woven to commits, and back to the report.
#include <algorithm>

#include "weft/ingest/run/ingest_run.hpp"

namespace weft::ingest {
namespace {

// Of the skipped: beyond this many in all, one stands for the others of its file and reason.
constexpr std::size_t kListedSkips = 20'000;

}  // namespace

void IngestRun::archive(SourceProgress& taking, std::string_view bytes) const {
  const std::size_t known = std::min<std::size_t>(taking.already, bytes.size());
  taking.already -= known;
  taking.unarchived += bytes.substr(known);
}

void IngestRun::send_on(SourceReader& source_reader, SourceProgress& taking,
                        const std::function<void(SourceProgress&)>& set_read) {
  taking.keeps_nothing = taking.keeps_nothing || source_reader.weaver().met_forgotten();
  // What is only archived is small once it is compressed.
  const std::size_t bytes = source_reader.weaver().pending_bytes() + taking.unarchived.size() / 4;
  if (job_bytes_ + bytes < options_.commit_bytes) return;
  // Taken before what follows, for a part of a zip has no update of its own.
  const UnitRange unit = take_units(source_reader, taking);
  job_bytes_ += bytes;
  if (set_read) {
    // Also of a file that is never read to its end it is known whose words are archived.
    taking.conversations = source_reader.weaver().conversations();
    taking.source.archived += taking.unarchived.size();
    set_read(taking);
    put_update(taking, source_reader.state(), false, unit);
  }
  if (job_bytes_ >= options_.commit_bytes) send();
}

void IngestRun::finish(SourceReader& source_reader, SourceProgress& taking,
                       const std::function<void(SourceProgress&)>& set_read,
                       const std::string& shown) {
  taking.keeps_nothing = taking.keeps_nothing || source_reader.weaver().met_forgotten();
  const std::size_t bytes = source_reader.weaver().pending_bytes() + taking.unarchived.size() / 4;
  const UnitRange unit = take_units(source_reader, taking);
  job_bytes_ += bytes;
  for (const Cid& cid : source_reader.weaver().conversations()) taking.conversations.push_back(cid);
  note_conversations(taking.conversations);
  if (set_read) {
    taking.source.archived += taking.unarchived.size();
    set_read(taking);
    put_update(taking, source_reader.state(), true, unit);
  }
  report_on(source_reader, shown);
  if (source_reader.weaver().met_forgotten()) skip(shown, 0, std::string(kForgotten));
  if (job_bytes_ >= options_.commit_bytes) send();
}

UnitRange IngestRun::take_units(SourceReader& source_reader, const SourceProgress& taking) {
  const std::size_t first = job_.batch.units.size();
  for (weave::CommitUnit& unit : source_reader.weaver().take(options_.clock())) {
    known_web_.set_out(job_.number, unit);  // known to whatever is woven from now on
    job_.batch.units.push_back(std::move(unit));
  }
  if (job_.files.empty() || job_.files.back() != taking.file) job_.files.push_back(taking.file);
  return {first, job_.batch.units.size()};
}

void IngestRun::put_update(SourceProgress& taking, const std::string& state, bool is_whole,
                           UnitRange unit) {
  store::Source& source = taking.source;
  source.ingested_at = options_.clock();
  source.state = state.empty() ? std::string() : seal_.seal_state(source.key, state);
  const std::size_t place = job_.batch.sources.size();
  job_.batch.sources.push_back({.source = source,
                                .is_whole = is_whole,
                                .keeps_nothing = taking.keeps_nothing,
                                .conversations = taking.conversations});
  if (taking.keeps_nothing) {
    store::Source& kept = job_.batch.sources.back().source;
    kept.offset = kept.lines = kept.archived = 0;
    kept.state.clear();
    taking.unarchived.clear();
  }
  const std::string_view bytes = taking.unarchived;
  const std::size_t parts = (bytes.size() + kSegmentBytes - 1) / kSegmentBytes;
  for (std::size_t part = 0; part < parts; ++part) {
    job_.raw.push_back({.source = place,
                        .seq = taking.next_seq++,
                        .bytes = std::string(bytes.substr(part * kSegmentBytes, kSegmentBytes)),
                        .units = unit,
                        .part = part,
                        .parts = parts});
  }
  taking.unarchived.clear();
  ++source.revision;  // as the commit will leave it
}

void IngestRun::send() {
  if (job_.batch.units.empty() && job_.batch.sources.empty()) return;
  const std::uint64_t next = job_.number + 1;
  pipeline_.push(std::exchange(job_, {}));
  job_.number = next;
  job_bytes_ = 0;
}

// On the committing thread.
void IngestRun::arrived(const CommitJob& job, const Result<store::Committed>& committed) {
  const std::lock_guard lock(mutex_);
  if (committed) {
    for (std::size_t i = 0; i < job.batch.units.size(); ++i) {
      new_thoughts_[job.batch.units[i].conversation] += committed->new_by_unit[i];
    }
  } else if (committed.error().code == ErrorCode::conflict) {
    again_.insert(again_.end(), job.files.begin(), job.files.end());
  }
  known_web_.arrive(job.number);
}

void IngestRun::report_on(SourceReader& source_reader, const std::string& path) {
  const weave::Weaver::Report told = source_reader.weaver().take_report();
  if (!first_round_) return;
  std::vector<Skipped> listed;
  for (const auto& [reason, skips] : told.skipped) {
    const bool list_all = report_.skipped.size() < kListedSkips;
    const std::size_t many = list_all ? skips.lines.size() : 1;
    for (std::size_t i = 0; i < many; ++i) listed.push_back({path, skips.lines[i], reason});
    listed.back().count += skips.count - many;
  }
  std::ranges::stable_sort(listed, {}, &Skipped::line);
  std::ranges::move(listed, std::back_inserter(report_.skipped));
  if (told.repairs > 0) {
    report_.warnings.push_back(path + ": " + std::to_string(told.repairs) +
                               " broken characters were replaced by U+FFFD");
  }
}

void IngestRun::note_conversations(const std::vector<Cid>& conversations) {
  for (const Cid& cid : conversations) {
    if (met_.insert(cid).second) report_.conversations.push_back({.cid = cid});
  }
}

void IngestRun::skip(const std::string& path, std::uint64_t line, std::string reason,
                     std::uint64_t count) {
  if (first_round_) report_.skipped.push_back({path, line, std::move(reason), count});
}

void IngestRun::report_progress(std::uint64_t bytes) {
  if (first_round_) progress_.bytes += bytes;
  if (options_.progress) options_.progress(progress_);
}

Report IngestRun::finished_report() {
  for (IngestedConversation& taken : report_.conversations) {
    taken.new_thoughts = new_thoughts_[taken.cid];
    report_.new_thoughts += taken.new_thoughts;
  }
  return std::move(report_);
}

}  // namespace weft::ingest
