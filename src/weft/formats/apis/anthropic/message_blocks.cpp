#include "weft/formats/apis/anthropic/message_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft::formats::anthropic {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Role;

template <class T>
bool is(const Block& block) {
  return std::holds_alternative<T>(block.body);
}

Author author_of(Role role, const Block& block) {
  if (is<transcript::ToolResult>(block)) return Author::tool;
  if (role == Role::assistant || is<transcript::Thinking>(block) ||
      is<transcript::RedactedThinking>(block) || is<transcript::ToolCall>(block) ||
      is<transcript::Compaction>(block)) {
    return Author::model;
  }
  if (role != Role::human) return Author::program;
  if (is<transcript::Attachment>(block)) return Author::human;
  const auto* text = std::get_if<transcript::Text>(&block.body);
  // Harnesses mark the text that they insert among a person's words.
  return text != nullptr && !text->text.starts_with("<system-reminder>") ? Author::human
                                                                         : Author::program;
}

}  // namespace

std::vector<Placed> placed_blocks(Section section, std::string_view source_id, bool counted,
                                  std::uint32_t first_index) {
  std::vector<Placed> placed;
  for (Section::Item& item : section.items) {
    const auto* text = std::get_if<transcript::Text>(&item.block.body);
    if (text != nullptr && text->text.empty() && text->citations.empty()) continue;
    Block block{.body = std::move(item.block.body),
                .source_id = std::string(source_id),
                .index = first_index + item.index,
                .start = item.block.start,
                .stop = item.block.stop};
    block.extra = std::move(item.block.extra);
    block.author = author_of(section.role, block);
    // A program's text is the system prompt, unless it is marked with the role of its message.
    if (section.sent_as && block.author == Author::program && is<transcript::Text>(block)) {
      json::object extra = std::move(block.extra).value_or(json::object());
      extra["role"] = *section.sent_as;
      block.extra = std::move(extra);
    }
    if (!block.start) block.recorded = section.recorded;
    if (section.role == Role::assistant) block.message_id = section.message_id;
    if (block.author == Author::model) {
      block.model = item.block.model ? item.block.model : section.model;
    }
    placed.push_back({.block = std::move(block), .counted = counted});
  }
  const auto is_human = [](const Placed& one) { return one.block.author == Author::human; };
  if (std::ranges::any_of(placed, is_human)) {
    std::vector<Placed> results, words;
    for (Placed& one : placed) {
      one.is_persons = is_human(one) || one.block.author == Author::program;
      (one.is_persons ? words : results).push_back(std::move(one));
    }
    placed = std::move(results);
    std::ranges::move(words, std::back_inserter(placed));
  }
  return placed;
}

}  // namespace weft::formats::anthropic
