// Reads one source into the web: frames its bytes, parses the records and weaves them, piece by
// piece.
//
//   SourceReader reader(adapter, info, head, identities, known_web);
//   while (…) reader.push(bytes), commit(*reader.weaver().take(now), reader.state());
//   reader.end();
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weft/ingest/run/weave_session.hpp"

namespace weft::ingest {

class SourceReader {
 public:
  // `head` is the beginning of the source. All but `info` and `head` outlive it.
  SourceReader(const formats::Adapter& adapter, const formats::SourceInfo& info,
               std::string_view head, thought::Identities& identities,
               const weave::KnownWeb& known_web);
  ~SourceReader();

  // Ignores conversations that a call spawned.
  void leave_out_subagents();

  // Resumes from what state() returned, after that many lines. False if that fails: the reader is
  // then as new, and the source has to be read from its beginning. Fails if the web cannot be read.
  [[nodiscard]] Result<bool> resume(std::string_view state, std::uint64_t lines);

  void push(std::string_view bytes);
  // The end of the source for now. A last line without its newline is read if it is complete JSON.
  // With KeepState::no, state() is empty from then on, which saves the work of writing it.
  enum class KeepState { no, yes };
  void end(KeepState keep = KeepState::yes);

  weave::Weaver& weaver() { return session_.weaver(); }

  // Whether a later run can resume where this one stops.
  bool is_resumable() const { return framer_->is_by_lines() && session_.adapter().grows; }
  // Of the bytes pushed, those that need not be read again; and the lines that end in them,
  // counted from the beginning of the source.
  std::uint64_t woven_bytes() const { return woven_; }
  std::uint64_t lines() const { return lines_; }
  // The state to resume from there. It may quote transcript text. Empty if not resumable.
  std::string state() const;

 private:
  class Filter;
  transcript::Sink& sink();
  void read(const formats::Record& record);

  WeaveSession session_;
  std::unique_ptr<Filter> filter_;  // null unless subagents are left out
  std::unique_ptr<formats::Framer> framer_;
  std::uint64_t pushed_ = 0, woven_ = 0, lines_ = 0;
  std::uint64_t lines_before_ = 0;  // read by earlier runs; the framer does not count them
  std::string final_state_;         // saved before finish() emitted what was pending
  bool has_ended_ = false;
};

}  // namespace weft::ingest
