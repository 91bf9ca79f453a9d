// The words in which tests speak of Codex' rollouts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::codex {

inline std::string quoted(std::string_view text) {
  std::string out;
  append_canonical_string(out, text);
  return out;
}
// One line of a rollout. `second` is its time.
inline std::string line(std::string_view type, std::string_view payload, int second = 1) {
  return R"({"timestamp":"2026-09-01T08:00:)" + std::string(second < 10 ? "0" : "") +
         std::to_string(second) + R"(.000Z","type":")" + std::string(type) + R"(","payload":{)" +
         std::string(payload) + "}}\n";
}
inline std::string meta(std::string_view members = R"("id":"s1","cwd":"/w/p")") {
  return line("session_meta", members, 0);
}
inline std::string item(std::string_view members, int second = 1) {
  return line("response_item", members, second);
}
inline std::string event(std::string_view type, std::string_view members = "", int second = 1) {
  std::string payload = R"("type":")" + std::string(type) + '"';
  if (!members.empty()) payload += "," + std::string(members);
  return line("event_msg", payload, second);
}
inline std::string user(std::string_view words, int second = 1) {
  return item(R"("type":"message","role":"user","content":[{"type":"input_text","text":)" +
                  quoted(words) + "}]",
              second);
}
inline std::string answer(std::string_view words, int second = 1) {
  return item(R"("type":"message","role":"assistant","content":[{"type":"output_text","text":)" +
                  quoted(words) + "}]",
              second);
}
inline std::string shown_user(std::string_view words, int second = 1) {
  return event("user_message", R"("message":)" + quoted(words), second);
}
inline std::string shown_answer(std::string_view words, int second = 1) {
  return event("agent_message", R"("message":)" + quoted(words), second);
}
inline std::string call(std::string_view id, int second = 1) {
  return item(R"("type":"function_call","name":"shell","arguments":"{\"a\":1}","call_id":")" +
                  std::string(id) + '"',
              second);
}
inline std::string output(std::string_view id, std::string_view json, int second = 1) {
  return item(R"("type":"function_call_output","call_id":")" + std::string(id) + R"(","output":)" +
                  std::string(json),
              second);
}
inline std::string tokens(int total, int last, int second = 1) {
  const auto usage = [](int count) {
    return R"({"input_tokens":)" + std::to_string(count) +
           R"(,"cached_input_tokens":1,"output_tokens":2})";
  };
  return event("token_count",
               R"("info":{"total_token_usage":)" + usage(total) + R"(,"last_token_usage":)" +
                   usage(last) + "}",
               second);
}

inline transcript::Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("codex", bytes, info);
}
inline std::string outline_of(std::string_view bytes) {
  return outline(read(bytes).conversations.at(0));
}
inline transcript::ToolResult result_of(std::string_view json) {
  const transcript::Collector collector = read(meta() + call("c") + output("c", json));
  return std::get<transcript::ToolResult>(blocks_of(collector.conversations.at(0)).at(1).body);
}

}  // namespace weft::formats::codex
