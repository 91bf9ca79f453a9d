#include "weft/formats/reading/turn_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/text.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats {

using transcript::Facts;
using transcript::Role;
using transcript::Usage;

namespace {

constexpr std::array<std::pair<std::string_view, std::optional<std::string> Facts::*>, 6>
    kSavedTexts = {{{"title", &Facts::title},
                    {"summary", &Facts::summary},
                    {"project", &Facts::project},
                    {"cwd", &Facts::cwd},
                    {"git_branch", &Facts::git_branch},
                    {"account", &Facts::account}}};

// Facts that wait for begin(), as they are saved.
struct WaitingFacts {
  Facts facts;

  void archive(StateArchive& a) {
    for (const auto& [name, text] : kSavedTexts) a.optional(name, facts.*text);
    a.sparse("tools", facts.tools);
    a.optional("updated_at", facts.updated_at);
    limit_usage();
    a.optional("usage", facts.usage);
    limit_usage();
  }
  void limit_usage() {
    if (!facts.usage) return;
    UsageSum usage;
    usage.add(*facts.usage);
    facts.usage = usage.sum();
  }
};

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

void TurnBuilder::archive(StateArchive& a) {
  a.optional("heading", heading_);
  turns_.archive(a);
  a.check(!turns_.has_turn() || heading_.has_value());
  a.sparse("title", title_);
  std::optional<WaitingFacts> waiting;
  if (waiting_ != Facts()) waiting = WaitingFacts{waiting_};
  a.optional("waiting", waiting);
  if (a.is_writing()) return;
  waiting_ = waiting ? std::move(waiting->facts) : Facts();
  is_emitted_ = false;
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

void UsageSum::archive(StateArchive& a, std::string_view key) {
  a.field(key, sum_);
  if (a.is_writing()) return;
  const Usage read = std::exchange(sum_, {});
  add(read);
}

}  // namespace weft::formats
