// One message of a Cline task or session, as it was sent to a model or came from one: Anthropic's
// shape, with what Cline, Roo Code and Kilo Code add to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::cline {

// A task's messages wrap a person's words in tags, a session's (2026) as a rule do not.
enum class Era { task, session };

struct Message {
  std::vector<AuthoredBlock> blocks;
  bool is_of_model = false;     // of the role assistant
  bool is_of_the_next = false;  // an item that belongs to the message behind it
  std::optional<std::string> id;
  std::optional<Millis> time;
  std::optional<std::string> model;
  std::optional<transcript::Usage> usage;
  std::optional<std::string> directory;  // the working directory of the task, if it is named here
};

// Empty if it is no message.
std::optional<Message> parse_message(const json::object& object, Era era);

}  // namespace weft::formats::cline
