#include "weft/formats/adapters/anthropic_transcript/turns.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/reading/json_reader.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Body;
using transcript::Role;

// Of a turn that comes block by block; behind them another turn begins.
constexpr std::uint32_t kMaxLiveBlocks = 100'000;

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

// Facts as they are saved.
struct SavedFacts {
  transcript::Facts& facts;
  void archive(StateArchive& a) {
    for (const FactKey& known : kFactKeys) a.optional(known.key, facts.*known.fact);
    a.optional("updated_at", facts.updated_at);
  }
};

// A turn as it is saved: it is always counted, and has no parent.
struct SavedTurn {
  transcript::TurnHead head{.role = Role::human, .source_id = {}, .counted = true};
  void archive(StateArchive& a) {
    a.field("role", head.role);
    a.field("id", head.source_id);
  }
};

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
  if (live_ && live_->role == role && live_->next_index < kMaxLiveBlocks) {
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

void TranscriptTurns::Live::archive(StateArchive& a) {
  a.field("role", role);
  a.field("next", next_index);
  a.check(next_index <= kMaxLiveBlocks);
  a.lenient("has_words", has_words);
}

void TranscriptTurns::archive(StateArchive& a) {
  a.field("number", number_);
  a.field("begun", has_begun_);
  a.field("session", heading_.session_id);
  a.field("source", heading_.source);
  SavedFacts facts{facts_};
  a.field("facts", facts);
  a.optional("model", model_);
  std::optional<SavedTurn> turn;
  if (turns_.has_turn()) turn = SavedTurn{*turns_.turn()};
  a.optional("turn", turn);
  a.optional("live", live_);
  a.check(!live_ || number_ > 0);
  if (a.is_writing()) return;
  if (has_begun_) heading_ = transcript_heading(heading_.session_id, heading_.source);
  turns_.restore(turn ? std::optional(turn->head) : std::nullopt);
  is_heading_emitted_ = false;
}

}  // namespace weft::formats::anthropic
