#include "weft/formats/adapters/cursor/bubble.hpp"

#include <utility>

#include "weft/formats/adapters/cursor/prompt_text.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::cursor {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::ToolCall;
using transcript::ToolResult;

constexpr int kUser = 1;
constexpr int kDeepestNode = 64;

void append_words(const json::object& node, int depth, std::string& out) {
  if (depth > kDeepestNode) return;
  if (const auto text = find_string(node, "text")) out += *text;
  const auto type = find_string(node, "type");
  if (type == "linebreak") out += '\n';
  const json::array* children = find_array(node, "children");
  if (children == nullptr) return;
  bool is_first = true;
  for (const json::value& child : *children) {
    const json::object* object = child.if_object();
    if (object == nullptr) continue;
    if (!is_first && find_string(*object, "type") == "paragraph") out += '\n';
    is_first = false;
    append_words(*object, depth + 1, out);
  }
}

// A JSON value that may also come as the text of one; null if it is neither.
json::value parse_maybe_text(const json::value* value) {
  if (value == nullptr) return nullptr;
  if (!value->is_string()) return *value;
  Result<ParsedJson> parsed = parse_json(view(value->get_string()));
  return parsed && !parsed->inexact ? std::move(parsed->value) : json::value(nullptr);
}

std::optional<std::string> find_model(const json::object& object, std::string_view key) {
  const json::object* model = find_object(object, key);
  const auto name = model == nullptr ? std::nullopt : find_name(*model, "modelName");
  if (!name || name == "default") return std::nullopt;
  return std::string(*name);
}

std::optional<Millis> time_of(const json::object& object) {
  for (const std::string_view key : {"createdAt", "timestamp"}) {
    if (const auto time = find_moment(object, key)) return time;
  }
  const json::object* timing = find_object(object, "timingInfo");
  if (timing == nullptr) return std::nullopt;
  for (const std::string_view key : {"clientRpcSendTime", "clientEndTime", "clientSettleTime"}) {
    if (const auto time = find_moment(*timing, key)) return time;
  }
  return std::nullopt;
}

json::value input_of(const json::object& tool) {
  for (const std::string_view key : {"rawArgs", "params"}) {
    const json::value* args = find_member(tool, key);
    json::value input = parse_maybe_text(args);
    if (input.is_object()) return input;
    // Arguments that were cut off are no JSON.
    if (args != nullptr && args->is_string() && !args->get_string().empty()) {
      return json::object{{std::string(key), *args}};
    }
  }
  return json::object();
}

// Call and result are one record. Empty where nothing was called.
void add_tool(const json::object& tool, Bubble& bubble) {
  ToolCall call{.id = std::string(find_string(tool, "toolCallId").value_or("")),
                .name = std::string(find_string(tool, "name").value_or("")),
                .input = input_of(tool)};
  if (call.name.empty()) {
    if (const auto number = find_int(tool, "tool")) {
      call.name = "tool " + std::to_string(*number);
    } else {
      call.name = find_string(tool, "tool").value_or("");
    }
  }
  if (call.name.empty() && call.id.empty()) return;
  if (const auto id = find_name(tool, "modelCallId")) bubble.message_id = *id;
  const std::string id = call.id, name = call.name;
  bubble.blocks.push_back({Author::model, std::move(call)});

  const std::string_view status = find_string(tool, "status").value_or("");
  const json::value* result = find_member(tool, "result");
  const bool has_result = result != nullptr && !result->is_null() &&
                          !(result->is_string() && result->get_string().empty());
  const bool has_failed = status == "error" || status == "failed" || status == "cancelled" ||
                          status == "rejected" || status == "aborted";
  if (!has_result && !has_failed && status != "completed" && status != "success") return;
  ToolResult body{.call_id = id, .name = name, .text = {}, .is_error = has_failed};
  if (has_result && result->is_string()) {
    body.text = view(result->get_string());
  } else if (has_result) {
    append_canonical(body.text, *result);
  }
  const json::object* more = find_object(tool, "additionalData");
  if (more != nullptr && !more->empty()) body.details = *more;
  bubble.blocks.push_back({Author::tool, std::move(body)});
  // An agent that was set to work is a composer of its own.
  const json::value answer = parse_maybe_text(result);
  const json::object* object = answer.if_object();
  std::string agent;
  if (object != nullptr) agent = find_name(*object, "agentId").value_or("");
  if (!id.empty() && (!agent.empty() || name.starts_with("task"))) {
    bubble.spawned = transcript::Spawned{.call_id = id};
    if (!agent.empty()) bubble.spawned->agent = std::move(agent);
  }
}

