#include "weft/formats/adapters/codex/tools.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/codex/items.hpp"
#include "weft/formats/adapters/codex/line.hpp"
#include "weft/formats/adapters/codex/results.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Author;
using transcript::ToolCall;
using transcript::ToolResult;

// Those members of `item` that are there and say something.
json::object members(const json::object& item, std::initializer_list<std::string_view> keys) {
  json::object chosen;
  for (const std::string_view key : keys) {
    const json::value* value = find_member(item, key);
    if (value != nullptr && !value->is_null()) chosen[key] = *value;
  }
  return chosen;
}

std::string_view first_string(const json::object& item,
                              std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto text = find_string(item, key);
    if (text && !text->empty()) return *text;
  }
  return {};
}

std::vector<AuthoredBlock> pair(std::string id, std::string name, json::value input,
                                ToolResult result) {
  result.call_id = id;
  result.name = name;
  return {{Author::model,
           ToolCall{.id = std::move(id), .name = std::move(name), .input = std::move(input)}},
          {Author::tool, std::move(result)}};
}

bool has_failed(const json::object& item) {
  if (const auto code = find_int(item, "exit_code")) return *code != 0;
  if (const auto success = find_bool(item, "success")) return !*success;
  const auto status = find_string(item, "status");
  return status == "failed" || status == "declined";
}

ToolResult printed(const json::object& item) {
  ToolResult result{
      .call_id = {},
      .name = {},
      .text = std::string(first_string(item, {"aggregated_output", "formatted_output"})),
      .is_error = has_failed(item)};
  if (result.text.empty()) {
    result.text = find_string(item, "stdout").value_or("");
    result.text += find_string(item, "stderr").value_or("");
  }
  json::object details = members(item, {"exit_code", "status"});
  if (!details.empty()) result.details = std::move(details);
  return result;
}

std::vector<AuthoredBlock> command(std::string id, const json::object& item) {
  return pair(std::move(id), "exec_command", members(item, {"command", "cwd"}), printed(item));
}

std::vector<AuthoredBlock> patch(std::string id, const json::object& item) {
  return pair(std::move(id), "apply_patch", members(item, {"changes"}), printed(item));
}

// {"Ok":{"content":[…],"isError":false}}, {"Err":"…"}, or what is in Ok alone.
ToolResult mcp_result(const json::object& item) {
  const json::value* given = find_member(item, "result");
  const json::object* object = given == nullptr ? nullptr : given->if_object();
  ToolResult result;
  if (object != nullptr && object->contains("Err")) {
    result = parse_output(object->at("Err"));
    result.is_error = true;
    return result;
  }
  if (const json::object* ok = object == nullptr ? nullptr : find_object(*object, "Ok"))
    object = ok;
  if (object != nullptr) {
    const json::value* content = find_member(*object, "content");
    if (content != nullptr) result = parse_output(*content);
    const json::value* structured = find_member(*object, "structuredContent");
    if (structured != nullptr && !structured->is_null()) result.details = *structured;
    result.is_error = find_bool(*object, "isError").value_or(false);
  }
  if (const json::object* error = find_object(item, "error")) {
    result.text += find_string(*error, "message").value_or("");
    result.is_error = true;
  }
  return result;
}

std::vector<AuthoredBlock> mcp(std::string id, const json::object& item) {
  const json::object* invocation = find_object(item, "invocation");
  const json::object& asked = invocation == nullptr ? item : *invocation;
  const json::value* arguments = find_member(asked, "arguments");
  return pair(std::move(id),
              openai::mcp_name(find_string(asked, "server").value_or(""),
                               find_string(asked, "tool").value_or("")),
              arguments == nullptr ? json::value() : *arguments, mcp_result(item));
}

std::vector<AuthoredBlock> search(std::string id, const json::object& item) {
  const json::object* action = find_object(item, "action");
  std::vector<AuthoredBlock> blocks =
      pair(std::move(id), "web_search", action == nullptr ? members(item, {"query"}) : *action, {});
  const json::array* results = find_array(item, "results");
  if (results == nullptr || results->empty()) blocks.pop_back();
  else std::get<ToolResult>(blocks[1].body).details = *results;
  return blocks;
}

