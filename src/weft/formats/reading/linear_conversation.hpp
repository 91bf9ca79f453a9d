// One conversation of a source that goes straight on: its turns and its facts, told to a sink
// as they come. Of fixed size, however long the conversation.
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
  // In a conversation without people nobody is human: who prompts it is a program.
  enum class People { no, yes };
  LinearConversation(transcript::Heading heading, People people)
      : heading_(std::move(heading)), has_people_(people == People::yes) {}

  const transcript::Heading& heading() const { return heading_; }
  bool has_people() const { return has_people_; }
  const std::optional<transcript::TurnHead>& turn() const { return turn_; }

  // The sink is in this conversation now, and knows nothing of its turn.
  void enter(transcript::Sink& sink);

  // The turn of whoever says `block` goes on, or a new one begins with it. `is_persons`: it
  // stands in a record in which a person speaks, and is in that person's turn. `counted`: the
  // block's record has no name of its own.
  void emit(transcript::Block block, bool is_persons, bool counted, transcript::Sink& sink);
  // The next block begins a turn that follows the one of that name; "" follows none.
  void branch(std::string turn) { branch_ = std::move(turn); }

  // Told if it is news.
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
  // Hashes of the facts that were told last; 0 for none.
  std::uint64_t title_ = 0, project_ = 0, cwd_ = 0, account_ = 0, tools_ = 0;
  std::optional<transcript::Usage> usage_;
  std::optional<Millis> updated_at_;
};

}  // namespace weft::formats
