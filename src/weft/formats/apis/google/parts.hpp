// What Google's API calls `Content`: a list of parts, each a text, a thought, a file, a call or
// what came back from one. Gemini CLI keeps its messages so, and those that came of it.
//
//   "Hi."   {"text":"Hi."}   [{"text":"Let me see.","thought":true},
//                             {"functionCall":{"id":"c1","name":"ls","args":{}}}]
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/reading/turn_builder.hpp"
#include "weft/transcript/block.hpp"

namespace weft::formats::google {

// Blocks of one list. A block costs hundreds of bytes, so that 64 MB of `"",""` must not
// become as many.
inline constexpr std::size_t kMostParts = 100'000;

struct Parts {
  std::vector<AuthoredBlock> blocks;
  bool is_cut_short = false;   // there were more than kMostParts
  bool has_responses = false;  // something that came back from a call is among them
};

// All that `content` says, in its order: a string, a part, or a list of both. Texts and files
// are `author`'s, thoughts and calls the model's, responses the tool's; beside responses, files
// are the tool's and texts the program's. Empty texts are nothing. What is of no known kind is
// Unknown and keeps everything. A signature on a part that is no thought is a thought of which
// there is only that.
Parts parse_parts(const json::value& content, transcript::Author author);

// {"id":…,"name":…,"response":{"output":…}}. Its text is the output, else the error, else all of
// the response as JSON; what the response holds beside is in the details, under "response".
transcript::ToolResult parse_response(const json::object& response);

// Members of `details`, which is an object or absent.
void add_detail(transcript::ToolResult& result, std::string_view key, const json::value& value);

// What a person was shown of a result: kept as a detail unless it says nothing, or what the
// result says.
void add_display(transcript::ToolResult& result, const json::object& holder);

// What a prompt's files say is put behind the person's words, as parts of its own or in the
// same text: from there on it is the program's.
void set_files_apart(std::vector<AuthoredBlock>& blocks);

// The texts among `said`, a newline between; thoughts are none.
std::string text_of(const std::vector<AuthoredBlock>& blocks);

}  // namespace weft::formats::google
