// Arranges a conversation as chat APIs expect it: a system prompt, and messages of user and
// assistant in turn, where the very next message answers every call. Writers of such formats then
// turn each block into their own JSON.
//
//   Dialogue dialogue = lay_out(conversation, rules);
//   for (const Dialogue::Message& message : dialogue.messages)
//     for (const Dialogue::AuthoredBlock& one : message.blocks) … one.block, one.call_id …
//
// Pure. The dialogue points into the conversation, which must outlive it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/transcript/conversation.hpp"

namespace weft::formats {

// The part of a dialogue that a block goes to.
enum class Side {
  system,     // into the system prompt
  user,       // into a user message
  assistant,  // into an assistant message
  apart,      // into a message of its own: a program's text among the others
  nowhere,    // it is left out
};

struct Dialogue {
  struct AuthoredBlock {
    const transcript::Block* block = nullptr;  // null: the answer to a call that has none
    std::string call_id{};                     // of calls and results, valid and unique
  };
  struct Message {
    Side side = Side::user;  // user, assistant or apart
    std::vector<AuthoredBlock> blocks{};
  };
  std::vector<const transcript::Block*> system{};
  std::vector<Message> messages{};
  std::size_t unanswered = 0;  // calls for which an answer was made up
  std::size_t stray = 0;       // results without a call, left out
};

struct DialogueRules {
  // The side of a block that is no result. A rule that leaves one out counts it.
  std::function<Side(const transcript::Block& block, transcript::Role turn)> side_of;
  // Whether a call or result stays in the assistant's message, as for tools that the API runs
  // itself. Null: none does.
  std::function<bool(const transcript::Block& block)> stays{};
  // The id and name of the call in a block of an unknown kind. The id is used as it stands. Null:
  // there are no such calls.
  std::function<std::optional<transcript::ToolCall>(const transcript::Block& block)> call_in{};
  std::size_t id_bytes = 64;  // the longest id of a call
};

Dialogue lay_out(const transcript::Conversation& conversation, const DialogueRules& rules);

// A name of letters, digits, "_" and "-", as APIs take for ids of calls and names of tools. Other
// characters become "_"; at most `most` characters.
std::string plain_name(std::string_view name, std::size_t most);

// Counts how often each kind of thing was left out or made up: "failure", "file without words"….
class Notes {
 public:
  void count(std::string_view what, std::size_t times = 1) {
    if (times > 0) counts_[std::string(what)] += times;
  }
  // "2 × failure", one for each kind, in alphabetical order.
  std::vector<std::string> lines() const;

 private:
  std::map<std::string, std::size_t> counts_;
};

// Whether the block's body is a T.
template <class T>
bool is(const transcript::Block& block) {
  return std::holds_alternative<T>(block.body);
}

}  // namespace weft::formats