std::string agent_of(const json::object& item) {
  for (const std::string_view key : {"new_thread_id", "agent_thread_id"}) {
    if (const auto agent = find_name(item, key)) return std::string(*agent);
  }
  const json::array* receivers = find_array(item, "receiver_thread_ids");
  if (receivers == nullptr || receivers->size() != 1 || !(*receivers)[0].is_string()) return {};
  const std::string_view agent = view((*receivers)[0].get_string());
  return agent.size() <= kMaxNameBytes ? std::string(agent) : std::string();
}

bool is_users_shell(const json::object& item) {
  const auto source = find_string(item, "source");
  return source == "user_shell" || source == "userShell";
}

}  // namespace

std::optional<ToolEvent> parse_tool_event(std::string_view type, const json::object& payload) {
  ToolEvent event{.call_id = std::string(first_string(payload, {"call_id", "event_id"}))};
  if (event.call_id.size() > kMaxNameBytes) event.call_id.clear();
  if (type == "exec_command_end") {
    if (!is_users_shell(payload)) event.blocks = command(event.call_id, payload);
  } else if (type == "patch_apply_end") {
    event.blocks = patch(event.call_id, payload);
  } else if (type == "mcp_tool_call_end") {
    event.blocks = mcp(event.call_id, payload);
  } else if (type == "web_search_end") {
    event.blocks = search(event.call_id, payload);
    event.has_results = event.blocks.size() > 1;
  } else if (type == "image_generation_end") {
    json::object item = members(payload, {"call_id", "status", "revised_prompt", "result"});
    item["type"] = "image_generation_call";
    event.blocks = parse_item(item, Prompter::program).blocks;
  } else if (type == "sub_agent_activity" ||
             (type.starts_with("collab_") && type.ends_with("_end"))) {
    event.agent = agent_of(payload);
  } else {
    return std::nullopt;
  }
  return event;
}

std::optional<ToolEvent> parse_tool_item(const json::object& item) {
  const std::string_view type = find_string(item, "type").value_or("");
  const std::string id(find_name(item, "id").value_or(""));
  ToolEvent event{.call_id = id};
  if (type == "CommandExecution") {
    if (!is_users_shell(item)) event.blocks = command(id, item);
  } else if (type == "FileChange") {
    event.blocks = patch(id, item);
  } else if (type == "McpToolCall") {
    event.blocks = mcp(id, item);
  } else if (type == "WebSearch" || (type == "Extension" && item.contains("query"))) {
    event.blocks = search(id, item);
    event.has_results = event.blocks.size() > 1;
  } else if (type == "CollabAgentToolCall" || type == "SubAgentActivity") {
    event.agent = agent_of(item);
  } else {
    return std::nullopt;
  }
  return event;
}

ItemContent parse_exec_item(const json::object& item) {
  const std::string_view type = find_string(item, "type").value_or("");
  const std::string id(find_name(item, "id").value_or(""));
  const std::string text(find_string(item, "text").value_or(""));
  if (type == "agent_message") return {.blocks = {{Author::model, transcript::Text{text}}}};
  if (type == "reasoning") {
    return {.blocks = {{Author::model, transcript::Thinking{.text = {}, .summaries = {text}}}}};
  }
  if (type == "command_execution") return {.blocks = command(id, item)};
  if (type == "file_change") return {.blocks = patch(id, item)};
  if (type == "mcp_tool_call") return {.blocks = mcp(id, item)};
  if (type == "web_search") return {.blocks = search(id, item)};
  if (type == "todo_list") {
    return {
        .blocks = {{Author::model,
                    ToolCall{.id = id, .name = "update_plan", .input = members(item, {"items"})}}}};
  }
  if (type == "error") {
    return {.blocks = {{Author::program,
                        transcript::Failure{
                            .text = std::string(find_string(item, "message").value_or(""))}}}};
  }
  return {.blocks = {{Author::program, openai::unknown_of(type, item)}}};
}

}  // namespace weft::formats::codex
