// Lines of Kimi's logs, and folders for them to lie in.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::kimi {

using Files = std::map<std::string, std::string, std::less<>>;

inline SourceInfo lies_in(std::string directory, std::string name, Files beside = {}) {
  SourceInfo info{.name = std::move(name), .directory = std::move(directory)};
  info.beside = [beside = std::move(beside)](std::string_view relative) {
    const auto file = beside.find(relative);
    return file == beside.end() ? std::nullopt : std::optional(file->second);
  };
  return info;
}

inline Collector read(std::string_view lines, const SourceInfo& info = {}) {
  return read_with("kimi", lines, info);
}

// The only conversation.
inline Conversation only(const Collector& collector) {
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? Conversation() : collector.conversations.front();
}

// A line of kimi-cli's wire. Payloads are JSON.
inline std::string event(std::string_view type, std::string_view payload) {
  return R"({"timestamp": 1767225600.25, "message": {"type": ")" + std::string(type) +
         R"(", "payload": )" + std::string(payload) + "}}\n";
}
inline std::string prompt(std::string_view text) {
  return event("TurnBegin", R"({"user_input": ")" + std::string(text) + "\"}");
}
inline std::string says(std::string_view text) {
  return event("ContentPart", R"({"type": "text", "text": ")" + std::string(text) + "\"}");
}
inline std::string thinks(std::string_view text, std::string_view signature = "null") {
  return event("ContentPart", R"({"type": "think", "think": ")" + std::string(text) +
                                  R"(", "encrypted": )" + std::string(signature) + "}");
}
// `arguments` is part of a JSON string.
inline std::string calls(std::string_view tool, std::string_view id, std::string_view arguments) {
  return event("ToolCall", R"({"type": "function", "id": ")" + std::string(id) +
                               R"(", "function": {"name": ")" + std::string(tool) +
                               R"(", "arguments": ")" + std::string(arguments) + "\"}}");
}
inline std::string more(std::string_view arguments) {
  return event("ToolCallPart", R"({"arguments_part": ")" + std::string(arguments) + "\"}");
}
inline std::string gives(std::string_view id, std::string_view output) {
  return event("ToolResult", R"({"tool_call_id": ")" + std::string(id) +
                                 R"(", "return_value": {"is_error": false, "output": ")" +
                                 std::string(output) + R"(", "message": "", "display": []}})");
}
inline std::string agent(std::string_view id, std::string_view call, std::string_view type,
                         std::string_view payload) {
  return event("SubagentEvent", R"({"parent_tool_call_id": ")" + std::string(call) +
                                    R"(", "agent_id": ")" + std::string(id) +
                                    R"(", "event": {"type": ")" + std::string(type) +
                                    R"(", "payload": )" + std::string(payload) + "}}");
}

// A line of Kimi Code's: members beside type and time.
inline std::string code(std::string_view type, std::string_view members) {
  return R"({"type":")" + std::string(type) + "\"," + std::string(members) +
         ",\"time\":1785612812820}\n";
}
inline std::string message(std::string_view text, std::string_view more_members = "") {
  return code("context.append_message",
              R"("message":{"role":"user","content":[{"type":"text","text":")" + std::string(text) +
                  R"("}],"toolCalls":[])" + std::string(more_members) + "}");
}
inline std::string loop(std::string_view type, std::string_view members) {
  return code("context.append_loop_event",
              R"("event":{"type":")" + std::string(type) + "\"," + std::string(members) + "}");
}

}  // namespace weft::formats::kimi
