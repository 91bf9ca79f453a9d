// Ingests one source: reads and weaves its bytes, archives them, and hands both to the commit
// queue together with the state to resume from.
//
//   SourceIngest source(run, open_reader(run, adapter, info, head), begin_source(…), shown);
//   while (…) source.push(bytes), source.archive(bytes), source.commit_if_full(set_position);
//   source.finish(set_position);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "weft/ingest/run/source_progress.hpp"
#include "weft/ingest/run/source_reader.hpp"

namespace weft::ingest {

// A reader of a source, without subagents if the selection leaves them out.
std::unique_ptr<SourceReader> open_reader(RunContext& run, const formats::Adapter& adapter,
                                          const formats::SourceInfo& info, std::string_view head);

class SourceIngest {
 public:
  // Writes into the row how far the source was read. `archived` is set already.
  using SetPosition = std::function<void(store::Source& source, SourceEnd end)>;

  // `run` outlives it. Reports call the source `shown`.
  SourceIngest(RunContext& run, std::unique_ptr<SourceReader> reader, SourceProgress progress,
               std::string shown)
      : run_(run),
        reader_(std::move(reader)),
        progress_(std::move(progress)),
        shown_(std::move(shown)) {}

  void push(std::string_view bytes) { reader_->push(bytes); }
  void archive(std::string_view bytes) { progress_.archive(bytes); }

  // Moves what was woven into the job once that fills it, and sends it. `set_position` is null for
  // a source whose row is updated only when it is finished, or with its container.
  void commit_if_full(const SetPosition& set_position);
  // The same at the end of the source, however little there is; and reports on it.
  void finish(const SetPosition& set_position);

  const SourceReader& reader() const { return *reader_; }
  const SourceProgress& progress() const { return progress_; }
  SourceProgress take_progress() { return std::move(progress_); }
  // Whether it has any conversation.
  bool has_conversations() const { return !reader_->weaver().conversations().empty(); }

 private:
  void move_into_job(const SetPosition& set_position, SourceEnd end);
  std::size_t pending_bytes() const;

  RunContext& run_;
  std::unique_ptr<SourceReader> reader_;
  SourceProgress progress_;
  std::string shown_;
};

}  // namespace weft::ingest
