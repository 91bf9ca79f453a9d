#include "replay_for_test.hpp"

#include <algorithm>
#include <array>

namespace weft::test {
namespace {

std::string string_in(const json::object& object, std::string_view key) {
  return std::string(find_string(object, key).value_or(""));
}

json::array as_list(const json::value& content) {
  if (content.is_string()) {
    return {json::object{{"type", "text"}, {"text", content}}};
  }
  return content.is_array() ? content.get_array() : json::array();
}

bool is_empty_text(const json::object& block) {
  return string_in(block, "type") == "text" && string_in(block, "text").empty();
}

bool is_result(const json::object& block) { return string_in(block, "type") == "tool_result"; }

bool is_thinking(const json::object& block) {
  const std::string type = string_in(block, "type");
  return type == "thinking" || type == "redacted_thinking";
}

json::object normal_block(const json::object& block) {
  json::object out;
  const std::string type = string_in(block, "type");
  for (const auto& [key, value] : block) {
    if (value.is_null() || key == "cache_control") continue;
    if (key == "is_error" && value == json::value(false)) continue;
    if (key == "citations" && value == json::value(json::array())) continue;
    const bool is_content =
        key == "content" && (type == "tool_result" || type == "mcp_tool_result");
    if (!is_content) {
      out[key] = value;
      continue;
    }
    json::array parts;
    for (const json::value& part : as_list(value)) {
      const json::object one = normal_block(part.as_object());
      if (!is_empty_text(one)) parts.push_back(one);
    }
    if (!parts.empty()) out[key] = std::move(parts);
  }
  // A document's own parts.
  if (json::value* source = out.if_contains("source"); source != nullptr && source->is_object()) {
    *source = normal_block(source->as_object());
  }
  return out;
}

struct Turn {
  std::string role;
  std::vector<json::object> blocks;
};

std::vector<Turn> turns_of(const json::object& request) {
  std::vector<Turn> turns;
  for (const json::value& value : request.at("messages").as_array()) {
    const json::object& message = value.as_object();
    const std::string role = string_in(message, "role");
    std::vector<json::object> blocks;
    for (const json::value& block : as_list(message.at("content"))) {
      json::object one = normal_block(block.as_object());
      const bool is_unsigned =
          string_in(one, "type") == "thinking" && string_in(one, "signature").empty();
      if (!is_empty_text(one) && !is_unsigned) blocks.push_back(std::move(one));
    }
    if (turns.empty() || turns.back().role != role || role == "system") turns.push_back({role, {}});
    std::ranges::move(blocks, std::back_inserter(turns.back().blocks));
  }
  return turns;
}

// Calls that nobody answered get their error at the front of the next message.
void close_calls(std::vector<Turn>& turns) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i].role != "assistant") continue;
    std::vector<json::object> answers;
    for (const json::object& call : turns[i].blocks) {
      if (string_in(call, "type") != "tool_use") continue;
      const auto answers_it = [&](const json::object& block) {
        return is_result(block) && string_in(block, "tool_use_id") == string_in(call, "id");
      };
      bool is_answered = false;
      if (i + 1 < turns.size()) {
        is_answered = std::ranges::any_of(turns[i + 1].blocks, answers_it);
      }
      if (is_answered) continue;
      answers.push_back(normal_block({{"type", "tool_result"},
                                      {"tool_use_id", call.at("id")},
                                      {"content", "No result of this call was recorded."},
                                      {"is_error", true}}));
    }
    if (answers.empty()) continue;
    if (i + 1 == turns.size() || turns[i + 1].role != "user") {
      turns.insert(turns.begin() + static_cast<std::ptrdiff_t>(i) + 1, {"user", {}});
    }
    auto& next = turns[i + 1].blocks;
    next.insert(next.begin(), answers.begin(), answers.end());
  }
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string broken_in_block(const std::string& role, const json::object& block) {
  const std::string type = string_in(block, "type");
  if (type.empty()) return "a block without a type";
  if (block.contains("cache_control")) return "cache_control";
  if (is_empty_text(block)) return "an empty text";
  if (type == "thinking" && string_in(block, "signature").empty()) return "unsigned thinking";
  const bool is_users = is_result(block) || type == "image" || type == "document";
  const bool is_assistants =
      is_thinking(block) || type.ends_with("tool_use") || type.ends_with("_tool_result");
  if (is_users && role != "user") return type + " in a message of the " + role;
  if (is_assistants && role != "assistant") return type + " in a message of the " + role;
  if (type == "tool_use") {
    if (!is_name(string_in(block, "id"))) return "a call's id";
    if (!is_name(string_in(block, "name"))) return "a tool's name";
    if (find_object(block, "input") == nullptr) return "an input that is no object";
  }
  return "";
}

