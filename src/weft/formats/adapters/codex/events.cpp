#include "weft/formats/adapters/codex/events.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/codex/line.hpp"
#include "weft/formats/adapters/codex/prompt_origin.hpp"
#include "weft/formats/adapters/codex/tools.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Author;
using transcript::Text;
using Kind = Event::Kind;

// Events that repeat an item or the header.
constexpr auto kMirrors = std::to_array<std::string_view>(
    {"context_compacted", "exited_review_mode", "plan_update", "turn_diff", "view_image_tool_call",
     "raw_response_item", "session_configured", "user_turn", "dynamic_tool_call_request",
     "dynamic_tool_call_response"});

// Events of the harness itself.
constexpr auto kInternal = std::to_array<std::string_view>({"thread_settings_applied",
                                                            "thread_goal_updated",
                                                            "guardian_assessment",
                                                            "undo_completed",
                                                            "undo_started",
                                                            "turn.started",
                                                            "turn.completed",
                                                            "warning",
                                                            "deprecation_notice",
                                                            "mcp_startup_update",
                                                            "mcp_startup_complete",
                                                            "model_reroute",
                                                            "shutdown_complete",
                                                            "request_user_input",
                                                            "elicitation_request",
                                                            "exec_approval_request",
                                                            "apply_patch_approval_request",
                                                            "hook_started",
                                                            "hook_completed",
                                                            "item_started",
                                                            "realtime_conversation_started",
                                                            "realtime_conversation_closed",
                                                            "skills_update_available",
                                                            "sub_agent_activity",
                                                            "entered_review_mode"});

constexpr auto kTurnEdges = std::to_array<std::string_view>(
    {"task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted"});

constexpr auto kProgress = std::to_array<std::string_view>(
    {"background_event", "stream_error", "agent_reasoning_section_break", "terminal_interaction"});

bool is_progress(std::string_view type) {
  return is_one_of(type, kProgress) || type.ends_with("_delta") || type.ends_with("_begin") ||
         type.find('/') != std::string_view::npos;
}

Event message(PairKind pair_kind, std::string words, std::vector<AuthoredBlock> authored) {
  Event event{.kind = Kind::message};
  event.content.pair_kind = pair_kind;
  event.content.is_prompt = pair_kind == PairKind::prompt;
  event.content.blocks = std::move(authored);
  event.content.match_texts.push_back(std::move(words));
  return event;
}

void add_images(Event& event, const json::object& payload, Author author) {
  for (const std::string_view key : {"images", "local_images"}) {
    const json::array* images = find_array(payload, key);
    if (images == nullptr) continue;
    for (const json::value& image : *images) {
      if (image.is_string()) {
        event.content.blocks.push_back({author, openai::image_of(view(image.get_string()))});
      }
    }
  }
}

Event persons_words(std::string_view words, const json::object& payload, Prompter prompter) {
  const std::string_view kind = find_string(payload, "kind").value_or("plain");
  if (kind == "environment_context" || kind == "user_instructions" || openai::is_injected(words) ||
      is_shell_command(words)) {
    return {.reason = "mirror"};
  }
  const bool is_person = prompter == Prompter::person;
  std::vector<AuthoredBlock> blocks;
  if (is_person && !words.empty()) blocks = words_of(words);
  else if (!words.empty()) blocks.push_back({Author::program, Text{std::string(words)}});
  Event event = message(PairKind::prompt, std::string(words), std::move(blocks));
  add_images(event, payload, is_person ? Author::human : Author::program);
  return event;
}

Event models_words(std::string_view words) {
  std::vector<AuthoredBlock> blocks;
  if (!words.empty()) blocks.push_back({Author::model, Text{std::string(words)}});
  return message(PairKind::answer, std::string(words), std::move(blocks));
}

Event reasoning(transcript::Thinking thinking) {
  Event event{.kind = Kind::message};
  event.content.pair_kind = PairKind::reasoning;
  event.content.match_texts = thinking.summaries;
  if (!thinking.text.empty()) event.content.match_texts.push_back(thinking.text);
  if (!event.content.match_texts.empty()) {
    event.content.blocks.push_back({Author::model, std::move(thinking)});
  }
  return event;
}

std::string joined(const json::object& item, std::string_view key) {
  std::string text;
  const json::array* parts = find_array(item, key);
  if (parts == nullptr) return text;
  for (const json::value& part : *parts) {
    const json::object* object = part.if_object();
    if (const json::string* words = part.if_string()) text += view(*words);
    else if (object != nullptr) text += find_string(*object, "text").value_or("");
  }
  return text;
}

