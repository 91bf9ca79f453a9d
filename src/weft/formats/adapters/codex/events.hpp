// Parses events: the content that the person was shown. Most mirror an item; those without an item
// are emitted themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/codex/items.hpp"

namespace weft::formats::codex {

struct Event {
  enum class Kind {
    skip,      // has no content; `reason` says why
    message,   // a message or reasoning: emitted if no item has the same content
    tool,      // a call and its result: emitted if no item makes that call
    failure,   // the provider's error
    usage,     // the token usage of a model call
    title,     // the thread's name
    rollback,  // the last prompts are withdrawn
    content,   // emitted as it is
  };
  Kind kind = Kind::skip;
  std::string_view reason = "internal";  // a constant
  bool ends_wait = false;                // no item follows for the events so far
  bool begins_turn = false;
  ItemContent content{};
  std::string item_id{};     // of a message: its item's id, if known
  std::string call_id{};     // of a tool, or of the call that spawned `agent`
  bool has_results = false;  // of a tool: no item has its result
  std::string agent{};       // the agent that the call spawned
  std::string title{};
  std::int64_t prompts = 0;  // of a rollback: how many are withdrawn
};

Event parse_event(const json::object& payload, Prompter prompter);

}  // namespace weft::formats::codex