std::string broken_in_calls(const std::vector<json::object>& calls_of,
                            const std::vector<json::object>* next, std::set<std::string>& ids) {
  std::set<std::string> calls, results;
  for (const json::object& block : calls_of) {
    if (string_in(block, "type") != "tool_use") continue;
    if (!ids.insert(string_in(block, "id")).second) return "an id of two calls";
    calls.insert(string_in(block, "id"));
  }
  bool are_over = false;
  for (const json::object& block : next == nullptr ? std::vector<json::object>() : *next) {
    if (!is_result(block)) {
      are_over = true;
      continue;
    }
    if (are_over) return "a result behind something else";
    if (!results.insert(string_in(block, "tool_use_id")).second) return "two results of one call";
  }
  return calls == results ? "" : "calls and results do not pair";
}

void apply_delta(json::object& block, const json::object& delta, std::string& input) {
  const std::string type = string_in(delta, "type");
  const auto append = [&](const char* key) {
    block[key] = string_in(block, key) + string_in(delta, key);
  };
  if (type == "text_delta") append("text");
  if (type == "thinking_delta") append("thinking");
  if (type == "signature_delta") append("signature");
  if (type == "compaction_delta") append("content");
  if (type == "input_json_delta") input += string_in(delta, "partial_json");
  if (type == "citations_delta") {
    json::value& citations = block["citations"];
    if (!citations.is_array()) citations = json::array();
    citations.get_array().push_back(delta.at("citation"));
  }
}

}  // namespace

json::array streamed_content(const std::vector<json::object>& events) {
  json::array content;
  json::object block;
  std::string input;
  for (const json::object& event : events) {
    const std::string type = string_in(event, "type");
    if (type == "message_start") {
      // Some begin with all that they have to say.
      for (const json::value& whole : event.at("message").at("content").as_array()) {
        content.push_back(whole);
      }
    } else if (type == "content_block_start") {
      block = event.at("content_block").as_object();
      input.clear();
    } else if (type == "content_block_delta") {
      apply_delta(block, event.at("delta").as_object(), input);
    } else if (type == "content_block_stop") {
      if (!input.empty()) block["input"] = parse_json(input)->value;
      content.push_back(block);
    }
  }
  return content;
}

json::object sent(json::object request, const json::array& answer) {
  if (answer.empty()) return request;
  request["messages"].as_array().push_back(
      json::object{{"role", "assistant"}, {"content", answer}});
  return request;
}

