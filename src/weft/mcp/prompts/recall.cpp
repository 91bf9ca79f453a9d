// The prompt `recall`: what earlier conversations say about a subject.
#include <fmt/format.h>

#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/prompts/asking.hpp"
#include "weft/mcp/protocol/parameter.hpp"
#include "weft/mcp/protocol/prompt.hpp"

namespace weft::mcp {
namespace {

Served<> get(Call& call) {
  const std::string topic = text_in(call.arguments(), "topic");
  return asking("What earlier conversations say about a subject",
                fmt::format("Recall what my earlier conversations say about this: {}\n"
                            "\n"
                            "Search with wot_thought_search and search_conversations in several "
                            "wordings, read around the best hits with read_turn, and tell me what "
                            "was tried, what was decided and what was left open, newest first. "
                            "Cite each thought by its CID and date. If there is nothing, say so.\n"
                            "\n"
                            "{}",
                            in_quotes(topic), first_hits(call, topic)));
}

}  // namespace

const Prompt& recall_prompt() {
  static const Prompt prompt = {
      .name = "recall",
      .title = "What did we say about it?",
      .description = "Recalls what earlier conversations say about a subject",
      .arguments = {{.name = "topic",
                     .title = "Topic",
                     .description = "The subject: a few words, the rarer the better",
                     .is_required = true}},
      .get = get,
  };
  return prompt;
}

}  // namespace weft::mcp
