// From what records say to the turns of a conversation. Codex's files have no branches but
// one kind: a rollback takes the last prompts back, and what comes next follows what stood
// before them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "weft/formats/adapters/codex/utterance.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::codex {

struct RecordContent {
  std::vector<AuthoredBlock> blocks;
  std::string place;  // "#7" where the record has no id
  bool is_prompt = false;
  std::optional<Millis> time{};
  std::optional<std::string> model{};
};

class SessionTurns {
 public:
  // Turns that a rollback can go back over. After one that goes back farther the next turn
  // follows the one before it in the file.
  static constexpr std::size_t kMostTurns = 64;

  // Its turn, if that is a new one (or new to the sink), and its blocks.
  void emit(RecordContent content, transcript::Sink& sink);
  // The last `prompts` human turns, with what was answered to them, are followed no more.
  void roll_back(std::int64_t prompts);

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  void open(transcript::Role role, const std::string& place, std::uint32_t index,
            transcript::Sink& sink);

  std::optional<transcript::TurnHead> turn_;
  bool is_turn_emitted_ = false;  // to the sink at hand: not after restore()
  // The branch that goes on: names and roles, the running turn last.
  struct Mark {
    std::string turn;
    transcript::Role role = transcript::Role::human;
  };
  std::deque<Mark> branch_;
  bool is_branch_whole_ = true;         // none was forgotten
  std::optional<std::string> follows_;  // what the next turn follows, after a rollback
};

}  // namespace weft::formats::codex