json::object normal(const json::object& request) {
  std::vector<Turn> turns = turns_of(request);
  for (Turn& turn : turns) {
    std::ranges::stable_partition(turn.blocks, is_result);
    while (turn.role == "assistant" && !turn.blocks.empty() && is_thinking(turn.blocks.back())) {
      turn.blocks.pop_back();
    }
  }
  std::erase_if(turns, [](const Turn& turn) { return turn.blocks.empty(); });
  close_calls(turns);
  json::object out;
  json::array system, tools, messages;
  if (const json::value* given = find_member(request, "system")) {
    for (const json::value& part : as_list(*given)) {
      json::object one = normal_block(part.as_object());
      if (!is_empty_text(one)) system.push_back(std::move(one));
    }
  }
  if (const json::array* given = find_array(request, "tools")) {
    for (const json::value& tool : *given) tools.push_back(normal_block(tool.as_object()));
  }
  for (const Turn& turn : turns) {
    messages.push_back(json::object{
        {"role", turn.role}, {"content", json::array(turn.blocks.begin(), turn.blocks.end())}});
  }
  return {{"system", std::move(system)},
          {"tools", std::move(tools)},
          {"messages", std::move(messages)}};
}

std::string difference(const json::object& expected, const json::object& got) {
  const json::object a = normal(expected), b = normal(got);
  for (const char* key : {"system", "tools"}) {
    if (canonical_json(a.at(key)) != canonical_json(b.at(key))) {
      return std::string(key) + ": " + canonical_json(a.at(key)) + "\nis now " +
             canonical_json(b.at(key));
    }
  }
  const json::array &mine = a.at("messages").as_array(), &theirs = b.at("messages").as_array();
  for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
    const std::string at = "message " + std::to_string(i);
    if (mine[i].at("role") != theirs[i].at("role")) return at + " is of another role";
    const json::array &mine_content = mine[i].at("content").as_array(),
                      &theirs_content = theirs[i].at("content").as_array();
    for (std::size_t j = 0; j < std::min(mine_content.size(), theirs_content.size()); ++j) {
      if (canonical_json(mine_content[j]) == canonical_json(theirs_content[j])) continue;
      return at + ", block " + std::to_string(j) + ": " + canonical_json(mine_content[j]) +
             "\nis now " + canonical_json(theirs_content[j]);
    }
    if (mine_content.size() != theirs_content.size()) {
      return at + " has " + std::to_string(theirs_content.size()) + " blocks, not " +
             std::to_string(mine_content.size());
    }
  }
  if (mine.size() == theirs.size()) return "";
  return std::to_string(theirs.size()) + " messages, not " + std::to_string(mine.size());
}

std::string broken_rule(const json::object& request) {
  constexpr std::array<std::string_view, 3> kKeys = {"system", "tools", "messages"};
  for (const auto& [key, value] : request) {
    if (std::ranges::find(kKeys, std::string_view(key)) == kKeys.end()) return "a member too many";
  }
  std::set<std::string> ids;
  std::vector<Turn> turns;
  const json::array* messages = find_array(request, "messages");
  if (messages == nullptr || messages->empty()) return "no messages";
  for (const json::value& value : *messages) {
    const json::object& message = value.as_object();
    Turn turn{string_in(message, "role"), {}};
    for (const json::value& block : as_list(message.at("content"))) {
      turn.blocks.push_back(block.as_object());
    }
    if (turn.blocks.empty()) return "an empty message";
    turns.push_back(std::move(turn));
  }
  std::string before = "assistant";
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    for (const json::object& block : turn.blocks) {
      if (std::string broken = broken_in_block(turn.role, block); !broken.empty()) return broken;
    }
    if (turn.role == "system") {
      before.clear();
      continue;
    }
    if (turn.role != "user" && turn.role != "assistant") return "a role: " + turn.role;
    if (turn.role == before) return i == 0 ? "the user does not begin" : "no alternation";
    before = turn.role;
    if (turn.role != "assistant") {
      if (i == 0 && std::ranges::any_of(turn.blocks, is_result)) return "a result without a call";
      continue;
    }
    if (is_thinking(turn.blocks.back())) return "a message that ends in thinking";
    const auto* next = i + 1 < turns.size() ? &turns[i + 1].blocks : nullptr;
    if (std::string broken = broken_in_calls(turn.blocks, next, ids); !broken.empty()) {
      return broken;
    }
  }
  return "";
}

}  // namespace weft::test
