#include "weft/formats/adapters/anthropic_transcript/turns.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Body;
using transcript::Role;

template <class T>
bool is(const Body& body) {
  return std::holds_alternative<T>(body);
}

Author author_of(Role role, const Body& body) {
  if (is<transcript::ToolResult>(body)) return Author::tool;
  if (is<transcript::Thinking>(body) || is<transcript::RedactedThinking>(body) ||
      is<transcript::ToolCall>(body) || is<transcript::Compaction>(body)) {
    return Author::model;
  }
  if (role == Role::assistant) return Author::model;
  const bool is_word = is<transcript::Text>(body) || is<transcript::Attachment>(body);
  return role == Role::human && is_word ? Author::human : Author::program;
}

bool is_of_person_or_program(const Block& block) {
  return block.author == Author::human || block.author == Author::program;
}

std::optional<std::string> own(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

}  // namespace

transcript::Heading transcript_heading(std::string session_id, std::string source) {
  return {.format = std::string(kTranscriptName),
          .family = "anthropic",
          .program = std::string(kTranscriptName),
          .provider = "anthropic",
          .session_id = std::move(session_id),
          .source = std::move(source)};
}

bool TranscriptTurns::set(std::string_view key, std::string_view value, std::uint64_t line,
                          transcript::Sink& sink) {
  transcript::Facts facts;
  if (key == "name") key = "title";
  if (key == "branch") key = "git_branch";
  const auto known = std::ranges::find(kFactKeys, key, &FactKey::key);
  if (known != kFactKeys.end()) {
    facts.*known->fact = std::string(value);
  } else if (key == "updated" || key == "updated_at") {
    facts.updated_at = parse_iso8601(value);
    if (!facts.updated_at) return false;
  } else if (key == "model") {
    if (!value.empty()) model_ = std::string(value);
    return true;
  } else if (key == "session" || key == "session_id" || key == "conversation_id" || key == "id" ||
             key == "uuid") {
    name_session(heading_.session_id, value, line, sink);
    return true;
  } else if (key == "source") {
    name_session(heading_.source, value, line, sink);
    return true;
  } else {
    return false;
  }
  facts_.merge(facts);
  if (has_begun_) {
    resume(sink);
    sink.facts(facts);
  }
  return true;
}

void TranscriptTurns::name_session(std::string& name, std::string_view value, std::uint64_t line,
                                   transcript::Sink& sink) {
  if (value.empty() || value == name) return;
  if (has_begun_) {
    sink.skip({line, "late: the conversation has begun under another name"});
  } else {
    name = value;
  }
}

void TranscriptTurns::emit(Section section, std::string_view record, transcript::Sink& sink) {
  emit(std::move(section), record, false, sink);
}

bool TranscriptTurns::emit(Section section, std::string_view record, bool has_words,
                           transcript::Sink& sink) {
  std::vector<Block> blocks;
  blocks.reserve(section.items.size());
  for (Section::Item& item : section.items) {
    blocks.push_back(block_of(section, std::move(item)));
  }
  ++number_;
  if (blocks.empty()) return has_words;
  begin(record, sink);
  has_words = has_words || std::ranges::find(blocks, Author::human, &Block::author) != blocks.end();
  if (!has_words) {
    for (Block& block : blocks) place(std::move(block), sink);
    return has_words;
  }
  for (Block& block : blocks) {
    if (!is_of_person_or_program(block)) place(std::move(block), sink);
  }
  // What a program says within a person's words stays with them.
  for (Block& block : blocks) {
    if (!is_of_person_or_program(block)) continue;
    open(Role::human, block, sink);
    sink.block(std::move(block));
  }
  return has_words;
}

void TranscriptTurns::emit_live(Role role, ParsedBlock block, transcript::Sink& sink) {
  if (live_ && live_->role == role && live_->next_index < kMaxBlocks) {
    --number_;  // it is not over yet
  } else {
    live_ = {.role = role};
  }
  Section section{.role = role};
  section.items.push_back({live_->next_index++, std::move(block)});
  live_->has_words = emit(std::move(section), "", live_->has_words, sink);
}

std::optional<Role> TranscriptTurns::live_role() const {
  if (!live_) return std::nullopt;
  return live_->role;
}

void TranscriptTurns::finish(transcript::Sink& sink) const {
  if (!has_begun_ && (facts_ != transcript::Facts() || !heading_.session_id.empty())) {
    sink.skip({0, "no turns"});
  }
}

