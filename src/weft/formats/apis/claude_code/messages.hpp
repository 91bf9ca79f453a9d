// From a record to what is said in it, and by whom: a pure function for each type of record.
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
  bool is_command = false;  // a person's, of the harness: no title
  std::optional<Millis> start{}, stop{};
};

struct Reading {
  std::vector<AuthoredBlock> blocks;
  std::string skip;           // why nothing is said; empty if something is
  bool is_cut_short = false;  // there were more than kMaxBlocks
  std::optional<std::string> message_id, model;
  // Of a result: the file that holds the whole of it, as the record names it.
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
// A record of a type that we do not know, but which has its place in the thread.
Reading read_unknown(const Entry& entry);

// The texts of a string, or of a list of strings and text blocks, a newline between.
std::string joined_text(const json::value& content);

// The content of a prompt, said by a person unless `is_program`, or its words say otherwise.
void append_prompt(Reading& reading, const Entry& entry, const json::value& content,
                   bool is_program);

}  // namespace weft::formats::claude_code
