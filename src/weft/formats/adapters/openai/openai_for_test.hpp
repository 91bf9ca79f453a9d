// The words in which tests speak of logs of the OpenAI APIs: requests, answers, items.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::openai_log {

inline transcript::Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("openai", bytes, info);
}
inline std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/openai" / name).value();
}
inline Confidence sure_of(std::string_view head) {
  return find_adapter("openai")->recognises(head);
}

inline std::string request(std::string_view messages) {
  return R"({"model":"gpt-x","messages":[)" + std::string(messages) + "]}\n";
}
inline std::string authored(std::string_view role, std::string_view words) {
  return R"({"role":")" + std::string(role) + R"(","content":")" + std::string(words) + R"("})";
}
inline std::string completion(std::string_view id, std::string_view message) {
  return R"({"id":")" + std::string(id) +
         R"(","object":"chat.completion","created":1772359200,"model":"gpt-x","choices":[{"index":0,)"
         R"("finish_reason":"stop","message":)" +
         std::string(message) + R"(}],"usage":{"prompt_tokens":3,"completion_tokens":2}})" + "\n";
}
inline std::string response(std::string_view id, std::string_view before, std::string_view items) {
  return R"({"id":")" + std::string(id) +
         R"(","object":"response","created_at":1772359200,"status":"completed","model":"gpt-x",)"
         R"("previous_response_id":)" +
         (before.empty() ? "null" : "\"" + std::string(before) + "\"") + R"(,"output":[)" +
         std::string(items) + "]}\n";
}
inline std::string item(std::string_view id, std::string_view words) {
  return R"({"type":"message","id":")" + std::string(id) +
         R"(","role":"assistant","content":[{"type":"output_text","text":")" + std::string(words) +
         R"("}]})";
}
inline std::vector<transcript::Block> blocks_in(std::string_view bytes) {
  const transcript::Collector collector = read(bytes);
  return collector.conversations.empty() ? std::vector<transcript::Block>()
                                         : blocks_of(collector.conversations[0]);
}
inline std::vector<transcript::Block> blocks_of_message(std::string_view message) {
  return blocks_in(completion("c1", message));
}

}  // namespace weft::formats::openai_log
