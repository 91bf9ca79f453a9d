// A record of OpenCode. The same few things come in many wrappings:
//
//   session, message, part   a file of storage/, or a row of the tables session, message, part
//   {info, parts}            a message with its parts, as the server and `opencode export` give it
//   {type, properties}       an event of the server's bus, where parts are told as they grow
//   {type, sessionID, part}  a line that `opencode run --format json` printed
//   {type, seq, …}           a row of session_message, the store of 2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::opencode {

enum class Shape {
  session,
  message,
  part,
  exported,  // {info, parts}
  event,     // of the bus
  printed,   // by `opencode run`
  row,       // of session_message
  none,
};
Shape shape_of(const json::object& record);

// Why events of that type say nothing; empty for those that may.
std::string_view noise(std::string_view event);

Confidence recognises(std::string_view head);
std::unique_ptr<Framer> frame(std::string_view head);
// The folder that a session is of, in the beginning of its file.
std::string directory_in(std::string_view head);

}  // namespace weft::formats::opencode
