// What a record of a Qwen Code session says, and who says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapters/qwen_entry.hpp"
#include "weft/formats/teller.hpp"

namespace weft::formats::qwen {

struct Reading {
  std::vector<Said> said{};
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

// The agent that a call of the tool for agents started, from what came back from it.
std::optional<std::string> agent_in(const transcript::ToolResult& result);

// Whether a tool starts agents.
bool is_agent_tool(std::string_view name);

}  // namespace weft::formats::qwen
