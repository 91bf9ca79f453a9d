// Parses ui_messages.json (formerly claude_messages.json): what a task showed to the person. Beside
// the messages that went to the model it is a mirror, and the only one that knows what was used
// and, in older tasks, when; where those are not there, it is all that is left of a task.
//
//   {"ts":1767225601000,"type":"say","say":"text","text":"I look at it."}
//   {"ts":1767225602000,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a\"}"}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::cline {

struct UiMessage {
  std::string_view kind;    // "say:text", "ask:tool"; a constant, or points into the object's text
  bool is_partial = false;  // it was still coming in
  std::optional<Millis> time;
  std::vector<AuthoredBlock> blocks;
  std::optional<transcript::Usage> usage;  // of a request that began
  bool is_request = false;
  std::string_view noise;  // why it has no content; a constant
};

// Whether it is such a message at all.
bool is_ui_message(const json::object& object);
// Of the kind of `object` alone: "say" or "ask", and which.
std::string ui_kind(const json::object& object);
// The first text of a task is the person's.
enum class IsFirst { no, yes };
UiMessage parse_ui_message(const json::object& object, IsFirst is_first);

// What a request used, from the JSON that its message has for a text.
std::optional<transcript::Usage> parse_request_usage(std::string_view text);

// What the mirror knows of the requests that a task made.
struct UiLog {
  struct Request {
    Millis time = 0;
    // The number of the message that was the last one when it began, from 0 (-1: none).
    std::optional<std::int64_t> after;
  };
  std::vector<Request> requests;
  bool is_numbered = false;  // all of them have `after`, in order
  transcript::Usage usage;
  std::optional<Millis> last;  // of anything

  // When message `number` was sent or received; `answers` messages of the model came before it.
  std::optional<Millis> time_of(std::uint64_t number, std::uint64_t answers) const;
};
// Empty if `text` is no such file.
std::optional<UiLog> parse_ui_log(std::string_view text);

}  // namespace weft::formats::cline
