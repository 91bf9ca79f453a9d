// The words in which tests speak of pi's sessions and OpenClaw's.
#pragma once

#include <string>
#include <string_view>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::pi {

// One line of a session: an entry that follows `parent`, or the line before it for "".
inline std::string entry(std::string_view type, std::string_view id, std::string_view parent,
                         std::string_view members) {
  std::string line = R"({"type":")" + std::string(type) + R"(","id":")" + std::string(id) + '"';
  if (!parent.empty()) line += R"(,"parentId":")" + std::string(parent) + '"';
  if (!members.empty()) line += "," + std::string(members);
  return line + "}\n";
}
inline std::string message(std::string_view id, std::string_view parent, std::string_view members) {
  return entry("message", id, parent, R"("message":{)" + std::string(members) + "}");
}
inline std::string user(std::string_view id, std::string_view parent, std::string_view words) {
  return message(
      id, parent,
      R"("role":"user","content":[{"type":"text","text":")" + std::string(words) + R"("}])");
}
inline std::string answer(std::string_view id, std::string_view parent, std::string_view words) {
  return message(id, parent,
                 R"("role":"assistant","model":"m","content":[{"type":"text","text":")" +
                     std::string(words) + R"("}])");
}
inline const std::string kHeader =
    R"({"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00Z","cwd":"/w/p"})"
    "\n";

inline transcript::Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("pi", bytes, info);
}
inline transcript::Conversation read_one(std::string_view bytes, const SourceInfo& info = {}) {
  const transcript::Collector collector = read(bytes, info);
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? transcript::Conversation() : collector.conversations[0];
}

// The body of the only block.
template <class T>
T body_of(std::string_view bytes) {
  const std::vector<transcript::Block> blocks = blocks_of(read_one(bytes));
  EXPECT_EQ(blocks.size(), 1u);
  const T* body = blocks.empty() ? nullptr : std::get_if<T>(&blocks[0].body);
  EXPECT_NE(body, nullptr) << (blocks.empty() ? "none" : kind_name(blocks[0].body));
  return body == nullptr ? T() : *body;
}

inline std::string by_model(std::string_view block) {
  return kHeader +
         message("a", "",
                 R"("role":"assistant","model":"m","content":[)" + std::string(block) + "]");
}

}  // namespace weft::formats::pi
