#include "weft/formats/adapters/cline/ui.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/members.hpp"

namespace weft::formats::cline {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::ToolCall;
using transcript::ToolResult;

constexpr std::string_view kProgress = "progress";

// How a kind is emitted.
enum class As {
  model_text,
  human_text,
  thinking,
  request,
  tool,      // {tool, …}
  command,   // the command line
  output,    // what a command printed
  server,    // {serverName, toolName, arguments}
  answer,    // of such a server
  browser,   // an action
  page,      // what came of it
  question,  // {question, options} or the question
  response,  // {response, options} or the response
  subtask,   // what came of one
  failure,
  compaction,
  progress,
};

struct Kind {
  std::string_view name;  // of either type
  As as;
};
constexpr std::array<Kind, 60> kKinds = {{
    {"task", As::human_text},
    {"text", As::model_text},
    {"reasoning", As::thinking},
    {"completion_result", As::model_text},
    {"user_feedback", As::human_text},
    {"user_feedback_diff", As::human_text},
    {"api_req_started", As::request},
    {"deleted_api_reqs", As::request},
    {"subagent_usage", As::request},
    {"tool", As::tool},
    {"command", As::command},
    {"command_output", As::output},
    {"use_mcp_server", As::server},
    {"mcp_server_response", As::answer},
    {"browser_action_launch", As::browser},
    {"browser_action", As::browser},
    {"browser_action_result", As::page},
    {"followup", As::question},
    {"plan_mode_respond", As::response},
    {"act_mode_respond", As::response},
    {"subtask_result", As::subtask},
    {"error", As::failure},
    {"error_retry", As::failure},
    {"diff_error", As::failure},
    {"clineignore_error", As::failure},
    {"rooignore_error", As::failure},
    {"too_many_tools_warning", As::progress},
    {"api_req_failed", As::failure},
    {"mistake_limit_reached", As::failure},
    {"condense", As::compaction},
    {"condense_context", As::compaction},
    {"summarize_task", As::compaction},
    {"sliding_window_truncation", As::compaction},
    {"condense_context_error", As::failure},
    {"api_req_finished", As::progress},
    {"api_req_retried", As::progress},
    {"api_req_retry_delayed", As::progress},
    {"api_req_rate_limit_wait", As::progress},
    {"api_req_deleted", As::progress},
    {"auto_approval_max_req_reached", As::progress},
    {"checkpoint_created", As::progress},
    {"checkpoint_saved", As::progress},
    {"codebase_search_result", As::answer},
    {"command_permission_denied", As::failure},
    {"generate_explanation", As::progress},
    {"hook_output_stream", As::progress},
    {"hook_status", As::progress},
    {"info", As::progress},
    {"load_mcp_documentation", As::progress},
    {"mcp_notification", As::progress},
    {"mcp_server_request_started", As::progress},
    {"new_task", As::tool},
    {"new_task_started", As::progress},
    {"resume_completed_task", As::progress},
    {"resume_task", As::progress},
    {"shell_integration_warning", As::progress},
    {"shell_integration_warning_with_suggestion", As::progress},
    {"subagent", As::progress},
    {"task_progress", As::model_text},
    {"use_subagents", As::tool},
}};

std::optional<json::object> parse_object(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || parsed->inexact || !parsed->value.is_object()) return std::nullopt;
  return std::move(parsed->value.get_object());
}

AuthoredBlock text_by(Author author, std::string_view text) {
  return {author, transcript::Text{.text = std::string(text), .citations = {}}};
}

AuthoredBlock call(std::string_view name, json::value input) {
  return {Author::model, ToolCall{.id = {}, .name = std::string(name), .input = std::move(input)}};
}

AuthoredBlock result(std::string_view name, std::string_view text) {
  return {Author::tool,
          ToolResult{.call_id = {}, .name = std::string(name), .text = std::string(text)}};
}

// "data:image/png;base64,…" of the person, or a path.
void add_attachments(const json::object& object, std::vector<AuthoredBlock>& blocks) {
  for (const std::string_view key : {"images", "files"}) {
    const json::array* items = find_array(object, key);
    for (const json::value& item : items == nullptr ? json::array() : *items) {
      if (!item.is_string()) continue;
      const std::string_view text = view(item.get_string());
      Attachment attachment{.kind = key == "images" ? "image" : "file"};
      constexpr std::string_view kBase64 = ";base64,";
      const std::size_t at = text.starts_with("data:") ? text.find(kBase64) : text.npos;
      if (at != text.npos) {
        attachment.mime = text.substr(5, at - 5);
        attachment.data = text.substr(at + kBase64.size());
      } else {
        attachment.reference = text;
      }
      blocks.push_back({Author::human, std::move(attachment)});
    }
  }
}

AuthoredBlock parse_tool(std::string_view kind, std::string_view text) {
  auto tool = parse_object(text);
  if (!tool) return call(kind, json::object{{"text", text}});
  const std::string name(find_string(*tool, "tool").value_or(kind));
  tool->erase("tool");
  return call(name, *std::move(tool));
}

