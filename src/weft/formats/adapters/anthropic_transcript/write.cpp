// Writes a conversation as an anthropic-transcript in its text form. One that was read
// from that format reads back equal: a section of it is written where it stood, with
// empty ones in the place of those that could not be read.
#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "weft/formats/adapters/anthropic_transcript/labels.hpp"
#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Conversation;
using transcript::Role;
using transcript::Turn;

// More places than this were not left out by a reader.
constexpr std::uint64_t kMaxGap = 10'000;

struct Draft {
  std::string_view label = "Human";
  std::vector<const Block*> blocks;  // null for a place without a block
};

// The number in "#7"; empty for any other name.
std::optional<std::uint64_t> number_of(std::string_view source_id) {
  std::uint64_t number = 0;
  if (source_id.size() < 2 || source_id.front() != '#') return std::nullopt;
  const char* end = source_id.data() + source_id.size();
  const auto [stop, error] = std::from_chars(source_id.data() + 1, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Sections as they were in the transcript that was read; empty if that is unknown.
std::optional<std::vector<Draft>> drafts_by_place(const Conversation& conversation) {
  if (conversation.heading.format != kTranscriptName) return std::nullopt;
  std::vector<Draft> drafts;
  for (const Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) {
      const auto number = number_of(block.source_id);
      if (!number || *number > drafts.size() + kMaxGap) return std::nullopt;
      if (*number >= drafts.size()) drafts.resize(*number + 1);
      Draft& draft = drafts[*number];
      const bool is_first = draft.blocks.empty();
      if (block.index > draft.blocks.size() + kMaxGap) return std::nullopt;
      if (block.index >= draft.blocks.size()) draft.blocks.resize(block.index + 1);
      if (draft.blocks[block.index] != nullptr) return std::nullopt;
      draft.blocks[block.index] = &block;
      if (turn.head.role == Role::human) {
        draft.label = "Human";
      } else if (block.author == Author::program) {
        if (is_first || draft.label != "Human") draft.label = "System";
      } else if (is_first) {
        draft.label = "Assistant";
      }
    }
  }
  return drafts;
}

std::string_view label_of(Role role, const Block& block) {
  if (role == Role::human) return "Human";
  return role == Role::system || block.author == Author::program ? "System" : "Assistant";
}

// Sections for a conversation of any format: what came in one record, in one message
// and at one time is one.
std::vector<Draft> drafts_in_order(const Conversation& conversation) {
  std::vector<Draft> drafts;
  for (const Turn& turn : conversation.turns) {
    const Block* previous = nullptr;
    for (const Block& block : turn.blocks) {
      const std::string_view label = label_of(turn.head.role, block);
      if (previous == nullptr || label != drafts.back().label ||
          previous->source_id != block.source_id || previous->message_id != block.message_id ||
          previous->recorded != block.recorded) {
        drafts.push_back({.label = label});
      }
      drafts.back().blocks.push_back(&block);
      previous = &block;
    }
  }
  return drafts;
}

// Whether the block can only have its model from its section.
bool needs_model_of_section(const Block& block) {
  const auto* unknown = std::get_if<transcript::Unknown>(&block.body);
  if (unknown == nullptr) return false;
  const json::object* raw = unknown->raw.if_object();
  return raw == nullptr || !find_string(*raw, "model");
}

struct SectionModel {
  bool has_model_blocks = false;
  std::optional<std::string> name;  // only if every block of a model names one
};

SectionModel model_of(const Draft& draft) {
  SectionModel model;
  bool is_settled = false;
  for (const Block* block : draft.blocks) {
    if (block == nullptr || block->author != Author::model) continue;
    if (!block->model) return {.has_model_blocks = true};
    if (!is_settled) {
      is_settled = needs_model_of_section(*block);
      if (!model.has_model_blocks || is_settled) model.name = block->model;
    }
    model.has_model_blocks = true;
  }
  return model;
}

// The one model of all sections, if they have one.
std::optional<std::string> common_model(const std::vector<Draft>& drafts) {
  std::optional<std::string> common;
  for (const Draft& draft : drafts) {
    const SectionModel model = model_of(draft);
    if (!model.has_model_blocks) continue;
    if (!model.name || (common && common != model.name)) return std::nullopt;
    common = model.name;
  }
  return common;
}

void append_section(std::string& out, const Draft& draft,
                    const std::optional<std::string>& common) {
  out += draft.label;
  out += ":\n";
  const SectionModel model = model_of(draft);
  if (model.name && model.name != common) append_label(out, "Model", *model.name);
  const auto has = [](auto member) {
    return
        [member](const Block* block) { return block != nullptr && (block->*member).has_value(); };
  };
  const auto timed = std::ranges::find_if(draft.blocks, has(&Block::recorded));
  if (timed != draft.blocks.end()) append_label(out, "Timestamp", to_iso8601(*(*timed)->recorded));
  const auto named = std::ranges::find_if(draft.blocks, has(&Block::message_id));
  if (named != draft.blocks.end()) append_label(out, "Message", *(*named)->message_id);

  out += "Content:\n[";
  std::string_view before = "\n";
  for (const Block* block : draft.blocks) {
    out += std::exchange(before, ",\n");
    if (block == nullptr) {
      out += "null";
    } else {
      const bool is_own = block->author == Author::model && block->model != model.name;
      append_block(out, *block, is_own ? WithModel::yes : WithModel::no);
    }
  }
  out += "\n]\n\n";
  out.append(80, '=');
  out += '\n';
}

}  // namespace

Result<Written> write_transcript(const Conversation& conversation) {
  std::string out;
  for (const FactKey& known : kFactKeys) {
    if (const auto& fact = conversation.facts.*known.fact) append_label(out, known.label, *fact);
  }
  if (conversation.facts.updated_at) {
    append_label(out, "Updated", to_iso8601(*conversation.facts.updated_at));
  }
  auto drafts = drafts_by_place(conversation);
  if (!drafts) drafts = drafts_in_order(conversation);
  const std::optional<std::string> common = common_model(*drafts);
  if (common) append_label(out, "Model", *common);
  append_label(out, "Session", conversation.heading.session_id);
  if (conversation.heading.source != "primary") {
    append_label(out, "Source", conversation.heading.source);
  }
  out += '\n';
  for (const Draft& draft : *drafts) append_section(out, draft, common);
  return Written{.text = std::move(out)};
}

}  // namespace weft::formats::anthropic