transcript::Thinking thinking_of(const json::object& item) {
  transcript::Thinking thinking{.text = joined(item, "raw_content"), .signature = {}};
  if (const json::array* summaries = find_array(item, "summary_text")) {
    for (const json::value& summary : *summaries) {
      if (summary.is_string()) thinking.summaries.emplace_back(view(summary.get_string()));
    }
  }
  return thinking;
}

Event failure(const json::object& holder) {
  const json::object* error = find_object(holder, "error");
  const json::object& source = error == nullptr ? holder : *error;
  Event event{.kind = Kind::failure, .ends_wait = true};
  event.content.blocks.push_back(
      {Author::program,
       transcript::Failure{.text = std::string(find_string(source, "message").value_or("")),
                           .details = openai::unknown_of("", source).raw}});
  return event;
}

Event tool(ToolEvent parsed) {
  Event event{.kind = Kind::tool};
  event.call_id = std::move(parsed.call_id);
  event.agent = std::move(parsed.agent);
  event.has_results = parsed.has_results;
  event.content.blocks = std::move(parsed.blocks);
  if (event.content.blocks.empty()) event.kind = Kind::skip;
  return event;
}

// Since late 2026 all shown content comes in this form, with its item's id.
Event completed(const json::object& payload, Prompter prompter) {
  const json::object* item = find_object(payload, "item");
  if (item == nullptr) return {};
  const std::string_view type = find_string(*item, "type").value_or("");
  Event event{.reason = "mirror"};
  if (type == "UserMessage") event = persons_words(joined(*item, "content"), *item, prompter);
  else if (type == "AgentMessage") event = models_words(joined(*item, "content"));
  else if (type == "Reasoning") event = reasoning(thinking_of(*item));
  else if (auto parsed = parse_tool_item(*item)) event = tool(std::move(*parsed));
  else return event;
  const auto id = find_name(*item, "id");
  if (event.kind == Kind::message && type != "UserMessage" && id) event.item_id = *id;
  return event;
}

Event turn_edge(std::string_view type, const json::object& payload) {
  const json::object* error = find_object(payload, "error");
  if (type.ends_with("_complete") && error != nullptr && find_string(*error, "message")) {
    return failure(payload);
  }
  // A prompt may be shown before its turn starts.
  const bool is_start = type.ends_with("_started");
  return {.ends_wait = !is_start, .begins_turn = is_start};
}

}  // namespace

Event parse_event(const json::object& payload, Prompter prompter) {
  const std::string_view type = find_string(payload, "type").value_or("");
  const auto words = [&](std::string_view key) { return find_string(payload, key).value_or(""); };
  if (type == "user_message") return persons_words(words("message"), payload, prompter);
  if (type == "agent_message") return models_words(words("message"));
  if (type == "agent_reasoning") {
    if (words("text").empty()) return {.reason = "empty"};
    return reasoning({.text = {}, .summaries = {std::string(words("text"))}});
  }
  if (type == "agent_reasoning_raw_content") {
    return reasoning({.text = std::string(words("text"))});
  }
  if (type == "item_completed") return completed(payload, prompter);
  if (type == "token_count") return {.kind = Kind::usage};
  if (type == "error") return failure(payload);
  if (type == "thread_rolled_back") {
    return {.kind = Kind::rollback,
            .reason = "rollback",
            .ends_wait = true,
            .prompts = find_int(payload, "num_turns").value_or(0)};
  }
  if (type == "thread_name_updated") {
    const auto name = find_string(payload, "thread_name");
    return {.kind = Kind::title, .title = std::string(name ? *name : words("name"))};
  }
  if (auto parsed = parse_tool_event(type, payload)) return tool(std::move(*parsed));
  if (is_one_of(type, kTurnEdges)) return turn_edge(type, payload);
  if (type == "entered_review_mode" && !words("prompt").empty()) {
    Event event{.kind = Kind::content, .ends_wait = true};
    event.content.blocks.push_back({Author::program, Text{std::string(words("prompt"))}});
    return event;
  }
  if (is_one_of(type, kMirrors)) return {.reason = "mirror"};
  if (is_one_of(type, kInternal)) return {};
  if (is_progress(type)) return {.reason = "progress"};
  Event event{.kind = Kind::content};
  event.content.blocks.push_back({Author::program, openai::unknown_of(type, payload)});
  return event;
}

}  // namespace weft::formats::codex