AuthoredBlock parse_server(std::string_view text) {
  auto use = parse_object(text);
  if (!use) return call("use_mcp_tool", json::object{{"text", text}});
  return call(find_string(*use, "type").value_or("use_mcp_tool"), *std::move(use));
}

std::string member_or_text(std::string_view text, std::string_view key) {
  const auto object = parse_object(text);
  const auto member = object ? find_string(*object, key) : std::nullopt;
  return std::string(member ? *member : text);
}

AuthoredBlock parse_question(std::string_view text) {
  auto question = parse_object(text);
  if (!question) question = json::object{{"question", text}};
  return call("ask_followup_question", *std::move(question));
}

AuthoredBlock parse_condensed(const json::object& object, std::string_view text) {
  for (const std::string_view key : {"contextCondense", "contextTruncation"}) {
    const json::object* condensed = find_object(object, key);
    const auto summary = condensed == nullptr ? std::nullopt : find_string(*condensed, "summary");
    if (summary && text.empty()) text = *summary;
  }
  return {Author::model, transcript::Compaction{.summary = std::string(text)}};
}

}  // namespace

bool is_ui_message(const json::object& object) {
  const auto type = find_string(object, "type");
  if (!type || (type != "say" && type != "ask")) return false;
  return object.contains("ts") && find_string(object, *type).has_value();
}

std::string ui_kind(const json::object& object) {
  const std::string_view type = find_string(object, "type").value_or("");
  return std::string(type) + ":" + std::string(find_string(object, type).value_or(""));
}

UiMessage parse_ui_message(const json::object& object, IsFirst is_first) {
  const std::string_view type = find_string(object, "type").value_or("");
  UiMessage message{.kind = find_string(object, type).value_or(""),
                    .is_partial = find_bool(object, "partial").value_or(false),
                    .time = find_moment(object, "ts"),
                    .blocks = {},
                    .usage = {},
                    .is_request = false,
                    .noise = {}};
  const std::string_view text = find_string(object, "text").value_or("");
  const auto kind = std::ranges::find(kKinds, message.kind, &Kind::name);
  As as = kind == kKinds.end() ? As::progress : kind->as;
  if (kind == kKinds.end() && !text.empty()) {
    message.blocks.push_back(
        {Author::program,
         transcript::Unknown{.block_type = ui_kind(object), .raw = object, .raw_text = {}}});
    return message;
  }
  if (is_first == IsFirst::yes && as == As::model_text) as = As::human_text;
  // The question whether the task is done: the result itself came before it.
  if (type == "ask" && message.kind == "completion_result") as = As::progress;
  if (as == As::request) {
    message.is_request = true;
    message.usage = parse_request_usage(text);
    const auto info = parse_object(text);
    const auto failed = info ? find_string(*info, "streamingFailedMessage") : std::nullopt;
    if (failed && !failed->empty()) {
      message.blocks.push_back(
          {Author::program, transcript::Failure{.text = std::string(*failed), .details = {}}});
    }
    return message;
  }
  const bool has_attachments =
      find_array(object, "images") != nullptr || find_array(object, "files") != nullptr;
  if (as == As::progress || (text.empty() && as != As::compaction && !has_attachments)) {
    message.noise = kProgress;
    return message;
  }
  auto& authored = message.blocks;
  switch (as) {
    case As::model_text: authored.push_back(text_by(Author::model, text)); break;
    case As::human_text:
      if (!text.empty()) authored.push_back(text_by(Author::human, text));
      add_attachments(object, authored);
      break;
    case As::thinking: {
      transcript::Thinking thinking;
      thinking.text = text;
      thinking.cut_off = message.is_partial;
      authored.push_back({Author::model, std::move(thinking)});
      break;
    }
    case As::tool: authored.push_back(parse_tool(message.kind, text)); break;
    case As::command:
      authored.push_back(call("execute_command", json::object{{"command", text}}));
      break;
    case As::output: authored.push_back(result("execute_command", text)); break;
    case As::server: authored.push_back(parse_server(text)); break;
    case As::answer: authored.push_back(result("use_mcp_tool", text)); break;
    case As::browser: authored.push_back(parse_tool("browser_action", text)); break;
    case As::page: authored.push_back(result("browser_action", text)); break;
    case As::question: authored.push_back(parse_question(text)); break;
    case As::response:
      authored.push_back(text_by(Author::model, member_or_text(text, "response")));
      break;
    case As::subtask: authored.push_back(result("new_task", text)); break;
    case As::failure:
      authored.push_back(
          {Author::program, transcript::Failure{.text = std::string(text), .details = {}}});
      break;
    case As::compaction: authored.push_back(parse_condensed(object, text)); break;
    case As::request:
    case As::progress: break;
  }
  if (authored.empty()) message.noise = kProgress;
  return message;
}

}  // namespace weft::formats::cline
