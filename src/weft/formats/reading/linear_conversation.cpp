#include "weft/formats/reading/linear_conversation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Role;

constexpr std::array<std::string_view, 5> kHashKeys = {"title", "project", "cwd", "account",
                                                       "tools"};

// Whether `text` differs from the last one emitted; remembers it.
bool is_news(std::uint64_t& content, const std::optional<std::string>& text) {
  if (!text) return false;
  const std::uint64_t hash = hash_of(*text);
  return std::exchange(content, hash) != hash;
}

}  // namespace

void LinearConversation::enter(transcript::Sink& sink) {
  sink.heading(heading_);
  is_turn_emitted_ = false;
}

void LinearConversation::emit(transcript::Block block, bool is_persons, bool counted,
                              transcript::Sink& sink) {
  Role role = Role::human;
  if (!is_persons) {
    const bool is_before_all = branch_ ? branch_->empty() : !turn_ || turn_->role == Role::system;
    role = block.author == Author::program && is_before_all ? Role::system : Role::assistant;
  }
  open(role, block, counted, sink);
  sink.block(std::move(block));
}

void LinearConversation::open(Role role, const transcript::Block& first, bool counted,
                              transcript::Sink& sink) {
  if (!turn_ || turn_->role != role || branch_) {
    // A record that opened a turn already opens its second under the block's name.
    const bool is_second = turn_ && (turn_->source_id == first.source_id ||
                                     turn_->source_id.starts_with(first.source_id + "."));
    turn_ = {.role = role,
             .source_id = first.source_id + (is_second ? "." + std::to_string(first.index) : ""),
             .counted = counted || is_second,
             .parent = std::exchange(branch_, std::nullopt)};
    is_turn_emitted_ = false;
  }
  if (!is_turn_emitted_) sink.turn(*turn_);
  is_turn_emitted_ = true;
}

void LinearConversation::note(const Facts& facts, transcript::Sink& sink) {
  Facts news;
  if (is_news(title_, facts.title)) news.title = facts.title;
  if (is_news(project_, facts.project)) news.project = facts.project;
  if (is_news(cwd_, facts.cwd)) news.cwd = facts.cwd;
  if (is_news(account_, facts.account)) news.account = facts.account;
  if (!facts.tools.empty()) {
    std::string all;
    for (const std::string& tool : facts.tools) all += tool + "\n";
    if (!facts.tool_definitions.empty()) all += canonical_json(facts.tool_definitions);
    if (is_news(tools_, all)) {
      news.tools = facts.tools;
      news.tool_definitions = facts.tool_definitions;
    }
  }
  if (facts.usage && facts.usage != usage_) news.usage = usage_ = facts.usage;
  if (facts.updated_at && (!updated_at_ || *facts.updated_at > *updated_at_)) {
    news.updated_at = updated_at_ = facts.updated_at;
  }
  if (news != Facts()) sink.facts(news);
}

json::object LinearConversation::save() const {
  json::object state{
      {"session", heading_.session_id}, {"source", heading_.source}, {"people", has_people_}};
  state["provider"] = heading_.provider;
  const std::array<std::uint64_t, 5> hashes = {title_, project_, cwd_, account_, tools_};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    state[kHashKeys[i]] = std::bit_cast<std::int64_t>(hashes[i]);
  }
  if (usage_) {
    state["usage"] =
        json::array{usage_->input, usage_->output, usage_->cache_read, usage_->cache_write};
  }
  if (updated_at_) state["updated_at"] = *updated_at_;
  if (branch_) state["branch"] = *branch_;
  if (turn_) {
    json::object turn{
        {"role", to_string(turn_->role)}, {"id", turn_->source_id}, {"counted", turn_->counted}};
    if (turn_->parent) turn["parent"] = *turn_->parent;
    state["turn"] = std::move(turn);
  }
  return state;
}

bool LinearConversation::restore(const json::object& state, const transcript::Heading& like) {
  const auto session = find_string(state, "session"), source = find_string(state, "source");
  const auto people = find_bool(state, "people");
  if (!session || !source || !people) return false;
  LinearConversation restored(like, *people ? People::yes : People::no);
  restored.heading_.session_id = *session;
  restored.heading_.source = *source;
  if (const auto provider = find_string(state, "provider")) restored.heading_.provider = *provider;
  const std::array<std::uint64_t*, 5> hashes = {
      &restored.title_, &restored.project_, &restored.cwd_, &restored.account_, &restored.tools_};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto hash = find_int(state, kHashKeys[i]);
    if (!hash) return false;
    *hashes[i] = std::bit_cast<std::uint64_t>(*hash);
  }
  if (const json::array* usage = find_array(state, "usage")) {
    const auto is_count = [](const json::value& count) { return count.is_int64(); };
    if (usage->size() != 4 || !std::ranges::all_of(*usage, is_count)) return false;
    restored.usage_ = {(*usage)[0].get_int64(), (*usage)[1].get_int64(), (*usage)[2].get_int64(),
                       (*usage)[3].get_int64()};
  }
  restored.updated_at_ = find_int(state, "updated_at");
  if (const auto branch = find_string(state, "branch")) restored.branch_ = *branch;
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

}  // namespace weft::formats
