// A conversation as chat APIs take it: a system prompt, and messages of user and assistant in
// turn, where every call is answered in the very next message. Writers of such formats lay it
// out with this, and say in their own words what each block is.
//
//   Dialogue dialogue = lay_out(conversation, rules);
//   for (const Dialogue::Message& message : dialogue.messages)
//     for (const Dialogue::Said& said : message.said) … said.block, said.call_id …
//
// Pure. The dialogue points into the conversation, which has to outlive it.
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

// Where a block goes.
enum class Side {
  system,     // into the system prompt
  user,       // into a message of the user's
  assistant,  // into one of the assistant's
  apart,      // into a message of its own: words of a program amid the others'
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
  std::size_t unanswered = 0;  // calls for which an answer had to be made up
  std::size_t stray = 0;       // results without a call, left out
};

struct DialogueRules {
  // Where a block goes that is no result. Whoever leaves one out counts it.
  std::function<Side(const transcript::Block& block, transcript::Role turn)> side_of;
  // Whether a call or result stays in the assistant's message, as tools have it that the API
  // runs itself. Null: none does.
  std::function<bool(const transcript::Block& block)> stays{};
  // The call that a block of no known kind is, id and name. Its id is taken as it stands. Null:
  // none is one.
  std::function<std::optional<transcript::ToolCall>(const transcript::Block& block)> call_in{};
  std::size_t id_bytes = 64;  // the longest id of a call
};

Dialogue lay_out(const transcript::Conversation& conversation, const DialogueRules& rules);

// Letters, digits, "_" and "-": what APIs take as the id of a call and as the name of a tool.
// What is none becomes "_"; at most `most` of them.
std::string plain_name(std::string_view name, std::size_t most);

// How often each thing was left out or made up, by what it is: "failure", "file without words"….
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

// What the writers ask of every block.
template <class T>
bool is(const transcript::Block& block) {
  return std::holds_alternative<T>(block.body);
}

}  // namespace weft::formats
