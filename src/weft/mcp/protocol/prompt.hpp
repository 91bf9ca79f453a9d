// Describes a prompt that people pick in their client: one Prompt in one file of prompts/, found by
// the build (`const Prompt& why_prompt() {…}` in why.cpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/protocol/call.hpp"

namespace weft::mcp {

struct PromptArgument {
  std::string_view name, title, description;
  bool is_required = false;
};

struct Prompt {
  std::string_view name, title, description;
  std::vector<PromptArgument> arguments{};
  // {description?, messages: […]}. The arguments are checked: all texts, the required ones present.
  Served<> (*get)(Call& call) = nullptr;
  // Values of an argument that begin like this, the likeliest first; null if there is no
  // completion.
  std::vector<std::string> (*complete)(Call& call, std::string_view argument,
                                       std::string_view begun) = nullptr;
};

// Every prompt of the build, by name.
std::span<const Prompt* const> all_prompts();

}  // namespace weft::mcp
