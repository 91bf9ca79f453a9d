// What is said in one message of the Chat API, or in one item of the Responses API: who speaks,
// and what. Where it stands is for the log to know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/formats/apis/openai/values.hpp"

namespace weft::formats::openai {

struct Message {
  enum class From { program, person, model, tool };
  From from = From::model;
  std::vector<AuthoredBlock> blocks{};
  std::string id{};                  // an item's own
  std::string refers{};              // it only names an item that was said before
  std::vector<std::string> tools{};  // it only lists what may be called
  bool is_too_large = false;         // it has more parts than are told
};

// Parts of one message, beyond which they are not told.
inline constexpr std::size_t kMaxParts = 100'000;

// Empty if it has no role that we know.
std::optional<Message> parse_message(const json::object& message);

// Never fails: an item of no known type is Unknown. A bare {role, content} is a message too.
Message parse_item(const json::object& item);

// Whether the Responses API has items of that type.
bool is_item_type(std::string_view type);

// The parts of a message's content, said by `from`. What a person's programs put between their
// words is the program's.
void append_content(Message& message, const json::value* content);

// Text that a model began with "<think>": its thought, and what it said then.
std::vector<transcript::Body> split_thought(std::string_view text);

}  // namespace weft::formats::openai
