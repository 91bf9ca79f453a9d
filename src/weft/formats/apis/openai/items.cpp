// Parses the items of the Responses API. A tool that OpenAI runs has its call and result in one
// item; the result of any other tool is an item of its own.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/openai/item_parts.hpp"
#include "weft/formats/apis/openai/message.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::ToolCall;
using transcript::ToolResult;
using From = Message::From;

constexpr std::array<std::string_view, 29> kTypes = {"message",
                                                     "reasoning",
                                                     "function_call",
                                                     "function_call_output",
                                                     "custom_tool_call",
                                                     "custom_tool_call_output",
                                                     "local_shell_call",
                                                     "local_shell_call_output",
                                                     "shell_call",
                                                     "shell_call_output",
                                                     "apply_patch_call",
                                                     "apply_patch_call_output",
                                                     "web_search_call",
                                                     "file_search_call",
                                                     "code_interpreter_call",
                                                     "image_generation_call",
                                                     "computer_call",
                                                     "computer_call_output",
                                                     "mcp_list_tools",
                                                     "mcp_approval_request",
                                                     "mcp_approval_response",
                                                     "mcp_call",
                                                     "tool_search_call",
                                                     "tool_search_output",
                                                     "program",
                                                     "program_output",
                                                     "compaction",
                                                     "additional_tools",
                                                     "item_reference"};

const json::value& member_of(const json::object& item, std::string_view key) {
  static const json::value nothing;
  const json::value* value = find_member(item, key);
  return value == nullptr ? nothing : *value;
}

json::object members(const json::object& item, std::initializer_list<std::string_view> keys) {
  json::object kept;
  for (const std::string_view key : keys) {
    if (const json::value* value = find_given(item, key)) kept[key] = *value;
  }
  return kept;
}

// Calls are linked by their call_id; those that OpenAI answers itself have only an id.
std::string call_of(const json::object& item) {
  const std::string id = name_in(item, "call_id");
  return id.empty() ? name_in(item, "id") : id;
}

std::string full_name(const json::object& item) {
  const std::string name = name_in(item, "name"), space = name_in(item, "namespace");
  return space.empty() || space == name ? name : space + "." + name;
}

Message call(const json::object& item, std::string name, json::value input) {
  return {.blocks = {
              {Author::model,
               ToolCall{.id = call_of(item), .name = std::move(name), .input = std::move(input)}}}};
}

Message result(const json::object& item, std::string name, ToolResult body) {
  body.call_id = name_in(item, "call_id");
  body.name = std::move(name);
  const auto status = find_string(item, "status");
  if (status == "failed") body.is_error = true;
  return {.from = From::tool, .blocks = {{Author::tool, std::move(body)}}};
}

// The result in a call's own item, once it has come to its end.
void answer(Message& message, const json::object& item, ToolResult body) {
  const std::string status = name_in(item, "status");
  if (status == "in_progress" || status == "searching" || status == "interpreting" ||
      status == "generating" || status == "calling" || status == "incomplete") {
    return;
  }
  const auto& asked = std::get<ToolCall>(message.blocks.front().body);
  body.call_id = asked.id;
  body.name = asked.name;
  if (status == "failed") body.is_error = true;
  message.blocks.push_back({Author::tool, std::move(body)});
}

void add_line(std::string& text, std::string_view more) {
  if (more.empty()) return;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += more;
}

Message web_search(const json::object& item) {
  json::value input = member_of(item, "action");
  ToolResult found;
  if (json::object* action = input.if_object()) {
    if (const json::value* sources = find_given(*action, "sources")) found.details = *sources;
    action->erase("sources");
  }
  Message message = call(item, "web_search", std::move(input));
  answer(message, item, std::move(found));
  return message;
}

Message file_search(const json::object& item) {
  Message message = call(item, "file_search", members(item, {"queries"}));
  ToolResult found;
  if (const json::array* results = find_array(item, "results")) {
    for (const json::value& value : *results) {
      const json::object* one = value.if_object();
      if (one != nullptr) add_line(found.text, find_string(*one, "text").value_or(""));
    }
    found.details = *results;
  }
  answer(message, item, std::move(found));
  return message;
}

