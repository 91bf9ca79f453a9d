// One source on its way into the web: framed, read and woven, piece by piece.
//
//   SourceReader intake(adapter, info, head, cast, memory);
//   while (…) intake.push(bytes), commit(intake.weaver().take(now), intake.state());
//   intake.end();
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::ingest {

class SourceReader {
 public:
  // `head` is how the source begins. All but `info` outlive it.
  SourceReader(const formats::Adapter& adapter, const formats::SourceInfo& info,
               std::string_view head, thought::Identities& identities,
               const weave::KnownWeb& memory);
  ~SourceReader();

  // Only the conversations that no call spawned.
  void leave_out_subagents();

  // Goes on where `state` was taken, behind that many lines. False if that cannot be: then
  // it is as new, and the source is read from its beginning.
  [[nodiscard]] bool resume(std::string_view state, std::uint64_t lines);

  void push(std::string_view bytes);
  // No more for now. A last line without its end is taken if it is whole all the same.
  void end();

  weave::Weaver& weaver() { return *weaver_; }

  // Whether reading can go on where it stops.
  bool goes_on() const { return framer_->is_by_lines() && adapter_.grows; }
  // Of the bytes pushed, those that need not be read again; and the lines that end in them,
  // from the beginning of the source.
  std::uint64_t woven_bytes() const { return woven_; }
  std::uint64_t lines() const { return lines_; }
  // What going on from there takes. It may quote transcript text. Empty if it does not go on.
  std::string state() const;

 private:
  class Filter;
  transcript::Sink& sink();
  void read(const formats::Record& record);

  const formats::Adapter& adapter_;
  thought::Identities& identities_;
  const weave::KnownWeb& known_web_;
  formats::SourceInfo info_;
  std::unique_ptr<weave::Weaver> weaver_;
  std::unique_ptr<Filter> filter_;  // null unless something is left out
  std::unique_ptr<formats::Framer> framer_;
  std::unique_ptr<formats::Reader> reader_;
  std::uint64_t pushed_ = 0, woven_ = 0, lines_ = 0;
  std::uint64_t lines_before_ = 0;  // of which the framer knows nothing
  std::string final_state_;         // taken before what was held back was told
  bool has_ended_ = false;
};

}  // namespace weft::ingest
