// Parses one message of the Chat API, or one item of the Responses API, into blocks with their
// authors. Its position is known to the log.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/formats/apis/openai/values.hpp"
#include "weft/formats/framing/framing.hpp"

namespace weft::formats::openai {

struct Message {
  enum class From { program, person, model, tool };
  From from = From::model;
  std::vector<AuthoredBlock> blocks{};
  std::string id{};                  // an item's own
  std::string refers{};              // it only names an earlier item
  std::vector<std::string> tools{};  // it only lists the tools on offer
  bool is_too_large = false;         // it has more parts than are kept
};

// Most parts of one message; further ones are dropped.
inline constexpr std::size_t kMaxParts = kMaxBlocks;

// Empty if its role is unknown.
std::optional<Message> parse_message(const json::object& message);

// Never fails: an item of no known type is Unknown. A bare {role, content} is a message too.
Message parse_item(const json::object& item);

// Whether the Responses API has items of that type.
bool is_item_type(std::string_view type);

// Appends the parts of a message's content, by `message.from`. Text that a program inserted among
// a person's words is the program's.
void append_content(Message& message, const json::value* content);

// Splits text that begins with "<think>" into the thought and the answer.
std::vector<transcript::Body> split_thought(std::string_view text);

}  // namespace weft::formats::openai
