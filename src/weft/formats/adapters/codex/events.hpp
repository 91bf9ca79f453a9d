// Events: what the person was shown. Most only mirror an item; some have none beside them,
// and then they are what is told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/codex/items.hpp"

namespace weft::formats::codex {

struct Event {
  enum class Kind {
    skip,      // tells nothing: `reason` says why
    echo,      // of a message or of reasoning: told if no item says the same
    tool,      // a call and its result: told if no item makes that call
    failure,   // the provider's error
    usage,     // what a model call has used
    title,     // the thread's name
    rollback,  // the last prompts are taken back
    content,   // told as it is
  };
  Kind kind = Kind::skip;
  std::string_view reason = "internal";  // a constant
  bool ends_wait = false;                // no item comes any more for what was shown so far
  bool begins_turn = false;
  Utterance utterance{};
  std::string item_id{};     // of an echo: its item's id, where it is known
  std::string call_id{};     // of a tool; of whoever was spawned
  bool has_results = false;  // of a tool: its result is in no item
  std::string agent{};       // whom the call spawned
  std::string title{};
  std::int64_t turns = 0;  // taken back
};

Event parse_event(const json::object& payload, People people);

}  // namespace weft::formats::codex
