#include "weft/query/ask/facts.hpp"

#include "weft/base/utf8.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kTitleCodePoints = 200;

// The number of blocks to try for a title; sealed and empty ones have none.
constexpr std::size_t kTitleBlocks = 16;

// The first line of the person's first message, as far as the keyring opens it.
std::optional<std::string> first_prompt(const Library& library, const Cid& conversation) {
  const auto blocks = library.web.find_blocks(conversation, "human_input", kTitleBlocks);
  if (!blocks) return std::nullopt;
  for (const Cid& cid : *blocks) {
    const auto block = library.web.get_without_path(cid);
    if (!block) continue;
    const json::object content = thought::open_content(*block, library.keyring);
    const auto text = find_string(content, "text");
    if (!text || text->empty()) continue;
    return std::string(slice_code_points(text->substr(0, text->find('\n')), 0, kTitleCodePoints));
  }
  return std::nullopt;
}

}  // namespace

ReadFacts read_facts(const Library& library, const store::ConversationRow& conversation) {
  if (!conversation.facts) return {};
  const Result<thought::Thought> thought = library.web.get_without_path(*conversation.facts);
  if (!thought) return {};
  const json::object content = thought::open_content(*thought, library.keyring);
  return {.known = thought::parse_facts(content),
          .is_sealed = find_object(content, "$layers") != nullptr};
}

std::optional<std::string> title_of(const Library& library, const Cid& conversation,
                                    const thought::KnownFacts& known) {
  return known.facts.title ? known.facts.title : first_prompt(library, conversation);
}

json::value text_or_null(const std::optional<std::string>& text) {
  return text ? json::value(*text) : json::value(nullptr);
}

}  // namespace weft::query
