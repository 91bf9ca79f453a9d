// Parses the lines of Codex's files, of all generations of the program.
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
  none,  // not a line of Codex
  meta,  // the header of the session
  item,  // content that the model read or wrote
  event,
  context,    // the model and folder of the records that follow
  compacted,  // the history was replaced by a summary
  internal,   // the harness's own state
  mirror,     // usage that a token_count has, too
  exec,       // of exec's output
  unknown,    // an envelope of another type
};

struct Line {
  Shape shape = Shape::none;
  std::string_view type;                  // as written; these point into the object
  const json::object* payload = nullptr;  // the object itself where there is no envelope
  std::optional<Millis> time;
  std::optional<std::int64_t> ordinal;
};
Line parse_line(const json::object& object);

// The type of an item or an event. A message may have none.
std::string_view type_of(const json::object& payload);

// The whole line at the end of `text`, behind half of another that a crash cut off. Points into
// `text`; empty if there is none.
std::optional<std::string_view> find_glued_line(std::string_view text);

}  // namespace weft::formats::codex
