#include "weft/query/edits/call_story.hpp"

#include <deque>

#include "weft/base/try.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/sessions/exchanges.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

// Causes that are looked at for one call. A prompt that is further away asked for something else.
constexpr std::size_t kMostCauses = 5'000;

}  // namespace

Status CallStories::add(const Cid& conversation, const Cid& request, json::object& answer) {
  WEFT_TRY_VALUE(const Story* story, story_of(request));
  answer["request_cid"] = request.str();
  add_conversation(conversation, answer);
  answer["time"] = story->time;
  answer["model"] = story->model;
  if (story->thinking) answer["thinking_cid"] = story->thinking->str();
  if (story->prompt) {
    answer["prompt_cid"] = story->prompt->cid.str();
    answer["reason"] = story->prompt->words;
  }
  return {};
}

void CallStories::add_conversation(const Cid& conversation, json::object& answer) {
  answer["conversation_cid"] = conversation.str();
  for (const auto& member : conversation_of(conversation)) {
    answer[member.key()] = member.value();
  }
}

Result<std::optional<Cid>> CallStories::prompt_of(const Cid& request) {
  WEFT_TRY_VALUE(const Story* story, story_of(request));
  if (!story->prompt) return std::nullopt;
  return story->prompt->cid;
}

const json::object& CallStories::conversation_of(const Cid& cid) {
  const auto [found, is_new] = conversations_.try_emplace(cid);
  if (!is_new) return found->second;
  const Result<store::ConversationRow> row = library_.web.conversation(cid);
  if (!row) return found->second;
  const json::object described = describe(library_, *row);
  for (const std::string_view member : {"session_id", "title"}) {
    if (const json::value* value = find_member(described, member)) found->second[member] = *value;
  }
  return found->second;
}

Result<const CallStories::Story*> CallStories::story_of(const Cid& request) {
  if (const auto found = stories_.find(request); found != stories_.end()) return &found->second;
  WEFT_TRY_VALUE(const auto thought, library_.web.get_without_path(request));
  Story story{.time = thought.created_at, .model = names_.of(thought.created_by.str())};
  WEFT_TRY_VALUE(story.prompt, find_prompt(request, story.thinking));
  return &stories_.emplace(request, std::move(story)).first->second;
}

// Breadth first, so that the nearest words are found first. The thoughts between a call and its
// prompt remember it: a later call of the same exchange need not go all the way.
Result<std::optional<CallStories::Prompt>> CallStories::find_prompt(const Cid& request,
                                                                    std::optional<Cid>& thinking) {
  std::unordered_map<Cid, Cid> came_from;
  std::deque<Cid> queue{request};
  const auto remember = [&](Cid at, const std::optional<Prompt>& prompt) {
    for (auto from = came_from.find(at); from != came_from.end(); from = came_from.find(at)) {
      at = from->second;
      prompts_[at] = prompt;
    }
    return prompt;
  };
  for (std::size_t looked = 0; !queue.empty() && looked < kMostCauses; ++looked) {
    const Cid cid = queue.front();
    queue.pop_front();
    const Result<thought::Thought> thought = library_.web.get_without_path(cid);
    if (!thought && thought.error().code == ErrorCode::not_found && looked > 0) continue;
    if (!thought) return fail(Error(thought.error()));
    const std::string_view kind = thought::kind_of(thought->type);
    if (!thinking && kind == "thinking") thinking = cid;
    if (kind == "human_input") {
      const json::object content = thought::open_content(*thought, library_.keyring);
      const auto text = find_string(content, "text");
      if (text && !is_command(*text)) {
        return remember(cid, Prompt{.cid = cid, .words = first_words(*text)});
      }
    }
    if (const auto known = prompts_.find(cid); known != prompts_.end() && thinking) {
      return remember(cid, std::optional<Prompt>(known->second));
    }
    WEFT_TRY_VALUE(const auto steps, causes_(*thought, foreigners_));
    for (const Step& step : steps) {
      if (step.cid != request && came_from.try_emplace(step.cid, cid).second) {
        queue.push_back(step.cid);
      }
    }
  }
  return std::nullopt;
}

}  // namespace weft::query
