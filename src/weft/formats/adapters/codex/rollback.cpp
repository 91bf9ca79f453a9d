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

void RollbackBranch::save_to(json::object& state) const {
  json::array branch;
  for (const Mark& mark : marks_) branch.push_back(json::array{mark.turn, to_string(mark.role)});
  state["branch"] = std::move(branch);
  state["whole"] = is_whole_;
}

bool RollbackBranch::restore_from(const json::object& state) {
  RollbackBranch restored;
  const json::array* branch = find_array(state, "branch");
  const auto whole = find_bool(state, "whole");
  if (branch == nullptr || !whole) return false;
  restored.is_whole_ = *whole;
  for (const json::value& value : *branch) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 2 || !(*row)[0].is_string() || !(*row)[1].is_string()) {
      return false;
    }
    const auto role = transcript::parse_role(view((*row)[1].get_string()));
    if (!role) return false;
    restored.marks_.push_back({std::string(view((*row)[0].get_string())), *role});
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::codex
