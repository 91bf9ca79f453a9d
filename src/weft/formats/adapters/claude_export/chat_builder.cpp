#include <algorithm>
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"

namespace weft::formats::claude_export {

using transcript::Author;
using transcript::Block;
using transcript::Role;

ChatBuilder::ChatBuilder(std::string session_id, transcript::Facts facts,
                         std::optional<std::string> model, transcript::Sink& sink)
    : sink_(sink), facts_(std::move(facts)), model_(std::move(model)) {
  heading_.format = kName;
  heading_.family = "anthropic";
  heading_.program = "claude.ai";
  heading_.provider = "anthropic";
  heading_.session_id = std::move(session_id);
}

void ChatBuilder::emit(Message message, const Item& item) {
  const bool is_counted = message.id.empty();
  if (is_counted) message.id = "#" + std::to_string(item.number);
  if (places_.contains(message.id)) {
    sink_.skip({item.line, "duplicate"});
    return;
  }
  const std::optional<Place> branch = branch_of(message);
  if (message.blocks.empty()) {
    places_[message.id] = branch.value_or(Place{turns_.turn_id(), last_message_});
    return;
  }
  if (!facts_.account && message.account) {
    facts_.account = message.account;
    if (has_begun_) sink_.facts({.account = message.account});
  }
  begin();
  bool is_first = true;
  for (Block& block : message.blocks) {
    const Role role = role_of(block, message.sender, is_first);
    transcript::TurnHead head{.role = role, .source_id = message.id, .counted = is_counted};
    if (!is_first) head.source_id += "." + std::to_string(block.index);
    open(std::move(head), is_first ? branch : std::nullopt);
    is_first = false;
    block.source_id = message.id;
    block.recorded = message.recorded;
    if (block.author == Author::model) {
      block.model = message.model ? message.model : model_;
    }
    sink_.block(std::move(block));
  }
  last_message_ = message.id;
  places_[message.id] = {turns_.turn_id(), message.id};
}

std::optional<ChatBuilder::Place> ChatBuilder::branch_of(const Message& message) const {
  if (!message.parent) return std::nullopt;
  const auto parent = places_.find(*message.parent);
  Place place = parent == places_.end() ? Place{} : parent->second;
  if (place.message == last_message_) return std::nullopt;  // also where nothing was emitted yet
  return place;
}

void ChatBuilder::begin() {
  if (has_begun_) return;
  has_begun_ = true;
  sink_.heading(heading_);
  if (facts_ != transcript::Facts()) sink_.facts(facts_);
}

// Continues the turn, or begins `head`.
void ChatBuilder::open(transcript::TurnHead head, const std::optional<Place>& branch) {
  if (turns_.is_running(head.role) && !branch) return;
  // The turn of an unknown parent is "": the message follows none.
  if (branch && turns_.has_turn() && branch->turn != turns_.turn_id()) head.parent = branch->turn;
  turns_.begin(std::move(head), sink_);
}

// A program's block stays in the turn of the words around it; before all others it is a turn of
// its own.
Role ChatBuilder::role_of(const Block& block, Author sender, bool is_first) const {
  switch (block.author) {
    case Author::human: return Role::human;
    case Author::model:
    case Author::tool: return Role::assistant;
    case Author::program: break;
  }
  if (!is_first) return turns_.turn()->role;
  if (sender == Author::human) return Role::human;
  const bool is_opening = sender == Author::program && turns_.is_before_all();
  return is_opening ? Role::system : Role::assistant;
}

}  // namespace weft::formats::claude_export
