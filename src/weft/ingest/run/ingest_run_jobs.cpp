// From what is woven to commits, and back to the report.
#include <algorithm>

#include "weft/ingest/run/ingest_run.hpp"

namespace weft::ingest {
namespace {

// Of the skipped: beyond this many in all, one stands for the others of its file and reason.
constexpr std::size_t kListedSkips = 20'000;

}  // namespace

void Run::archive(Taking& taking, std::string_view bytes) const {
  const std::size_t known = std::min<std::size_t>(taking.already, bytes.size());
  taking.already -= known;
  taking.unarchived += bytes.substr(known);
}

void Run::send_on(Intake& intake, Taking& taking, const std::function<void(Taking&)>& set_read) {
  taking.keeps_nothing = taking.keeps_nothing || intake.weaver().met_forgotten();
  // What is only archived is small once it is compressed.
  const std::size_t bytes = intake.weaver().pending_bytes() + taking.unarchived.size() / 4;
  if (load_bytes_ + bytes < options_.commit_bytes) return;
  // Taken before what follows, for a part of a zip has no update of its own.
  const WovenRange woven = take_woven(intake, taking);
  load_bytes_ += bytes;
  if (set_read) {
    // Also of a file that is never read to its end it is known whose words are archived.
    taking.conversations = intake.weaver().conversations();
    taking.source.archived += taking.unarchived.size();
    set_read(taking);
    put_update(taking, intake.state(), false, woven);
  }
  if (load_bytes_ >= options_.commit_bytes) send();
}

void Run::finish(Intake& intake, Taking& taking, const std::function<void(Taking&)>& set_read,
                 const std::string& shown) {
  taking.keeps_nothing = taking.keeps_nothing || intake.weaver().met_forgotten();
  const std::size_t bytes = intake.weaver().pending_bytes() + taking.unarchived.size() / 4;
  const WovenRange woven = take_woven(intake, taking);
  load_bytes_ += bytes;
  for (const Cid& cid : intake.weaver().conversations()) taking.conversations.push_back(cid);
  note_conversations(taking.conversations);
  if (set_read) {
    taking.source.archived += taking.unarchived.size();
    set_read(taking);
    put_update(taking, intake.state(), true, woven);
  }
  report_on(intake, shown);
  if (intake.weaver().met_forgotten()) skip(shown, 0, std::string(kForgotten));
  if (load_bytes_ >= options_.commit_bytes) send();
}

WovenRange Run::take_woven(Intake& intake, const Taking& taking) {
  const std::size_t first = load_.batch.woven.size();
  for (thought::Woven& woven : intake.weaver().take(options_.clock())) {
    memory_.set_out(load_.number, woven);  // known to whatever is woven from now on
    load_.batch.woven.push_back(std::move(woven));
  }
  if (load_.files.empty() || load_.files.back() != taking.file) load_.files.push_back(taking.file);
  return {first, load_.batch.woven.size()};
}

void Run::put_update(Taking& taking, const std::string& state, bool is_whole, WovenRange woven) {
  store::Source& source = taking.source;
  source.ingested_at = options_.clock();
  source.state = state.empty() ? std::string() : seal_.seal_state(source.key, state);
  const std::size_t place = load_.batch.sources.size();
  load_.batch.sources.push_back({.source = source,
                                 .is_whole = is_whole,
                                 .keeps_nothing = taking.keeps_nothing,
                                 .conversations = taking.conversations});
  if (taking.keeps_nothing) {
    store::Source& kept = load_.batch.sources.back().source;
    kept.offset = kept.lines = kept.archived = 0;
    kept.state.clear();
    taking.unarchived.clear();
  }
  const std::string_view bytes = taking.unarchived;
  const std::size_t parts = (bytes.size() + kSegmentBytes - 1) / kSegmentBytes;
  for (std::size_t part = 0; part < parts; ++part) {
    load_.raw.push_back({.source = place,
                         .seq = taking.next_seq++,
                         .bytes = std::string(bytes.substr(part * kSegmentBytes, kSegmentBytes)),
                         .woven = woven,
                         .part = part,
                         .parts = parts});
  }
  taking.unarchived.clear();
  ++source.revision;  // as the commit will leave it
}

void Run::send() {
  if (load_.batch.woven.empty() && load_.batch.sources.empty()) return;
  const std::uint64_t next = load_.number + 1;
  pipeline_.push(std::exchange(load_, {}));
  load_.number = next;
  load_bytes_ = 0;
}

// On the committing thread.
void Run::arrived(const Load& load, const Result<store::Committed>& committed) {
  const std::lock_guard lock(mutex_);
  if (committed) {
    for (std::size_t i = 0; i < load.batch.woven.size(); ++i) {
      new_thoughts_[load.batch.woven[i].conversation] += committed->new_by_woven[i];
    }
  } else if (committed.error().code == ErrorCode::conflict) {
    again_.insert(again_.end(), load.files.begin(), load.files.end());
  }
  memory_.arrive(load.number);
}

void Run::report_on(Intake& intake, const std::string& path) {
  const thought::Weaver::Report told = intake.weaver().take_report();
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

void Run::note_conversations(const std::vector<Cid>& conversations) {
  for (const Cid& cid : conversations) {
    if (met_.insert(cid).second) report_.conversations.push_back({.cid = cid});
  }
}

void Run::skip(const std::string& path, std::uint64_t line, std::string reason,
               std::uint64_t count) {
  if (first_round_) report_.skipped.push_back({path, line, std::move(reason), count});
}

void Run::tell_progress(std::uint64_t bytes) {
  if (first_round_) progress_.bytes += bytes;
  if (options_.progress) options_.progress(progress_);
}

Report Run::finished_report() {
  for (TakenConversation& taken : report_.conversations) {
    taken.new_thoughts = new_thoughts_[taken.cid];
    report_.new_thoughts += taken.new_thoughts;
  }
  return std::move(report_);
}

}  // namespace weft::ingest
