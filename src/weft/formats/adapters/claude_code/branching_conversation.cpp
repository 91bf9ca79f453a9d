#include "weft/formats/adapters/claude_code/branching_conversation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Role;

constexpr std::array<std::string_view, 6> kHashKeys = {"title", "summary", "project",
                                                       "cwd",   "branch",  "tools"};

// Whether `text` is another one than the one told last; then it is that one.
bool is_news(std::uint64_t& content, const std::optional<std::string>& text) {
  if (!text) return false;
  const std::uint64_t hash = quick_hash_of(*text);
  return std::exchange(content, hash) != hash;
}

std::int64_t as_int(std::uint64_t hash) { return std::bit_cast<std::int64_t>(hash); }

std::optional<std::uint64_t> find_hash(const json::object& object, std::string_view key) {
  const auto number = find_int(object, key);
  if (!number) return std::nullopt;
  return std::bit_cast<std::uint64_t>(*number);
}

}  // namespace

void BranchingConversation::enter(transcript::Sink& sink) {
  sink.heading(heading_);
  is_turn_emitted_ = false;
}

void BranchingConversation::emit(const Entry& entry, bool is_persons, std::int64_t above,
                                 transcript::Block block, transcript::Sink& sink) {
  if (is_persons) {
    open_persons(entry, above, sink);
  } else {
    const bool is_before_all = !turn_ || turn_->role == Role::system;
    const bool is_opening = block.author == transcript::Author::program && is_before_all;
    open(is_opening ? Role::system : Role::assistant, entry, std::nullopt, sink);
  }
  sink.block(std::move(block));
}

void BranchingConversation::pass(const Entry& entry) {
  if (entry.uuid && !turns_.empty()) turns_.back().last = quick_hash_of(*entry.uuid);
}

// The turn of `role` goes on, or a new one begins with `entry`.
void BranchingConversation::open(Role role, const Entry& entry, std::optional<std::string> parent,
                                 transcript::Sink& sink) {
  if (!turn_ || turn_->role != role || parent) {
    turn_ = {
        .role = role, .source_id = entry.id, .counted = !entry.uuid, .parent = std::move(parent)};
    is_turn_emitted_ = false;
    turns_.push_back({.source_id = entry.id, .role = role});
    if (turns_.size() > kMostTurns) {
      turns_.pop_front();
      ++first_turn_;
    }
  }
  if (!is_turn_emitted_) sink.turn(*turn_);
  is_turn_emitted_ = true;
}

void BranchingConversation::open_persons(const Entry& entry, std::int64_t above,
                                         transcript::Sink& sink) {
  std::optional<std::string> parent;
  const bool is_same_record = turn_ && turn_->source_id == entry.id && turn_->role == Role::human;
  const std::int64_t nearest = last_prompt();
  if (!is_same_record && above != kNoTurn && above != nearest) {
    if (const TurnEnd* prompt = turn_at(above)) {
      const TurnEnd* answer = turn_at(above + 1);
      const bool has_answer = answer != nullptr && answer->role != Role::human;
      parent = has_answer ? answer->source_id : prompt->source_id;
      if (parent == turns_.back().source_id) parent.reset();
    }
  }
  open(Role::human, entry, std::move(parent), sink);
}

const BranchingConversation::TurnEnd* BranchingConversation::turn_at(std::int64_t number) const {
  if (number < first_turn_ || number > last_turn()) return nullptr;
  return &turns_[static_cast<std::size_t>(number - first_turn_)];
}

std::int64_t BranchingConversation::prompt_at_or_before(std::int64_t number) const {
  for (; number >= first_turn_; --number) {
    const TurnEnd* turn = turn_at(number);
    if (turn != nullptr && turn->role == Role::human) return number;
  }
  return kNoTurn;
}

std::int64_t BranchingConversation::prompt_before(std::uint64_t uuid) const {
  const auto found = std::find_if(turns_.rbegin(), turns_.rend(),
                                  [&](const TurnEnd& turn) { return turn.last == uuid; });
  if (found == turns_.rend()) return kNoTurn;
  return prompt_at_or_before(last_turn() - (found - turns_.rbegin()));
}

bool BranchingConversation::ends_with(std::uint64_t uuid) const {
  return std::ranges::find(turns_, uuid, &TurnEnd::last) != turns_.end();
}

void BranchingConversation::note(const transcript::Facts& facts, transcript::Sink& sink) {
  transcript::Facts news;
  if (is_news(title_, facts.title)) news.title = facts.title;
  if (is_news(summary_, facts.summary)) news.summary = facts.summary;
  if (is_news(project_, facts.project)) news.project = facts.project;
  if (is_news(cwd_, facts.cwd)) news.cwd = facts.cwd;
  if (is_news(git_branch_, facts.git_branch)) news.git_branch = facts.git_branch;
  if (!facts.tools.empty()) {
    std::string all;
    for (const std::string& tool : facts.tools) all += tool + "\n";
    if (is_news(tools_, all)) news.tools = facts.tools;
  }
  if (facts.updated_at && (!updated_at_ || *facts.updated_at > *updated_at_)) {
    news.updated_at = updated_at_ = facts.updated_at;
  }
  if (news != transcript::Facts()) sink.facts(news);
}

