// Conversations to read: nodes around messages, messages around contents.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::chatgpt_export {

inline Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("chatgpt-export", bytes, info);
}
inline Conversation only(const Collector& collector) {
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? Conversation() : collector.conversations.front();
}

// `parent` without quotes; "" for none. `message` is JSON.
inline std::string node(std::string_view id, std::string_view parent, std::string_view message) {
  const std::string quoted = parent.empty() ? "null" : "\"" + std::string(parent) + "\"";
  return "\"" + std::string(id) + R"(":{"parent":)" + quoted + R"(,"message":)" +
         std::string(message) + "}";
}
inline std::string from(std::string_view role, std::string_view content,
                        std::string_view more = "") {
  return R"({"author":{"role":")" + std::string(role) +
         R"("},"create_time":1767225600.25,"content":)" + std::string(content) + std::string(more) +
         "}";
}
inline std::string words(std::string_view text) {
  return R"({"content_type":"text","parts":[")" + std::string(text) + "\"]}";
}
inline std::string result(std::string_view tool, std::string_view content,
                          std::string_view more = "") {
  return R"({"author":{"role":"tool","name":")" + std::string(tool) + R"("},"content":)" +
         std::string(content) + std::string(more) + "}";
}
inline std::string to(std::string_view tool) {
  return R"(,"recipient":")" + std::string(tool) + "\"";
}
// Nodes with commas between.
inline std::string chat(std::string_view nodes, std::string_view more = "") {
  return R"({"id":"c","title":"t","mapping":{)" + std::string(nodes) + "}" + std::string(more) +
         "}";
}

}  // namespace weft::formats::chatgpt_export
