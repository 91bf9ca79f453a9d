#include "weft/transcript/conversation.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace weft::transcript {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::human: return "human";
    case Role::assistant: return "assistant";
    case Role::system: return "system";
  }
  return "system";
}

std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : {Role::human, Role::assistant, Role::system}) {
    if (text == to_string(role)) return role;
  }
  return std::nullopt;
}

void Facts::merge(const Facts& newer) {
  const auto take = [](auto& mine, const auto& theirs) {
    if (theirs) mine = theirs;
  };
  take(title, newer.title);
  take(summary, newer.summary);
  take(project, newer.project);
  take(cwd, newer.cwd);
  take(git_branch, newer.git_branch);
  take(account, newer.account);
  take(usage, newer.usage);
  take(updated_at, newer.updated_at);
  take(internal, newer.internal);
  if (!newer.tools.empty()) {
    tools = newer.tools;
    tool_definitions = newer.tool_definitions;
  }
}

void Collector::heading(const Heading& heading) {
  const auto found = std::ranges::find(conversations, heading, &Conversation::heading);
  current_ = static_cast<std::size_t>(found - conversations.begin());
  if (found == conversations.end()) {
    conversations.push_back({.heading = heading});
    turns_.emplace_back();
  }
}

void Collector::turn(const TurnHead& head) {
  assert(current_ < conversations.size());
  Conversation& conversation = conversations[current_];
  Turns& turns = turns_[current_];
  const auto [place, is_new] = turns.by_id.try_emplace(head.source_id, conversation.turns.size());
  if (is_new) {
    conversation.turns.push_back({.head = head, .sequence = conversation.turns.size()});
  }
  turns.current = place->second;
}

void Collector::block(Block&& block) {
  assert(current_ < conversations.size());
  Conversation& conversation = conversations[current_];
  assert(!conversation.turns.empty());
  conversation.turns[turns_[current_].current].blocks.push_back(std::move(block));
}

void Collector::facts(const Facts& facts) {
  assert(current_ < conversations.size());
  conversations[current_].facts.merge(facts);
}

void Collector::request(const Request& request) {
  assert(current_ < conversations.size());
  conversations[current_].requests.push_back(request);
}

void Collector::origin(const Origin& origin) {
  assert(current_ < conversations.size());
  std::vector<Origin>& origins = conversations[current_].origins;
  if (std::ranges::find(origins, origin) == origins.end()) origins.push_back(origin);
}

void Collector::spawned(const Spawned& spawned) {
  assert(current_ < conversations.size());
  std::vector<Spawned>& all = conversations[current_].spawned;
  if (std::ranges::find(all, spawned) == all.end()) all.push_back(spawned);
}

void Collector::skip(Skipped skipped_record) { skipped.push_back(std::move(skipped_record)); }

void Collector::repaired(std::size_t count) { repairs += count; }

}  // namespace weft::transcript