bool BranchingConversation::set_title(Title rank, std::string_view text, transcript::Sink& sink) {
  // Of prompts the first is the title, of all else the last.
  const bool is_first_only = rank == Title::prompt || rank == Title::command;
  if (text.empty() || rank < rank_ || (is_first_only && rank == rank_)) return false;
  rank_ = rank;
  const std::uint64_t before = title_;
  note({.title = std::string(text)}, sink);
  return title_ != before;
}

void BranchingConversation::add_usage(const transcript::Usage& more, transcript::Sink& sink) {
  if (more == transcript::Usage() && usage_) return;
  transcript::Usage total = usage_.value_or(transcript::Usage());
  // Counts of a broken file may be anything: sums wrap, they do not overflow.
  const auto add = [](std::int64_t& sum, std::int64_t count) {
    sum = std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(sum) +
                                      std::bit_cast<std::uint64_t>(count));
  };
  add(total.input, more.input);
  add(total.output, more.output);
  add(total.cache_read, more.cache_read);
  add(total.cache_write, more.cache_write);
  usage_ = total;
  transcript::Facts facts;
  facts.usage = total;
  sink.facts(facts);
}

json::object BranchingConversation::save() const {
  json::object state{{"session", heading_.session_id},
                     {"source", heading_.source},
                     {"people", has_people_},
                     {"rank", static_cast<std::int64_t>(rank_)},
                     {"first_turn", first_turn_}};
  const std::array<std::uint64_t, 6> hashes = {title_, summary_,    project_,
                                               cwd_,   git_branch_, tools_};
  for (std::size_t i = 0; i < hashes.size(); ++i) state[kHashKeys[i]] = as_int(hashes[i]);
  if (usage_) {
    state["usage"] =
        json::array{usage_->input, usage_->output, usage_->cache_read, usage_->cache_write};
  }
  if (updated_at_) state["updated_at"] = *updated_at_;
  if (turn_) {
    json::object turn{
        {"role", to_string(turn_->role)}, {"id", turn_->source_id}, {"counted", turn_->counted}};
    if (turn_->parent) turn["parent"] = *turn_->parent;
    state["turn"] = std::move(turn);
  }
  json::array turns;
  for (const TurnEnd& turn : turns_) {
    turns.push_back(json::array{to_string(turn.role), turn.source_id, as_int(turn.last)});
  }
  state["turns"] = std::move(turns);
  return state;
}

bool BranchingConversation::restore(const json::object& state) {
  const auto session = find_string(state, "session");
  const auto source = find_string(state, "source");
  const auto people = find_bool(state, "people");
  const auto rank = find_int(state, "rank");
  const auto first_turn = find_int(state, "first_turn");
  const json::array* turns = find_array(state, "turns");
  if (!session || !source || !people || !rank || !first_turn || turns == nullptr) return false;
  if (*rank < 0 || *rank > static_cast<std::int64_t>(Title::chosen)) return false;
  constexpr std::int64_t kMostTurnsEver = 1'000'000'000'000;
  if (*first_turn < 0 || *first_turn > kMostTurnsEver || turns->size() > kMostTurns) return false;

  BranchingConversation restored({.format = std::string(kName),
                                  .family = "anthropic",
                                  .program = std::string(kName),
                                  .provider = "anthropic",
                                  .session_id = std::string(*session),
                                  .source = std::string(*source)},
                                 *people);
  restored.rank_ = static_cast<Title>(*rank);
  restored.first_turn_ = *first_turn;
  const std::array<std::uint64_t*, 6> hashes = {&restored.title_,      &restored.summary_,
                                                &restored.project_,    &restored.cwd_,
                                                &restored.git_branch_, &restored.tools_};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto hash = find_hash(state, kHashKeys[i]);
    if (!hash) return false;
    *hashes[i] = *hash;
  }
  if (const json::array* usage = find_array(state, "usage")) {
    const bool is_whole = usage->size() == 4 && std::ranges::all_of(*usage, [](const auto& count) {
                            return count.is_int64();
                          });
    if (!is_whole) return false;
    restored.usage_ = {(*usage)[0].get_int64(), (*usage)[1].get_int64(), (*usage)[2].get_int64(),
                       (*usage)[3].get_int64()};
  }
  restored.updated_at_ = find_int(state, "updated_at");
  if (const json::object* turn = find_object(state, "turn")) {
    const auto role = transcript::parse_role(find_string(*turn, "role").value_or(""));
    const auto id = find_string(*turn, "id");
    const auto counted = find_bool(*turn, "counted");
    if (!role || !id || !counted) return false;
    restored.turn_ = {.role = *role, .source_id = std::string(*id), .counted = *counted};
    if (const auto parent = find_string(*turn, "parent")) restored.turn_->parent = *parent;
  }
  for (const json::value& value : *turns) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 3) return false;
    if (!(*row)[0].is_string() || !(*row)[1].is_string() || !(*row)[2].is_int64()) return false;
    const auto role = transcript::parse_role(view((*row)[0].get_string()));
    if (!role) return false;
    restored.turns_.push_back({.source_id = std::string(view((*row)[1].get_string())),
                               .role = *role,
                               .last = std::bit_cast<std::uint64_t>((*row)[2].get_int64())});
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::claude_code
