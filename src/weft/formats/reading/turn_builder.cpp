#include "weft/formats/reading/turn_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats {

using transcript::Facts;
using transcript::Role;
using transcript::Usage;

namespace {

constexpr std::array<std::pair<std::string_view, std::optional<std::string> Facts::*>, 6> kTexts = {
    {{"title", &Facts::title},
     {"summary", &Facts::summary},
     {"project", &Facts::project},
     {"cwd", &Facts::cwd},
     {"git_branch", &Facts::git_branch},
     {"account", &Facts::account}}};

json::object facts_json(const Facts& facts) {
  json::object out;
  for (const auto& [name, text] : kTexts) {
    if (facts.*text) out[name] = *(facts.*text);
  }
  if (!facts.tools.empty()) out["tools"] = json::array(facts.tools.begin(), facts.tools.end());
  if (facts.updated_at) out["updated_at"] = *facts.updated_at;
  UsageSum usage;
  if (facts.usage) usage.add(*facts.usage);
  if (facts.usage) out["usage"] = usage.save();
  return out;
}

bool restore_facts(Facts& facts, const json::object& state) {
  for (const auto& [name, text] : kTexts) {
    if (const auto found = find_string(state, name)) facts.*text = *found;
  }
  if (const json::array* tools = find_array(state, "tools")) {
    for (const json::value& tool : *tools) {
      if (!tool.is_string()) return false;
      facts.tools.emplace_back(view(tool.get_string()));
    }
  }
  facts.updated_at = find_int(state, "updated_at");
  UsageSum usage;
  if (!state.contains("usage")) return true;
  if (!usage.restore(find_array(state, "usage"))) return false;
  facts.usage = usage.sum();
  return true;
}

}  // namespace

void TurnBuilder::begin(transcript::Heading heading, transcript::Sink& sink) {
  heading_ = std::move(heading);
  is_emitted_ = false;
  resume(sink);
  if (waiting_ != Facts()) sink.facts(std::exchange(waiting_, {}));
}

void TurnBuilder::resume(transcript::Sink& sink) {
  if (!is_emitted_) sink.heading(*heading_);
  is_emitted_ = true;
}

void TurnBuilder::leave() {
  is_emitted_ = false;
  turns_.leave();
}

void TurnBuilder::note(const Facts& facts, transcript::Sink& sink) {
  if (!has_begun()) {
    waiting_.merge(facts);
    return;
  }
  resume(sink);
  sink.facts(facts);
}

bool TurnBuilder::set_title(Title rank, std::string_view text, transcript::Sink& sink) {
  constexpr std::size_t kTitleLength = 200;  // in code points
  if (rank < title_ || (rank == title_ && rank == Title::prompt)) return false;
  std::string title = one_line(text, kTitleLength);
  if (title.empty()) return false;
  title_ = rank;
  note({.title = std::move(title)}, sink);
  return true;
}

std::optional<Role> TurnBuilder::role() const {
  return turns_.turn() ? std::optional(turns_.turn()->role) : std::nullopt;
}

void TurnBuilder::emit(RecordContent content, transcript::Sink& sink) {
  resume(sink);
  turns_.emit(std::move(content), sink);
}

json::object TurnBuilder::save() const {
  json::object state;
  if (heading_) {
    state["heading"] = json::array{heading_->format,   heading_->family,     heading_->program,
                                   heading_->provider, heading_->session_id, heading_->source};
  }
  turns_.save_to(state);
  if (title_ != Title::none) state["title"] = static_cast<std::int64_t>(title_);
  if (waiting_ != Facts()) state["waiting"] = facts_json(waiting_);
  return state;
}

bool TurnBuilder::restore(const json::object* state) {
  if (state == nullptr) return false;
  TurnBuilder restored;
  if (const json::array* heading = find_array(*state, "heading")) {
    const auto is_text = [](const json::value& value) { return value.is_string(); };
    if (heading->size() != 6 || !std::ranges::all_of(*heading, is_text)) return false;
    const auto text = [&](std::size_t i) { return std::string(view((*heading)[i].get_string())); };
    restored.heading_ = {.format = text(0),
                         .family = text(1),
                         .program = text(2),
                         .provider = text(3),
                         .session_id = text(4),
                         .source = text(5)};
  }
  if (!restored.turns_.restore_from(*state)) return false;
  if (restored.turns_.has_turn() && !restored.heading_) return false;
  const std::int64_t title = find_int(*state, "title").value_or(0);
  if (title < 0 || title > static_cast<std::int64_t>(Title::chosen)) return false;
  restored.title_ = static_cast<Title>(title);
  const json::object* waiting = find_object(*state, "waiting");
  if (waiting != nullptr && !restore_facts(restored.waiting_, *waiting)) return false;
  *this = std::move(restored);
  return true;
}

namespace {

constexpr std::array kFields = {&Usage::input, &Usage::output, &Usage::cache_read,
                                &Usage::cache_write};
// Nothing real comes near; beyond it a sum might overflow.
constexpr std::int64_t kMostTokens = std::int64_t{1} << 50;

std::int64_t within(std::int64_t tokens) {
  return std::clamp<std::int64_t>(tokens, 0, kMostTokens);
}

}  // namespace

void UsageSum::add(const Usage& more) {
  for (const auto field : kFields) sum_.*field = within(sum_.*field + within(more.*field));
}

json::array UsageSum::save() const {
  json::array state;
  for (const auto field : kFields) state.push_back(sum_.*field);
  return state;
}

bool UsageSum::restore(const json::array* state) {
  if (state == nullptr || state->size() != kFields.size()) return false;
  Usage restored;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const json::value& tokens = (*state)[i];
    if (!tokens.is_int64()) return false;
    restored.*kFields[i] = within(tokens.get_int64());
  }
  sum_ = restored;
  return true;
}

}  // namespace weft::formats
