// A conversation without branches of its own: emits turns and facts to a sink as they come. Its
// state has a fixed size, however long the conversation is.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "weft/formats/reading/changed_facts.hpp"
#include "weft/formats/reading/turn_emitter.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

class LinearConversation {
 public:
  // In a conversation without people the prompts come from a program.
  enum class People { no, yes };
  LinearConversation(transcript::Heading heading, People people);

  const transcript::Heading& heading() const { return heading_; }
  bool has_people() const { return has_people_; }
  const std::optional<transcript::TurnHead>& turn() const { return turns_.turn(); }

  // Makes this the sink's conversation; the turn is emitted again before the next block.
  void enter(transcript::Sink& sink);

  // Emits `block` in the running turn if that is its author's, else in a new one. `is_persons`:
  // its record has a person's words, so it belongs to that person's turn. `counted`: its record
  // has no name of its own.
  void emit(transcript::Block block, bool is_persons, bool counted, transcript::Sink& sink);
  // The next block begins a turn that follows the turn of that name; "" follows none.
  void branch(std::string turn) { branch_ = std::move(turn); }

  // Emits the facts that have changed.
  void note(const transcript::Facts& facts, transcript::Sink& sink) { facts_.note(facts, sink); }

  // Of the heading, only session, source and provider are saved.
  void archive(StateArchive& a);

 private:
  transcript::Heading heading_;
  bool has_people_ = true;
  TurnEmitter turns_;
  std::optional<std::string> branch_;
  ChangedFacts facts_;
};

}  // namespace weft::formats
