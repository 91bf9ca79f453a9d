// Parses `Content` of Google's API: a list of parts, each a text, a thought, a file, a call or a
// response. Gemini CLI and its forks keep their messages in this form.
//
//   "Hi."   {"text":"Hi."}   [{"text":"Let me see.","thought":true},
//                             {"functionCall":{"id":"c1","name":"ls","args":{}}}]
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/turn_builder.hpp"
#include "weft/transcript/block.hpp"

namespace weft::formats::google {

// Most blocks of one list.
inline constexpr std::size_t kMostParts = kMaxBlocks;

struct Parts {
  std::vector<AuthoredBlock> blocks;
  bool is_cut_short = false;   // there were more than kMostParts
  bool has_responses = false;  // a response to a call is among them
};

// The blocks of `content` in order: a string, a part, or a list of both. Texts and files are
// `author`'s, thoughts and calls the model's, responses the tool's; beside responses, files are
// the tool's and texts the program's. Empty texts are left out. A part of an unknown kind is
// Unknown and keeps everything. A signature on a part that is no thought becomes a thought with
// nothing but the signature.
Parts parse_parts(const json::value& content, transcript::Author author);

// {"id":…,"name":…,"response":{"output":…}}. Its text is the output, else the error, else the whole
// response as JSON; the other members of the response are in the details, under "response".
transcript::ToolResult parse_response(const json::object& response);

// Members of `details`, which is an object or absent.
void add_detail(transcript::ToolResult& result, std::string_view key, const json::value& value);

// The form of a result that the person was shown: kept as a detail, unless it is empty or repeats
// the result.
void add_display(transcript::ToolResult& result, const json::object& holder);

// The content of a prompt's files follows the person's words, as parts of its own or in the same
// text: from there on the author is the program.
void set_files_apart(std::vector<AuthoredBlock>& blocks);

// The texts among the blocks, joined by newlines; thoughts do not count.
std::string text_of(const std::vector<AuthoredBlock>& blocks);

}  // namespace weft::formats::google
