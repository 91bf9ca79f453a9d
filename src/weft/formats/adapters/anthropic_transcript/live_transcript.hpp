// A conversation that is told block by block while it happens, as an anthropic-transcript that
// somebody is writing.
//
//   LiveTranscript live("my-session", model);
//   live.tell({{"type", "text"}, {"text", "why?"}}, Role::human, now, sink);
//
// What it tells is what the file with these blocks tells: blocks of one role that follow each
// other are one section of it. The one difference: a file's section can be looked through before
// it is told. So a result in it comes before a person's words that stand ahead of it, and what a
// program says ahead of a person's words is in their turn.
#pragma once

#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/formats/adapters/anthropic_transcript/turns.hpp"

namespace weft::formats {

class LiveTranscript {
 public:
  // `model` speaks where a block does not say who does.
  LiveTranscript(const std::string& session_id, std::optional<std::string> model);

  // What its conversation is known by.
  static transcript::Heading heading(const std::string& session_id);

  // The next block. Without a role a result goes on with what is being said, pictures and files
  // are invalid_input, and all else is the assistant's. One without times is stamped: `now` is its
  // start_timestamp. invalid_input too for an object without a type, or without what its type must
  // have; a type that is not known is kept as it is. Then nothing was told.
  [[nodiscard]] Status emit(const json::object& block, std::optional<transcript::Role> role,
                            Millis now, transcript::Sink& sink);

  // Between any two blocks, as readers are saved and restored. The state is small.
  json::object save() const { return builder_.save(); }
  [[nodiscard]] bool restore(const json::object& state) { return builder_.restore(state); }

 private:
  anthropic::SessionTurns builder_;
};

}  // namespace weft::formats
