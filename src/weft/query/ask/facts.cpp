#include "weft/query/ask/facts.hpp"

#include "weft/base/utf8.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kTitleCodePoints = 200;

// The number of blocks to try for a title; sealed and empty ones have none.
constexpr std::size_t kTitleBlocks = 16;

std::string first_line(std::string_view text) {
  return std::string(slice_code_points(text.substr(0, text.find('\n')), 0, kTitleCodePoints));
}

// The first line of the person's first message, as far as the keyring opens it.
std::optional<std::string> first_prompt(const Library& library, const Cid& conversation) {
  const auto blocks = library.web.find_blocks(conversation, "human_input", kTitleBlocks);
  if (!blocks) return std::nullopt;
  for (const Cid& cid : *blocks) {
    const auto block = library.web.get_without_path(cid);
    if (!block) continue;
    const json::object content = open_content(library, *block);
    const auto text = find_string(content, "text");
    if (!text || text->empty()) continue;
    return first_line(*text);
  }
  return std::nullopt;
}

}  // namespace

void add_summary(const Library& library, const store::ConversationRow& conversation,
                 transcript::Facts& facts) {
  if (facts.summary) return;
  const auto summaries = library.web.neighbours_by(conversation.created_by, conversation.cid,
                                                   "summarizes", store::Direction::to);
  if (!summaries || summaries->empty()) return;
  const auto summary = library.web.get_without_path(summaries->back());
  if (!summary) return;
  const json::object content = open_content(library, *summary);
  const auto text = find_string(content, "text");
  if (!text || text->empty()) return;
  facts.summary = std::string(*text);
  const auto first = first_prompt(library, conversation.cid);
  const bool is_first_words =
      facts.title && first &&
      (facts.title->starts_with(*first) || first->starts_with(*facts.title));
  if (!facts.title || is_first_words) facts.title = first_line(*text);
}

ReadFacts read_facts(const Library& library, const store::ConversationRow& conversation) {
  if (!conversation.facts) return {};
  const Result<thought::Thought> thought = library.web.get_without_path(*conversation.facts);
  if (!thought) return {};
  const json::object content = open_content(library, *thought);
  ReadFacts read{.known = thought::parse_facts(content),
                 .is_sealed = find_object(content, "$layers") != nullptr};
  add_summary(library, conversation, read.known.facts);
  return read;
}

std::optional<std::string> title_of(const Library& library, const Cid& conversation,
                                    const thought::KnownFacts& known) {
  return known.facts.title ? known.facts.title : first_prompt(library, conversation);
}

std::optional<std::string> title_of(const store::CatalogueEntry& entry) {
  return entry.known.facts.title ? entry.known.facts.title : entry.prompt;
}

json::value text_or_null(const std::optional<std::string>& text) {
  return text ? json::value(*text) : json::value(nullptr);
}

}  // namespace weft::query
