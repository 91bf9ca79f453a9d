#include "weft/ingest/run/source_ingest.hpp"

namespace weft::ingest {

std::unique_ptr<SourceReader> open_reader(RunContext& run, const formats::Adapter& adapter,
                                          const formats::SourceInfo& info, std::string_view head) {
  auto reader =
      std::make_unique<SourceReader>(adapter, info, head, run.identities, run.queue.known_web());
  if (!run.options.selection.subagents) reader->leave_out_subagents();
  return reader;
}

// Archived bytes count for less: they are small once they are compressed. In the middle of a long
// record they are all there is, and the record needs the memory.
std::size_t SourceIngest::pending_bytes() const {
  const std::size_t woven = reader_->weaver().pending_bytes();
  return woven == 0 ? progress_.unarchived.size() : woven + progress_.unarchived.size() / 4;
}

void SourceIngest::commit_if_full(const SetPosition& set_position) {
  progress_.keeps_nothing = progress_.keeps_nothing || reader_->weaver().saw_forgotten();
  if (!run_.queue.is_filled_by(pending_bytes())) return;
  move_into_job(set_position, SourceEnd::no);
  run_.queue.send_if_full();
}

void SourceIngest::finish(const SetPosition& set_position) {
  const std::uint64_t bytes = progress_.source.archived + progress_.unarchived.size();
  using enum SourceReader::KeepState;
  reader_->end(bytes > progress_.stateless_bytes ? yes : no);
  weave::Weaver& weaver = reader_->weaver();
  progress_.keeps_nothing = progress_.keeps_nothing || weaver.saw_forgotten();
  move_into_job(set_position, SourceEnd::yes);
  run_.report.add_conversations(progress_.conversations);
  run_.report.add(weaver.take_report(), shown_);
  if (weaver.saw_forgotten()) run_.report.skip(shown_, 0, std::string(kForgotten));
  run_.queue.send_if_full();
}

void SourceIngest::move_into_job(const SetPosition& set_position, SourceEnd end) {
  weave::Weaver& weaver = reader_->weaver();
  const std::size_t bytes = pending_bytes();
  Result<std::vector<weave::CommitUnit>> woven = weaver.take(run_.options.clock());
  if (!woven) return run_.queue.fail(std::move(woven).error());
  const UnitRange units = run_.queue.add_units(*std::move(woven), bytes, progress_.file);
  if (end == SourceEnd::yes) {
    for (const Cid& cid : weaver.conversations()) progress_.conversations.push_back(cid);
  } else if (set_position) {
    // A source that is never read to its end, too, names the conversations that its archive holds.
    progress_.conversations = weaver.conversations();
  }
  if (!set_position) return;
  progress_.source.archived += progress_.unarchived.size();
  set_position(progress_.source, end);
  add_update(run_, progress_, reader_->state(), end, units);
}

}  // namespace weft::ingest
