#include "weft/formats/adapters/codex/rollback.hpp"

#include <algorithm>
#include <utility>

namespace weft::formats::codex {

using transcript::Role;

void RollbackBranch::add(const transcript::TurnHead& turn) {
  marks_.push_back({turn.source_id, turn.role});
  if (marks_.size() <= kMostTurns) return;
  marks_.pop_front();
  is_whole_ = false;
}

std::optional<std::string> RollbackBranch::roll_back(std::int64_t prompts,
                                                     const std::string& running) {
  const auto known = std::ranges::count(marks_, Role::human, &Mark::role);
  if (prompts <= 0 || known == 0) return std::nullopt;
  if (prompts > known && !is_whole_) {
    marks_.clear();
    return running;
  }
  for (std::int64_t left = std::min<std::int64_t>(prompts, known); left > 0;) {
    if (marks_.back().role == Role::human) --left;
    marks_.pop_back();
  }
  return marks_.empty() ? "" : marks_.back().turn;
}

void RollbackBranch::archive(StateArchive& a) {
  a.field("branch", marks_);
  a.field("whole", is_whole_);
}

}  // namespace weft::formats::codex