Message code_interpreter(const json::object& item) {
  Message message = call(item, "code_interpreter", members(item, {"code"}));
  ToolResult printed;
  std::vector<Attachment> images;
  if (const json::array* outputs = find_array(item, "outputs")) {
    for (const json::value& value : *outputs) {
      const json::object* one = value.if_object();
      if (one == nullptr) continue;
      add_line(printed.text, find_string(*one, "logs").value_or(""));
      if (const auto url = find_string(*one, "url")) images.push_back(image_of(*url));
    }
  }
  answer(message, item, std::move(printed));
  for (Attachment& image : images) message.blocks.push_back({Author::tool, std::move(image)});
  return message;
}

Message image_generation(const json::object& item) {
  Message message =
      call(item, "image_generation",
           members(item, {"revised_prompt", "size", "quality", "background", "output_format"}));
  const auto data = find_string(item, "result");
  const auto format = find_string(item, "output_format");
  answer(message, item, {.text = name_in(item, "status")});
  if (!data || data->empty()) return message;
  Attachment image{.kind = "image", .data = std::string(*data)};
  if (format) image.mime = "image/" + std::string(*format);
  message.blocks.push_back({Author::tool, std::move(image)});
  return message;
}

Message mcp_call(const json::object& item) {
  Message message = call(item, mcp_name(name_in(item, "server_label"), name_in(item, "name")),
                         arguments_of(find_member(item, "arguments")));
  ToolResult given = parse_output(find_given(item, "output"));
  if (const json::value* error = find_given(item, "error")) {
    add_line(given.text, failure_of(*error).text);
    given.is_error = true;
    if (error->is_object()) given.details = *error;
  }
  answer(message, item, std::move(given));
  return message;
}

Message mcp_list(const json::object& item) {
  Message message{.from = From::program, .tools = tool_names(item)};
  if (const json::value* error = find_given(item, "error")) {
    message.blocks.push_back({Author::program, failure_of(*error)});
  }
  return message;
}

Message mcp_approval(const json::object& item) {
  const bool is_approved = find_bool(item, "approve").value_or(false);
  ToolResult given{.call_id = name_in(item, "approval_request_id"),
                   .name = "mcp_approval_request",
                   .text = is_approved ? "approved" : "denied",
                   .details = members(item, {"approve", "reason"})};
  return {.from = From::tool, .blocks = {{Author::tool, std::move(given)}}};
}

// [{"stdout":"…","stderr":"…","outcome":{"type":"exit","exit_code":0}}], one for each command.
Message shell_output(const json::object& item) {
  const json::value& output = member_of(item, "output");
  const json::array* runs = output.if_array();
  if (runs == nullptr) return result(item, "shell", parse_output(&output));
  ToolResult printed{.details = *runs};
  for (const json::value& value : *runs) {
    const json::object* run = value.if_object();
    if (run == nullptr) continue;
    add_line(printed.text, find_string(*run, "stdout").value_or(""));
    add_line(printed.text, find_string(*run, "stderr").value_or(""));
    const json::object* outcome = find_object(*run, "outcome");
    if (outcome == nullptr) continue;
    const bool is_timeout = find_string(*outcome, "type") == "timeout";
    if (is_timeout || find_int(*outcome, "exit_code").value_or(0) != 0) printed.is_error = true;
  }
  return result(item, "shell", std::move(printed));
}

Message computer_output(const json::object& item) {
  const json::value& output = member_of(item, "output");
  Message message = result(item, "computer", {});
  for (transcript::Body& body : parse_part(output)) {
    message.blocks.push_back({Author::tool, std::move(body)});
  }
  return message;
}

Message tool_search_output(const json::object& item) {
  return result(item, "tool_search", {.details = member_of(item, "tools")});
}

// What it was compacted to is opaque, but kept.
Message compaction(const json::object& item) {
  Message message{.blocks = {{Author::model, transcript::Compaction{}}}};
  if (const auto data = find_string(item, "encrypted_content"); data && !data->empty()) {
    message.blocks.push_back({Author::model, transcript::RedactedThinking{std::string(*data)}});
  }
  return message;
}