void add_attachments(const json::object& object, std::vector<AuthoredBlock>& blocks) {
  if (const json::array* chunks = find_array(object, "attachedCodeChunks")) {
    for (const json::value& value : *chunks) {
      const json::object* chunk = value.if_object();
      if (chunk == nullptr) continue;
      Attachment file{.kind = "file"};
      for (const std::string_view key : {"relativeWorkspacePath", "path"}) {
        if (const auto name = find_string(*chunk, key); name && !file.name) file.name = *name;
      }
      std::string text;
      const json::array* lines = find_array(*chunk, "lines");
      for (const json::value& line : lines == nullptr ? json::array() : *lines) {
        if (!line.is_string()) continue;
        if (!text.empty()) text += '\n';
        text += view(line.get_string());
      }
      if (!text.empty()) file.text = std::move(text);
      if (file.name || file.text) blocks.push_back({Author::human, std::move(file)});
    }
  }
  if (const json::array* images = find_array(object, "images")) {
    for (const json::value& value : *images) {
      Attachment image{.kind = "image"};
      if (value.is_string()) image.reference = view(value.get_string());
      if (const json::object* one = value.if_object()) image.extra = *one;
      blocks.push_back({Author::human, std::move(image)});
    }
  }
}

void add_thinking(const json::object& object, std::vector<AuthoredBlock>& authored) {
  const auto add = [&](const json::object& block) {
    transcript::Thinking thinking;
    for (const std::string_view key : {"text", "thinking"}) {
      if (thinking.text.empty()) thinking.text = find_string(block, key).value_or("");
    }
    const auto signature = find_string(block, "signature");
    if (signature && !signature->empty()) thinking.signature = *signature;
    if (thinking.text.empty() && !thinking.signature) return;
    authored.push_back({Author::model, std::move(thinking)});
  };
  if (const json::object* thinking = find_object(object, "thinking")) return add(*thinking);
  const json::array* blocks = find_array(object, "allThinkingBlocks");
  for (const json::value& block : blocks == nullptr ? json::array() : *blocks) {
    if (const json::object* one = block.if_object()) add(*one);
  }
}

}  // namespace

std::string plain_of_rich(std::string_view rich) {
  const Result<ParsedJson> parsed = parse_json(rich);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const json::object* root = object == nullptr ? nullptr : find_object(*object, "root");
  std::string words;
  if (root != nullptr) append_words(*root, 0, words);
  return words;
}

Composer parse_composer(const json::object& object) {
  Composer composer{.id = std::string(find_name(object, "composerId").value_or("")),
                    .facts = {},
                    .origin = {},
                    .model = find_model(object, "modelConfig")};
  if (const auto name = find_name(object, "name")) composer.facts.title = *name;
  for (const std::string_view key : {"lastUpdatedAt", "createdAt"}) {
    if (!composer.facts.updated_at) composer.facts.updated_at = find_moment(object, key);
  }
  if (const json::object* summary = find_object(object, "latestConversationSummary")) {
    if (const json::object* inner = find_object(*summary, "summary")) summary = inner;
    const auto text = find_string(*summary, "summary");
    if (text && !text->empty()) composer.facts.summary = *text;
  }
  if (const json::object* workspace = find_object(object, "workspaceIdentifier")) {
    const json::object* uri = find_object(*workspace, "uri");
    const auto path = uri == nullptr ? std::nullopt : find_name(*uri, "fsPath");
    if (path) {
      composer.facts.cwd = *path;
      composer.facts.project = last_component(*path);
    }
  }
  if (const json::object* info = find_object(object, "subagentInfo")) {
    const auto parent = find_name(*info, "parentComposerId");
    if (parent && *parent != composer.id && !composer.id.empty()) {
      composer.origin = {.kind = transcript::Origin::Kind::spawned,
                         .session_id = std::string(*parent),
                         .agent = composer.id};
      if (const auto call = find_name(*info, "toolCallId")) composer.origin->call_id = *call;
    }
  }
  return composer;
}

Bubble parse_bubble(const json::object& object) {
  Bubble bubble{.blocks = {},
                .is_of_model = find_int(object, "type") != kUser,
                .time = time_of(object),
                .model = find_model(object, "modelInfo"),
                .message_id = {},
                .usage = {},
                .spawned = {}};
  std::string text(find_string(object, "text").value_or(""));
  if (text.empty()) text = find_string(object, "rawText").value_or("");
  if (text.empty()) text = plain_of_rich(find_string(object, "richText").value_or(""));
  if (bubble.is_of_model) {
    add_thinking(object, bubble.blocks);
    if (!text.empty()) {
      bubble.blocks.push_back(
          {Author::model, transcript::Text{.text = std::move(text), .citations = {}}});
    }
    if (const json::object* tool = find_object(object, "toolFormerData")) add_tool(*tool, bubble);
  } else {
    for (AuthoredBlock& block : parse_prompt(text)) bubble.blocks.push_back(std::move(block));
    add_attachments(object, bubble.blocks);
  }
  if (const json::object* error = find_object(object, "errorDetails")) {
    const auto message = find_string(*error, "message");
    bubble.blocks.push_back(
        {Author::program, transcript::Failure{.text = std::string(message.value_or("")),
                                              .details = json::value(*error)}});
  }
  if (const json::object* tokens = find_object(object, "tokenCount")) {
    const transcript::Usage usage{.input = find_int(*tokens, "inputTokens").value_or(0),
                                  .output = find_int(*tokens, "outputTokens").value_or(0)};
    if (usage != transcript::Usage()) bubble.usage = usage;
  }
  return bubble;
}

}  // namespace weft::formats::cursor
