// Parses records of Claude Code into blocks with their authors: a pure function for each type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/apis/claude_code/entry.hpp"
#include "weft/transcript/block.hpp"

namespace weft::formats::claude_code {

struct AuthoredBlock {
  transcript::Author author = transcript::Author::program;
  transcript::Body body;
  std::uint32_t index = 0;  // its position in the record
  bool is_command = false;  // a person's command to the harness: no title
  std::optional<Millis> start{}, stop{};
};

struct Reading {
  std::vector<AuthoredBlock> blocks;
  std::string skip;           // the reason why it has no blocks; else empty
  bool is_cut_short = false;  // there were more than kMaxBlocks
  std::optional<std::string> message_id, model;
  // The files that hold whole results, as the record names them.
  struct Kept {
    std::uint32_t result = 0;  // index of the result
    std::string path;
  };
  std::vector<Kept> kept{};
};

Reading read_user(const Entry& entry);
Reading read_assistant(const Entry& entry);
Reading read_attachment(const Entry& entry);
Reading read_system(const Entry& entry);
// A record of an unknown type that has its place in the thread.
Reading read_unknown(const Entry& entry);

// The text of a string, or of a list of strings and text blocks, joined by newlines.
std::string joined_text(const json::value& content);

// Appends the content of a prompt. Its author is a person, unless `is_program` or its text shows
// otherwise.
void append_prompt(Reading& reading, const Entry& entry, const json::value& content,
                   bool is_program);

}  // namespace weft::formats::claude_code
