// The prompt `why`: the reason of a thought or a decision.
#include <fmt/format.h>

#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/sanitize.hpp"
#include "weft/mcp/prompts/asking.hpp"
#include "weft/mcp/protocol/parameter.hpp"
#include "weft/mcp/protocol/prompt.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

// Enough to start with; the tools find more.
constexpr std::uint64_t kThoughts = 12;
constexpr std::uint64_t kChars = 20'000;

Served<> get(Call& call) {
  const query::Library& library = call.library();
  const std::string subject = text_in(call.arguments(), "subject");
  const Result<Cid> cid = query::resolve_thought(library, subject);
  if (!cid) {
    return asking(
        "Why something was decided",
        fmt::format(
            "Find out from my earlier conversations why this is so, and who decided it: {}\n"
            "\n"
            "Search with wot_thought_search, follow the best hits with wot_walk_because down to "
            "what a person said, and answer with the reason in a few sentences. Cite each thought "
            "you rely on by its CID and date. If the conversations do not tell, say so.\n"
            "\n"
            "{}",
            in_quotes(subject), first_hits(call, subject)));
  }
  Result<json::object> chain =
      query::why_answer(library, *cid, {.limit = kThoughts, .has_room = room_for(kChars)});
  if (!chain) return reject(code::kInternalError, chain.error().message);
  query::Names names(library);
  std::string quoted;
  for (const json::value& value : list_in(*chain, "thoughts")) {
    quoted += fmt::format("\n[{}] ", count_or_zero(value.as_object(), "depth"));
    append_thought(quoted, value.as_object(), names);
  }
  const std::string name = query::brief(cid->str());
  return asking(
      "Why a thought exists",
      fmt::format("Explain why thought {} exists: what led to it, step by step, down to "
                  "what a person asked for. Cite thoughts by their CID. Below are its "
                  "causes, nearest first; {} shows more.\n"
                  "{}",
                  name, call_of("wot_walk_because", {{"cid", name}}), quoted_data(quoted)));
}

std::vector<std::string> complete(Call& call, std::string_view, std::string_view prefix) {
  return complete_thought(call, prefix);
}

}  // namespace

const Prompt& why_prompt() {
  static const Prompt prompt = {
      .name = "why",
      .title = "Why is it so?",
      .description =
          "Explains why a thought exists, or why something was decided, from the conversations in "
          "which that happened",
      .arguments = {{.name = "subject",
                     .title = "Thought or question",
                     .description = "A thought's CID, or the decision or fact to explain",
                     .is_required = true}},
      .get = get,
      .complete = complete,
  };
  return prompt;
}

}  // namespace weft::mcp
