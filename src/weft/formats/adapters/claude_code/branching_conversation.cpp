#include "weft/formats/adapters/claude_code/branching_conversation.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Role;

using transcript::Facts;

constexpr std::array<ChangedFacts::Text, 5> kTexts = {{{"title", &Facts::title},
                                                       {"summary", &Facts::summary},
                                                       {"project", &Facts::project},
                                                       {"cwd", &Facts::cwd},
                                                       {"branch", &Facts::git_branch}}};

}  // namespace

BranchingConversation::BranchingConversation(std::string session_id, std::string source,
                                             bool has_people)
    : heading_{.format = std::string(kName),
               .family = "anthropic",
               .program = std::string(kName),
               .provider = "anthropic",
               .session_id = std::move(session_id),
               .source = std::move(source)},
      has_people_(has_people),
      facts_(kTexts, quick_hash_of) {}

void BranchingConversation::enter(transcript::Sink& sink) {
  sink.heading(heading_);
  turns_.leave();
}

void BranchingConversation::emit(const Entry& entry, bool is_persons, std::int64_t above,
                                 transcript::Block block, transcript::Sink& sink) {
  if (is_persons) {
    open_persons(entry, above, sink);
  } else {
    const bool is_opening = block.author == transcript::Author::program && turns_.is_before_all();
    open(is_opening ? Role::system : Role::assistant, entry, std::nullopt, sink);
  }
  sink.block(std::move(block));
}

void BranchingConversation::emit_aside(transcript::Block block, transcript::Sink& sink) {
  if (turns_.has_turn()) {
    turns_.resume(sink);
  } else {
    turns_.begin({.role = Role::system, .source_id = block.source_id, .counted = true}, sink);
    ends_.push_back({.source_id = block.source_id, .role = Role::system});
  }
  sink.block(std::move(block));
}

void BranchingConversation::pass(const Entry& entry) {
  if (entry.uuid && !ends_.empty()) ends_.back().last = quick_hash_of(*entry.uuid);
}

// Continues the turn of `role`, or begins one with `entry`.
void BranchingConversation::open(Role role, const Entry& entry, std::optional<std::string> parent,
                                 transcript::Sink& sink) {
  if (turns_.is_running(role) && !parent) {
    turns_.resume(sink);
    return;
  }
  turns_.begin(
      {.role = role, .source_id = entry.id, .counted = !entry.uuid, .parent = std::move(parent)},
      sink);
  ends_.push_back({.source_id = entry.id, .role = role});
  if (ends_.size() <= kMostTurns) return;
  ends_.pop_front();
  ++first_turn_;
}

void BranchingConversation::open_persons(const Entry& entry, std::int64_t above,
                                         transcript::Sink& sink) {
  std::optional<std::string> parent;
  const bool is_same_record = turns_.is_running(Role::human) && turns_.turn_id() == entry.id;
  const std::int64_t nearest = last_prompt();
  if (!is_same_record && above != kNoTurn && above != nearest) {
    if (const TurnEnd* prompt = turn_at(above)) {
      const TurnEnd* answer = turn_at(above + 1);
      const bool has_answer = answer != nullptr && answer->role != Role::human;
      parent = has_answer ? answer->source_id : prompt->source_id;
      if (parent == ends_.back().source_id) parent.reset();
    }
  }
  open(Role::human, entry, std::move(parent), sink);
}

const BranchingConversation::TurnEnd* BranchingConversation::turn_at(std::int64_t number) const {
  if (number < first_turn_ || number > last_turn()) return nullptr;
  return &ends_[static_cast<std::size_t>(number - first_turn_)];
}

std::int64_t BranchingConversation::prompt_at_or_before(std::int64_t number) const {
  for (; number >= first_turn_; --number) {
    const TurnEnd* turn = turn_at(number);
    if (turn != nullptr && turn->role == Role::human) return number;
  }
  return kNoTurn;
}

std::int64_t BranchingConversation::prompt_before(std::uint64_t uuid) const {
  const auto found = std::find_if(ends_.rbegin(), ends_.rend(),
                                  [&](const TurnEnd& turn) { return turn.last == uuid; });
  if (found == ends_.rend()) return kNoTurn;
  return prompt_at_or_before(last_turn() - (found - ends_.rbegin()));
}

bool BranchingConversation::ends_with(std::uint64_t uuid) const {
  return std::ranges::find(ends_, uuid, &TurnEnd::last) != ends_.end();
}

bool BranchingConversation::set_title(Title rank, std::string_view text, transcript::Sink& sink) {
  // Of prompts the first is the title, of all else the last.
  const bool is_first_only = rank == Title::prompt || rank == Title::command;
  if (text.empty() || rank < rank_ || (is_first_only && rank == rank_)) return false;
  rank_ = rank;
  return facts_.note({.title = std::string(text)}, sink);
}

void BranchingConversation::add_usage(const transcript::Usage& more, transcript::Sink& sink) {
  if (more == transcript::Usage() && facts_.usage()) return;
  const transcript::Usage before = facts_.usage().value_or(transcript::Usage());
  facts_.note({.usage = add_wrapping(before, more)}, sink);
}

void BranchingConversation::archive(StateArchive& a) {
  constexpr std::int64_t kMostTurnsEver = 1'000'000'000'000;
  a.field("session", heading_.session_id);
  a.field("source", heading_.source);
  a.field("people", has_people_);
  a.sparse("internal", is_internal_);
  a.field("rank", rank_);
  a.field("first_turn", first_turn_);
  a.check(first_turn_ >= 0 && first_turn_ <= kMostTurnsEver);
  facts_.archive(a);
  turns_.archive(a);
  a.field("turns", ends_, kMostTurns);
}

}  // namespace weft::formats::claude_code
