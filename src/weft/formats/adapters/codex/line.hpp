// The lines of Codex's files: what each is, whatever generation wrote it.
//
//   {"timestamp":"…","ordinal":7,"type":"response_item","payload":{…}}   a rollout since 0.32
//   {"id":"…","timestamp":"…","instructions":null}  {"type":"message",…}   before: bare items
//   {"type":"item.completed","item":{…}}                                 what `codex exec --json`
//   prints
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats::codex {

inline constexpr std::string_view kName = "codex";

enum class Shape {
  none,  // no line of Codex's
  meta,  // who the session is: the header
  item,  // what the model saw or said
  event,
  context,    // the model and folder of what follows
  compacted,  // the history was replaced by a summary
  internal,   // the harness's own state
  mirror,     // usage that a token_count tells, too
  exec,       // of exec's output
  unknown,    // an envelope of a type that came later
};

struct Line {
  Shape shape = Shape::none;
  std::string_view type;                  // as written; these point into the object
  const json::object* payload = nullptr;  // the object itself where there is no envelope
  std::optional<Millis> time;
  std::optional<std::int64_t> ordinal;
};
Line parse_line(const json::object& object);

// Of an item or an event: its type. A message may go without.
std::string_view type_of(const json::object& payload);

// A crash may leave half a line, with the next one right behind it: that one, if `text` ends
// with a whole line. Points into it.
std::optional<std::string_view> find_glued_line(std::string_view text);

}  // namespace weft::formats::codex
