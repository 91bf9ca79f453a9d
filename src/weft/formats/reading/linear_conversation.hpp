// A conversation without branches of its own: emits turns and facts to a sink as they come. Its
// state has a fixed size, however long the conversation is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "weft/base/json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

class LinearConversation {
 public:
  LinearConversation() = default;
  // In a conversation without people the prompts come from a program.
  enum class People { no, yes };
  LinearConversation(transcript::Heading heading, People people)
      : heading_(std::move(heading)), has_people_(people == People::yes) {}

  const transcript::Heading& heading() const { return heading_; }
  bool has_people() const { return has_people_; }
  const std::optional<transcript::TurnHead>& turn() const { return turn_; }

  // Makes this the sink's conversation; the turn is emitted again before the next block.
  void enter(transcript::Sink& sink);

  // Emits `block` in the running turn if that is its author's, else in a new one. `is_persons`:
  // its record has a person's words, so it belongs to that person's turn. `counted`: its record
  // has no name of its own.
  void emit(transcript::Block block, bool is_persons, bool counted, transcript::Sink& sink);
  // The next block begins a turn that follows the turn of that name; "" follows none.
  void branch(std::string turn) { branch_ = std::move(turn); }

  // Emits the facts that have changed.
  void note(const transcript::Facts& facts, transcript::Sink& sink);

  json::object save() const;
  // False if `state` is not what save() gave. The heading's names stay those of `like`, but for
  // its provider.
  [[nodiscard]] bool restore(const json::object& state, const transcript::Heading& like);

 private:
  void open(transcript::Role role, const transcript::Block& first, bool counted,
            transcript::Sink& sink);

  transcript::Heading heading_;
  bool has_people_ = true;
  std::optional<transcript::TurnHead> turn_;
  std::optional<std::string> branch_;
  bool is_turn_emitted_ = false;
  // Hashes of the facts that were emitted last; 0 for none.
  std::uint64_t title_ = 0, project_ = 0, cwd_ = 0, account_ = 0, tools_ = 0;
  std::optional<transcript::Usage> usage_;
  std::optional<Millis> updated_at_;
};

}  // namespace weft::formats