Message reasoning(const json::object& item) {
  Message message;
  Reasoning parsed = parse_reasoning(item);
  if (parsed.body) message.blocks.push_back({Author::model, std::move(*parsed.body)});
  return message;
}

std::optional<Message> parse_call(std::string_view type, const json::object& item) {
  if (type == "function_call") {
    return call(item, full_name(item), arguments_of(find_member(item, "arguments")));
  }
  if (type == "custom_tool_call") return call(item, full_name(item), member_of(item, "input"));
  if (type == "local_shell_call") return call(item, "local_shell", member_of(item, "action"));
  if (type == "shell_call") return call(item, "shell", member_of(item, "action"));
  if (type == "apply_patch_call") return call(item, "apply_patch", member_of(item, "operation"));
  if (type == "computer_call") {
    const bool is_one = find_given(item, "action") != nullptr;
    return call(item, "computer",
                is_one ? member_of(item, "action") : json::value(members(item, {"actions"})));
  }
  if (type == "mcp_approval_request") {
    return call(item, "mcp_approval_request", members(item, {"server_label", "name", "arguments"}));
  }
  if (type == "tool_search_call") {
    Message message = call(item, "tool_search", arguments_of(find_member(item, "arguments")));
    // On OpenAI's side neither it nor its result names the other.
    std::get<ToolCall>(message.blocks.front().body).id = name_in(item, "call_id");
    return message;
  }
  if (type == "program") return call(item, "program", members(item, {"code"}));
  if (type == "web_search_call") return web_search(item);
  if (type == "file_search_call") return file_search(item);
  if (type == "code_interpreter_call") return code_interpreter(item);
  if (type == "image_generation_call") return image_generation(item);
  if (type == "mcp_call") return mcp_call(item);
  return std::nullopt;
}

std::optional<Message> parse_result(std::string_view type, const json::object& item) {
  const json::value* output = find_member(item, "output");
  if (type == "function_call_output" || type == "custom_tool_call_output") {
    return result(item, "", parse_output(output));
  }
  if (type == "shell_call_output") return shell_output(item);
  if (type == "apply_patch_call_output") return result(item, "apply_patch", parse_output(output));
  if (type == "computer_call_output") return computer_output(item);
  if (type == "tool_search_output") return tool_search_output(item);
  if (type == "program_output") return result(item, "program", parse_output(output));
  if (type == "mcp_approval_response") return mcp_approval(item);
  if (type == "local_shell_call_output") {
    Message message = result(item, "local_shell", parse_output(output));
    // It names its call by its own id.
    auto& body = std::get<ToolResult>(message.blocks.front().body);
    if (body.call_id.empty()) body.call_id = name_in(item, "id");
    return message;
  }
  return std::nullopt;
}

Message parse_any(std::string_view type, const json::object& item) {
  if (type == "message" || type.empty()) {
    if (auto message = parse_message(item)) return std::move(*message);
  }
  if (type == "reasoning") return reasoning(item);
  if (auto message = parse_call(type, item)) return std::move(*message);
  if (auto message = parse_result(type, item)) return std::move(*message);
  if (type == "compaction" || type == "compaction_summary") return compaction(item);
  if (type == "mcp_list_tools") return mcp_list(item);
  if (type == "additional_tools") return {.from = From::program, .tools = tool_names(item)};
  if (type == "item_reference") return {.from = From::program, .refers = name_in(item, "id")};
  if (type == "compaction_trigger") return {.from = From::program};
  return {.from = From::program, .blocks = {{Author::program, unknown_of(type, item)}}};
}

}  // namespace

bool is_item_type(std::string_view type) { return std::ranges::find(kTypes, type) != kTypes.end(); }

Message parse_item(const json::object& item) {
  Message message = parse_any(find_string(item, "type").value_or(""), item);
  message.id = name_in(item, "id");
  return message;
}

}  // namespace weft::formats::openai
