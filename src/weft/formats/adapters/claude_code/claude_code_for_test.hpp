// The words that tests of the claude-code adapter are written in.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/file.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats::claude_code {

inline const Adapter& adapter() { return *find_adapter("claude-code"); }

struct Read : transcript::Collector {
  const transcript::Conversation& only() const {
    EXPECT_EQ(conversations.size(), 1u);
    return conversations.at(0);
  }
  const transcript::Conversation& of(std::string_view source) const {
    for (const transcript::Conversation& conversation : conversations) {
      if (conversation.heading.source == source) return conversation;
    }
    ADD_FAILURE() << "no conversation " << source;
    return conversations.at(0);
  }
  std::map<std::string, int> skips() const {
    std::map<std::string, int> counts;
    for (const transcript::Skipped& one : skipped) ++counts[one.reason];
    return counts;
  }
};

inline Read read(std::string_view text, SourceInfo info = {.name = "session.jsonl"}) {
  Read read;
  read_all(adapter(), info, text, read);
  return read;
}

// "H" for a human turn, "A" for an assistant's, "S" for a system's; and its parent.
inline std::string roles(const transcript::Conversation& conversation) {
  std::string roles;
  for (const transcript::Turn& turn : conversation.turns) {
    roles += static_cast<char>(to_string(turn.head.role)[0] - 'a' + 'A');
    if (turn.head.parent) roles += "<" + *turn.head.parent + ">";
  }
  return roles;
}

inline std::string author_of(const transcript::Block& block) {
  switch (block.author) {
    case transcript::Author::human: return "human";
    case transcript::Author::model: return "model";
    case transcript::Author::tool: return "tool";
    case transcript::Author::program: return "program";
  }
  return "";
}

inline std::string kind_of(const transcript::Block& block) {
  constexpr std::string_view kKinds[] = {"text",    "thinking",   "redacted",   "call",
                                         "result",  "attachment", "compaction", "summary",
                                         "failure", "unknown"};
  return std::string(kKinds[block.body.index()]);
}

inline std::vector<transcript::Block> blocks(const transcript::Conversation& conversation) {
  std::vector<transcript::Block> all;
  for (const transcript::Turn& turn : conversation.turns) {
    all.insert(all.end(), turn.blocks.begin(), turn.blocks.end());
  }
  return all;
}

// "human text", "tool result" and so on, and how often.
inline std::map<std::string, int> kinds(const transcript::Conversation& conversation) {
  std::map<std::string, int> counts;
  for (const transcript::Block& block : blocks(conversation)) {
    ++counts[author_of(block) + " " + kind_of(block)];
  }
  return counts;
}

inline std::string text_of(const transcript::Block& block) {
  if (const auto* text = std::get_if<transcript::Text>(&block.body)) return text->text;
  if (const auto* summary = std::get_if<transcript::Summary>(&block.body)) return summary->text;
  if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) return result->text;
  if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) return call->id;
  if (const auto* failure = std::get_if<transcript::Failure>(&block.body)) return failure->text;
  if (const auto* thinking = std::get_if<transcript::Thinking>(&block.body)) return thinking->text;
  return "";
}

// "author: text" of each block that has words.
inline std::vector<std::string> authored(const transcript::Conversation& conversation) {
  std::vector<std::string> all;
  for (const transcript::Block& block : blocks(conversation)) {
    all.push_back(author_of(block) + ": " + text_of(block));
  }
  return all;
}

// Records with the given members beside the envelope.
inline std::string user(std::string_view uuid, std::string_view parent, std::string_view content,
                        std::string_view more = "") {
  std::string line = R"({"type":"user","sessionId":"s","uuid":")" + std::string(uuid) + '"';
  if (!parent.empty()) line += R"(,"parentUuid":")" + std::string(parent) + '"';
  line += R"(,"message":{"role":"user","content":)" + std::string(content) + "}";
  return line + std::string(more) + "}\n";
}

inline std::string assistant(std::string_view uuid, std::string_view parent,
                             std::string_view message, std::string_view content,
                             std::string_view more = "") {
  std::string line = R"({"type":"assistant","sessionId":"s","uuid":")" + std::string(uuid) + '"';
  if (!parent.empty()) line += R"(,"parentUuid":")" + std::string(parent) + '"';
  line += R"(,"message":{"id":")" + std::string(message) +
          R"(","role":"assistant","model":"m","content":)" + std::string(content) + "}";
  return line + std::string(more) + "}\n";
}

inline constexpr std::string_view kSession = "0b5c1f52-94d1-4c0e-8a55-0d1f6f6a7c01";

inline std::string fixture(std::string_view name) {
  return read_file(std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/claude_code/" +
                   std::string(name))
      .value();
}

}  // namespace weft::formats::claude_code
