// The turns of the branch that a Codex session is on.
//
// Codex's files branch in one way only: a rollback takes the last prompts back, and the next
// turn follows the one before them. The last kMostTurns turns are kept; a rollback that goes
// back farther has no effect on the order of turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "weft/transcript/conversation.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats::codex {

class RollbackBranch {
 public:
  static constexpr std::size_t kMostTurns = 64;

  // A turn began, behind those that were added before.
  void add(const transcript::TurnHead& turn);
  // Takes the last `prompts` human turns back, with the answers to them. Returns the turn that
  // the next one follows, "" for none; empty if there is no prompt to take back. `running` is the
  // source_id of the running turn, which is followed if the branch is not known that far back.
  std::optional<std::string> roll_back(std::int64_t prompts, const std::string& running);

  // The members "branch" and "whole".
  void archive(StateArchive& a);

 private:
  struct Mark {
    std::string turn;
    transcript::Role role = transcript::Role::human;
    friend auto state_row(Mark& mark) { return state_cells(mark.turn, mark.role); }
  };
  std::deque<Mark> marks_;  // the running turn last
  bool is_whole_ = true;    // no mark was dropped
};

}  // namespace weft::formats::codex
