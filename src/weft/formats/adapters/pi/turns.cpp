#include "weft/formats/adapters/pi/turns.hpp"

#include <algorithm>
#include <utility>

namespace weft::formats::pi {

using transcript::Author;
using transcript::Role;

Seat SessionTurns::parent_of(const Entry& entry) const {
  if (entry.follows == Entry::Follows::nothing) return {};
  if (entry.follows == Entry::Follows::named) {
    if (const Seat* seat = window_.find(entry.parent)) return *seat;
  }
  // The parent may be the session, or a tool call, or long ago.
  return tip_;
}

void SessionTurns::settle(const Entry& entry, Print print, Seat seat) {
  if (entry.id) window_.add(*entry.id, print, seat);
  tip_ = std::move(seat);
}

void SessionTurns::bridge(const Entry& entry, Print print) {
  settle(entry, print, parent_of(entry));
}

void SessionTurns::emit(RecordContent record_content, transcript::Sink& sink) {
  const Seat parent = parent_of(record_content.entry);
  bool is_branch = last_emitted_ != 0 && parent.content != last_emitted_;
  // An id that stands for another entry already cannot be a place a second time.
  const bool is_named =
      record_content.entry.id && window_.seen(record_content.print) == EntryWindow::Seen::no;
  const std::string name = is_named ? std::string(*record_content.entry.id)
                                    : "#" + std::to_string(record_content.number);
  const bool has_words = std::ranges::find(record_content.blocks, Author::human,
                                           &AuthoredBlock::author) != record_content.blocks.end();
  std::uint32_t index = 0;
  for (AuthoredBlock& authored : record_content.blocks) {
    const bool is_with_words =
        record_content.is_prompt && has_words && authored.author == Author::program;
    const bool is_before_all = !turn_ || turn_->role == Role::system;
    Role role = Role::assistant;
    if (authored.author == Author::human || is_with_words) {
      role = Role::human;
    } else if (authored.author == Author::program && !record_content.is_answer && is_before_all) {
      role = Role::system;
    }
    open(role, is_branch, parent, name, !is_named, index, sink);
    is_branch = false;
    transcript::Block block{.author = authored.author,
                            .body = std::move(authored.body),
                            .source_id = name,
                            .index = index++,
                            .recorded = record_content.recorded};
    if (authored.author == Author::model) {
      block.model = record_content.model;
      block.message_id = record_content.message_id.value_or(name);
    }
    sink.block(std::move(block));
  }
  last_emitted_ = record_content.number;
  settle(record_content.entry, record_content.print, {record_content.number, turn_->source_id});
}

// The turn goes on, or a new one begins. One record may begin several.
void SessionTurns::open(Role role, bool is_branch, const Seat& parent, std::string name,
                        bool is_counted, std::uint32_t index, transcript::Sink& sink) {
  if (!turn_ || turn_->role != role || is_branch) {
    const std::string before = turn_ ? turn_->source_id : "";
    if (before == name || before.starts_with(name + ".")) name += "." + std::to_string(index);
    turn_ = {.role = role, .source_id = std::move(name), .counted = is_counted};
    // A second root follows none: its parent's name is empty.
    if (is_branch && parent.turn != before) turn_->parent = parent.turn;
    is_turn_emitted_ = false;
  }
  if (!is_turn_emitted_) sink.turn(*turn_);
  is_turn_emitted_ = true;
}

json::object SessionTurns::save() const {
  json::object state{{"window", window_.save()},
                     {"tip", json::object{{"told", tip_.content}, {"turn", tip_.turn}}},
                     {"told", last_emitted_}};
  if (turn_) {
    json::object turn{
        {"role", to_string(turn_->role)}, {"id", turn_->source_id}, {"counted", turn_->counted}};
    if (turn_->parent) turn["parent"] = *turn_->parent;
    state["turn"] = std::move(turn);
  }
  return state;
}

bool SessionTurns::restore(const json::object& state) {
  const json::object* window = find_object(state, "window");
  const json::object* tip = find_object(state, "tip");
  const auto content = find_int(state, "told");
  SessionTurns restored;
  if (window == nullptr || tip == nullptr || !restored.window_.restore(*window)) return false;
  const auto tip_emitted = find_int(*tip, "told");
  const auto tip_turn = find_string(*tip, "turn");
  if (!content || *content < 0 || !tip_emitted || *tip_emitted < 0 || !tip_turn) return false;
  restored.last_emitted_ = static_cast<std::uint64_t>(*content);
  restored.tip_ = {static_cast<std::uint64_t>(*tip_emitted), std::string(*tip_turn)};
  if (const json::object* turn = find_object(state, "turn")) {
    const auto role = transcript::parse_role(find_string(*turn, "role").value_or(""));
    const auto id = find_string(*turn, "id");
    const auto counted = find_bool(*turn, "counted");
    if (!role || !id || !counted) return false;
    restored.turn_ = {.role = *role, .source_id = std::string(*id), .counted = *counted};
    if (const auto parent = find_string(*turn, "parent")) restored.turn_->parent = *parent;
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::pi
