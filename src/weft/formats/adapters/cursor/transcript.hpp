// Parses the lines of an agent transcript. They have no ids, no times, no model, and of tools
// usually only the calls.
//
//   {"role":"user","message":{"content":[{"type":"text","text":"<user_query>\n…\n</user_query>"}]}}
//   {"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{…}}]}}
//   {"type":"turn_ended","status":"success"}
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/state_archive.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::cursor {

// Calls without an id, in order: a result that comes later is the oldest one's. The last kMost
// are remembered; a result of an older one has no name.
class OpenCalls {
 public:
  void add(const transcript::ToolCall& call);
  // Names the tool of a result that does not name it.
  void name(transcript::ToolResult& result);

  // The field `key`, a list of names.
  void archive(StateArchive& a, std::string_view key) { a.field(key, names_, kMost); }

 private:
  static constexpr std::size_t kMost = 16;
  std::deque<std::string> names_;
};

bool is_transcript_line(const json::object& object);
// The blocks of a line, and whether the model is their author.
struct TranscriptLine {
  bool is_of_model = false;
  std::vector<AuthoredBlock> blocks;
};
TranscriptLine parse_transcript_line(const json::object& object, OpenCalls& calls);

}  // namespace weft::formats::cursor
