// From the sections of a transcript to the turns of a conversation.
//
// Words of a person with nothing between are one turn; all else until the next human
// word is one assistant turn, whatever sections it is spread over; what a program says
// before the first turn is a system turn. So results that stand in a Human section go
// to the assistant turn that is running, before that section's own words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"

namespace weft::formats::anthropic {

class SessionTurns {
 public:
  // `model` speaks where the transcript does not say who does.
  explicit SessionTurns(std::optional<std::string> model) : fallback_model_(std::move(model)) {}

  // Something that the transcript says of itself, under a normal_key(). False if the
  // key means nothing.
  bool set(std::string_view key, std::string_view value, std::uint64_t line,
           transcript::Sink& sink);
  // The next section. One without blocks only counts. `record` names the session
  // where nothing else does.
  void emit(Section section, std::string_view record, transcript::Sink& sink);
  // Before anything is told: how the session is called, whatever it is told as.
  void name_session(std::string session_id) { heading_.session_id = std::move(session_id); }
  // One block of a transcript that is told while it happens: more of the last section where that
  // was told so too and is of the same role, else a section of its own. Not mixed with tell().
  void emit_live(transcript::Role role, ParsedBlock block, transcript::Sink& sink);
  // Of the last section that was told live.
  std::optional<transcript::Role> live_role() const;
  // Says so if there was a title or the like, and nothing else.
  void finish(transcript::Sink& sink) const;

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  // Whether there are words of a person in the section, of which this may be the rest.
  bool emit(Section section, std::string_view record, bool has_words, transcript::Sink& sink);
  void begin(std::string_view record, transcript::Sink& sink);
  void name_session(std::string& name, std::string_view value, std::uint64_t line,
                    transcript::Sink& sink);
  void resume(transcript::Sink& sink);
  void open(transcript::Role role, const transcript::Block& first, transcript::Sink& sink);
  void place(transcript::Block block, transcript::Sink& sink);
  transcript::Block block_of(const Section& section, Section::Item item) const;

  std::optional<std::string> fallback_model_, model_;
  transcript::Heading heading_;
  transcript::Facts facts_;  // told so far, and those that wait for the heading
  bool has_begun_ = false;   // the heading is settled
  std::optional<transcript::TurnHead> turn_;
  std::uint64_t number_ = 0;  // sections so far
  struct Live {
    transcript::Role role;
    std::uint32_t next_index = 0;
    bool has_words = false;  // of a person
  };
  std::optional<Live> live_;  // the last section, where it may go on
  // What the sink at hand knows: nothing of it after restore().
  bool is_heading_emitted_ = false, is_turn_emitted_ = false;
};

}  // namespace weft::formats::anthropic
