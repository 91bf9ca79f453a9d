// Chats to read, and what was read of them in one line.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"

namespace weft::formats::claude_export {

using transcript::Block;
using transcript::Collector;
using transcript::Conversation;
using transcript::Skipped;

inline const Adapter& adapter() { return *find_adapter("claude-export"); }

inline Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  Collector collector;
  read_all(adapter(), info, bytes, collector);
  return collector;
}

// A chat around messages, and messages around blocks. Words hold no quotes.
inline std::string chat(std::string_view messages) {
  return R"({"uuid":"c","name":"n","chat_messages":[)" + std::string(messages) + "]}";
}
inline std::string says(std::string_view sender, std::string_view id, std::string_view content,
                        std::string_view more = "") {
  return R"({"sender":")" + std::string(sender) + R"(","uuid":")" + std::string(id) +
         R"(","text":"flat","content":)" + std::string(content) + std::string(more) + "}";
}
inline std::string words(std::string_view text) {
  return R"([{"type":"text","text":")" + std::string(text) + R"("}])";
}
inline std::string after(std::string_view parent) {
  return R"(,"parent_message_uuid":")" + std::string(parent) + "\"";
}

inline Conversation read_one(std::string_view messages) {
  const Collector collector = read(chat(messages));
  EXPECT_EQ(collector.conversations.size(), 1u);
  EXPECT_EQ(collector.skipped, std::vector<Skipped>());
  return collector.conversations.empty() ? Conversation() : collector.conversations[0];
}

// The blocks of one message of `sender`'s.
inline std::vector<Block> blocks_of(std::string_view sender, std::string_view content,
                                    std::string_view more = "") {
  const Conversation conversation = read_one(says(sender, "m", content, more));
  return conversation.turns.empty() ? std::vector<Block>() : conversation.turns[0].blocks;
}

// "human a: hi | assistant b<x: (4)": what follows "<" is the parent.
inline std::string outline(const Conversation& conversation) {
  std::string out;
  for (const transcript::Turn& turn : conversation.turns) {
    if (!out.empty()) out += " | ";
    out += std::string(to_string(turn.head.role)) + " " + turn.head.source_id;
    if (turn.head.parent) out += "<" + *turn.head.parent;
    out += ":";
    for (const Block& block : turn.blocks) {
      const auto* blocks = std::get_if<transcript::Text>(&block.body);
      out +=
          " " + (blocks != nullptr ? blocks->text : "(" + std::to_string(block.body.index()) + ")");
    }
  }
  return out;
}

}  // namespace weft::formats::claude_export
