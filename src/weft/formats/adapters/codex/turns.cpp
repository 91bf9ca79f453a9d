#include "weft/formats/adapters/codex/turns.hpp"

#include <algorithm>
#include <utility>

namespace weft::formats::codex {

using transcript::Author;
using transcript::Role;

void SessionTurns::emit(RecordContent content, transcript::Sink& sink) {
  const bool has_words = std::ranges::find(content.blocks, Author::human, &AuthoredBlock::author) !=
                         content.blocks.end();
  std::uint32_t index = 0;
  for (AuthoredBlock& authored : content.blocks) {
    const bool is_with_words = content.is_prompt && has_words && authored.author == Author::program;
    const bool is_before_all = (!turn_ || turn_->role == Role::system) && !follows_;
    Role role = Role::assistant;
    if (authored.author == Author::human || is_with_words) role = Role::human;
    else if (authored.author == Author::program && is_before_all) role = Role::system;
    open(role, content.place, index, sink);
    transcript::Block block{.author = authored.author,
                            .body = std::move(authored.body),
                            .source_id = content.place,
                            .index = index++,
                            .recorded = content.time};
    if (authored.author == Author::model) block.model = content.model;
    sink.block(std::move(block));
  }
}

// The turn goes on, or a new one begins. One record may begin several.
void SessionTurns::open(Role role, const std::string& place, std::uint32_t index,
                        transcript::Sink& sink) {
  if (!turn_ || turn_->role != role || follows_) {
    const std::string before = turn_ ? turn_->source_id : "";
    std::string name = place;
    if (before == name || before.starts_with(name + ".")) name += "." + std::to_string(index);
    turn_ = {.role = role, .source_id = std::move(name), .counted = place.starts_with('#')};
    if (follows_ && *follows_ != before) turn_->parent = *follows_;
    follows_.reset();
    branch_.push_back({turn_->source_id, role});
    if (branch_.size() > kMostTurns) {
      branch_.pop_front();
      is_branch_whole_ = false;
    }
    is_turn_emitted_ = false;
  }
  if (!is_turn_emitted_) sink.turn(*turn_);
  is_turn_emitted_ = true;
}

void SessionTurns::roll_back(std::int64_t prompts) {
  const auto is_human = [](const Mark& mark) { return mark.role == Role::human; };
  const auto known = std::ranges::count_if(branch_, is_human);
  if (prompts <= 0 || known == 0) return;
  if (prompts > known && !is_branch_whole_) {
    branch_.clear();
    follows_ = turn_->source_id;
    return;
  }
  for (std::int64_t left = std::min<std::int64_t>(prompts, known); left > 0;) {
    if (is_human(branch_.back())) --left;
    branch_.pop_back();
  }
  follows_ = branch_.empty() ? "" : branch_.back().turn;
}

json::object SessionTurns::save() const {
  json::array branch;
  for (const Mark& mark : branch_) {
    branch.push_back(json::array{mark.turn, to_string(mark.role)});
  }
  json::object state{{"branch", std::move(branch)}, {"whole", is_branch_whole_}};
  if (follows_) state["follows"] = *follows_;
  if (turn_) {
    json::object turn{
        {"role", to_string(turn_->role)}, {"id", turn_->source_id}, {"counted", turn_->counted}};
    if (turn_->parent) turn["parent"] = *turn_->parent;
    state["turn"] = std::move(turn);
  }
  return state;
}

bool SessionTurns::restore(const json::object& state) {
  SessionTurns restored;
  const json::array* branch = find_array(state, "branch");
  const auto whole = find_bool(state, "whole");
  if (branch == nullptr || !whole) return false;
  restored.is_branch_whole_ = *whole;
  for (const json::value& value : *branch) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 2 || !(*row)[0].is_string() || !(*row)[1].is_string()) {
      return false;
    }
    const auto role = transcript::parse_role(view((*row)[1].get_string()));
    if (!role) return false;
    restored.branch_.push_back({std::string(view((*row)[0].get_string())), *role});
  }
  if (const auto follows = find_string(state, "follows")) restored.follows_ = std::string(*follows);
  if (const json::object* turn = find_object(state, "turn")) {
    const auto role = transcript::parse_role(find_string(*turn, "role").value_or(""));
    const auto id = find_string(*turn, "id");
    const auto counted = find_bool(*turn, "counted");
    if (!role || !id || !counted) return false;
    restored.turn_ = {.role = *role, .source_id = std::string(*id), .counted = *counted};
    if (const auto parent = find_string(*turn, "parent")) restored.turn_->parent = *parent;
  }
  if (restored.follows_ && !restored.turn_) return false;
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::codex
