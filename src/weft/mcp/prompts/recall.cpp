// The prompt `recall`: what was said of something.
#include <fmt/format.h>

#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/prompts/asking.hpp"
#include "weft/mcp/protocol/parameter.hpp"
#include "weft/mcp/protocol/prompt.hpp"

namespace weft::mcp {
namespace {

Served<> get(Call& call) {
  const std::string topic = text_in(call.arguments(), "topic");
  return asking(
      "What was said of something",
      fmt::format("Recall what my earlier conversations say of this: {}\n\n"
                  "Search with wot_thought_search and search_conversations in several "
                  "wordings, read around the best hits with read_turn, and tell me what "
                  "was tried, what was decided and what was left open, newest first. "
                  "Cite each thought by its CID and date. If there is nothing, say so.\n\n"
                  "{}",
                  in_quotes(topic), first_hits(call, topic)));
}

}  // namespace

const Prompt& recall_prompt() {
  static const Prompt prompt = {
      .name = "recall",
      .title = "What did we say of it?",
      .description = "Recalls what earlier conversations say of something",
      .arguments = {{.name = "topic",
                     .title = "Topic",
                     .description = "What to recall: a few words, the rarer the better",
                     .is_required = true}},
      .get = get,
  };
  return prompt;
}

}  // namespace weft::mcp