// Settles the heading at the first block.
void TranscriptTurns::begin(std::string_view record, transcript::Sink& sink) {
  if (has_begun_) {
    resume(sink);
    return;
  }
  has_begun_ = true;
  heading_ = transcript_heading(heading_.session_id, heading_.source);
  if (heading_.session_id.empty()) heading_.session_id = session_from(record);
  resume(sink);
  if (facts_ != transcript::Facts()) sink.facts(facts_);
}

void TranscriptTurns::resume(transcript::Sink& sink) {
  if (!is_heading_emitted_) sink.heading(heading_);
  is_heading_emitted_ = true;
}

// Continues the turn of `role`, or begins one with `first`.
void TranscriptTurns::open(Role role, const Block& first, transcript::Sink& sink) {
  if (turns_.is_running(role)) {
    turns_.resume(sink);
    return;
  }
  turns_.begin(
      {.role = role, .source_id = turns_.name_for(first.source_id, first.index), .counted = true},
      sink);
}

void TranscriptTurns::place(Block block, transcript::Sink& sink) {
  const bool is_opening = block.author == Author::program && turns_.is_before_all();
  open(is_opening ? Role::system : Role::assistant, block, sink);
  sink.block(std::move(block));
}

Block TranscriptTurns::block_of(const Section& section, Section::Item item) const {
  Block block{.author = author_of(section.role, item.block.body),
              .body = std::move(item.block.body),
              .source_id = "#" + std::to_string(number_),
              .index = item.index,
              .message_id = section.message_id == "" ? std::nullopt : section.message_id,
              .start = item.block.start,
              .stop = item.block.stop,
              .extra = std::move(item.block.extra)};
  if (!block.start) block.recorded = section.recorded;
  if (block.author == Author::model) {
    block.model = std::move(item.block.model);
    for (const auto* model : {&section.model, &model_, &fallback_model_}) {
      if (block.model.value_or("").empty()) block.model = *model;
    }
    if (block.model == "") block.model.reset();
  }
  return block;
}

json::object TranscriptTurns::save() const {
  json::object facts;
  for (const FactKey& known : kFactKeys) {
    if (const auto& fact = facts_.*known.fact) facts[known.key] = *fact;
  }
  if (facts_.updated_at) facts["updated_at"] = *facts_.updated_at;
  json::object state{{"number", number_},
                     {"begun", has_begun_},
                     {"session", heading_.session_id},
                     {"source", heading_.source},
                     {"facts", std::move(facts)}};
  if (model_) state["model"] = *model_;
  if (const auto& turn = turns_.turn()) {  // always counted, and without a parent
    state["turn"] = json::object{{"role", to_string(turn->role)}, {"id", turn->source_id}};
  }
  if (live_) {
    state["live"] = json::object{{"role", to_string(live_->role)},
                                 {"next", live_->next_index},
                                 {"has_words", live_->has_words}};
  }
  return state;
}

bool TranscriptTurns::restore(const json::object& state) {
  const auto number = find_int(state, "number");
  const auto begun = find_bool(state, "begun");
  const auto session = find_string(state, "session");
  const auto source = find_string(state, "source");
  const json::object* facts = find_object(state, "facts");
  if (!number || *number < 0 || !begun || !session || !source || facts == nullptr) return false;

  TranscriptTurns restored(fallback_model_);
  restored.number_ = static_cast<std::uint64_t>(*number);
  restored.has_begun_ = *begun;
  restored.model_ = own(find_string(state, "model"));
  restored.heading_.session_id = *session;
  restored.heading_.source = *source;
  for (const FactKey& known : kFactKeys)
    restored.facts_.*known.fact = own(find_string(*facts, known.key));
  restored.facts_.updated_at = find_int(*facts, "updated_at");
  if (*begun) {
    restored.heading_ = transcript_heading(std::string(*session), std::string(*source));
  }
  if (const json::object* turn = find_object(state, "turn")) {
    json::object counted = *turn;
    counted["counted"] = true;
    if (!restored.turns_.restore_from({{"turn", std::move(counted)}})) return false;
  }
  if (const json::object* live = find_object(state, "live")) {
    const auto role = transcript::parse_role(find_string(*live, "role").value_or(""));
    const auto next = find_int(*live, "next");
    if (!role || !next || *next < 0 || *next > kMaxBlocks || restored.number_ == 0) return false;
    restored.live_ = {.role = *role,
                      .next_index = static_cast<std::uint32_t>(*next),
                      .has_words = find_bool(*live, "has_words").value_or(false)};
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::anthropic
