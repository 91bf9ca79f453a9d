// A conversation that is recorded block by block while it happens, as an anthropic-transcript that
// is being written.
//
//   LiveTranscript live("my-session", model);
//   live.emit({{"type", "text"}, {"text", "why?"}}, Role::human, now, sink);
//
// It emits what the file with these blocks would: blocks of one role in a row are one section of
// it. The one difference: a section of a file is known as a whole before it is emitted, so there
// a result comes before a person's words that stand ahead of it, and a program's blocks ahead of
// a person's words are in their turn.
#pragma once

#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/formats/adapters/anthropic_transcript/turns.hpp"

namespace weft::formats {

class LiveTranscript {
 public:
  // `model` is that of blocks without one.
  LiveTranscript(const std::string& session_id, std::optional<std::string> model);

  // The heading of its conversation.
  static transcript::Heading heading(const std::string& session_id);

  // Emits the next block. Without a role, a result continues the running section, and other
  // blocks are the assistant's. `now` becomes the start_timestamp of a block without times. A block
  // of an unknown type is kept as it is. invalid_input, and nothing is emitted, for a picture or a
  // file without a role, and for an object without a type or a member that its type requires.
  [[nodiscard]] Status emit(const json::object& block, std::optional<transcript::Role> role,
                            Millis now, transcript::Sink& sink);

  // Between any two blocks, as readers are saved and restored. The state is small.
  void archive(StateArchive& a) { builder_.archive(a); }

 private:
  anthropic::TranscriptTurns builder_;
};

}  // namespace weft::formats
