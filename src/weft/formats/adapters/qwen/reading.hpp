// The content of a record of a Qwen Code session, and its author.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapters/qwen/entry.hpp"
#include "weft/formats/reading/turn_builder.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::qwen {

struct Reading {
  std::vector<AuthoredBlock> blocks{};
  std::string_view skip{};              // why it says nothing; a constant
  bool is_prompt = false;               // the program's words in it belong to a person's
  bool is_answer = false;               // whoever speaks in it, it is no system turn
  bool is_cut_short = false;            // there was more than is kept of one record
  std::optional<std::string> title{};   // that was chosen or made
  std::optional<std::string> parent{};  // the session that spawned this one
  std::vector<std::string> tools{};
};

enum class People { no, yes };  // whether "user" may be a person: not in a subagent's session
Reading read_entry(const Entry& entry, People people);

// A record of type "system", which has a payload instead of a message.
Reading read_system(const Entry& entry);

// Tokens of the answer; empty where it says nothing of them.
std::optional<transcript::Usage> usage_of(const Entry& entry);

// The calls among `said` that start agents, and those agents that results name.
std::vector<transcript::Spawned> spawned_in(const std::vector<AuthoredBlock>& blocks);

}  // namespace weft::formats::qwen
