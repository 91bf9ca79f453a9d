// Parses the messages of a pi session into blocks and their authors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/turn_emitter.hpp"
#include "weft/transcript/block.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::pi {

struct Message {
  std::string role;  // as the source has it
  std::vector<AuthoredBlock> blocks;
  bool is_too_large = false;  // has more than kMaxBlocks
  std::optional<std::string> model, response_id;
};

// Never fails: a message of an unknown role or type becomes Unknown and keeps everything.
//
//   user           human words and images
//   assistant      thinking, text, calls; last the provider's error, if there was one
//   toolResult     one result, with its details
//   bashExecution  the person's "!command", then its output, by the program
//   compactionSummary, branchSummary   as the entries of those names
//   all others     content of a program
Message parse_message(const json::object& message);

// The content of an extension: text, or blocks.
Message parse_program_content(const json::value& content);

// Its texts, with a newline between them.
std::string words_of(const Message& message);

// Sums that saturate; what is negative does not count.
transcript::Usage parse_usage(const json::object& usage);
// The request that `message` answers: pi counts cached input apart, and states what it cost.
transcript::Request parse_request(const json::object& message, const json::object& usage);

}  // namespace weft::formats::pi
