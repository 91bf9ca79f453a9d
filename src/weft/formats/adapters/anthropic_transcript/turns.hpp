// Emits the sections of a transcript as the heading, facts and turns of a conversation.
//
// Turns are assigned by author, as weft/formats/reading/turn_emitter.hpp describes, whatever
// sections they are spread over. Results in a Human section belong to the running assistant turn
// and are emitted before the words of that section.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"
#include "weft/formats/reading/turn_emitter.hpp"

namespace weft::formats::anthropic {

class TranscriptTurns {
 public:
  // `model` is that of blocks without one.
  explicit TranscriptTurns(std::optional<std::string> model) : fallback_model_(std::move(model)) {}

  // Sets a fact or a name of the conversation, under a normal_key(). False if the key is unknown.
  bool set(std::string_view key, std::string_view value, std::uint64_t line,
           transcript::Sink& sink);
  // Emits the next section. One without blocks only counts. The hash of `record` names the
  // session where nothing else does.
  void emit(Section section, std::string_view record, transcript::Sink& sink);
  // Names the session, whatever the transcript calls it. Before anything is emitted.
  void name_session(std::string session_id) { heading_.session_id = std::move(session_id); }
  // Emits one block of a transcript that is being written. It continues the last live section if
  // that has the same role, otherwise it begins one. Not mixed with emit().
  void emit_live(transcript::Role role, ParsedBlock block, transcript::Sink& sink);
  // The role of the last live section; empty if there is none.
  std::optional<transcript::Role> live_role() const;
  // Reports a transcript with facts and no turns as skipped.
  void finish(transcript::Sink& sink) const;

  void archive(StateArchive& a);

 private:
  // `has_words`: earlier blocks of the section are words of a person. Returns whether any are now.
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
  transcript::Facts facts_;  // all so far, emitted or waiting for the heading
  bool has_begun_ = false;   // the heading is settled
  TurnEmitter turns_;
  std::uint64_t number_ = 0;  // sections so far
  struct Live {
    transcript::Role role = transcript::Role::human;
    std::uint32_t next_index = 0;
    bool has_words = false;  // of a person
    void archive(StateArchive& a);
  };
  std::optional<Live> live_;         // the last section, where it may continue
  bool is_heading_emitted_ = false;  // to the sink at hand: not after archive() has read it
};

}  // namespace weft::formats::anthropic
