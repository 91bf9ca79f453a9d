// Programs of this machine that start weft: hooks and MCP servers in the settings of agents, and
// processes that run. After weft was installed elsewhere, or its folder was moved, they may start
// another weft than the one that the person uses, or none.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

struct Integration {
  std::string what{};       // "the hook of Claude Code", "Codex", "process 4242: weft up"
  std::string program{};    // the weft that it starts or is
  std::string cure{};       // the command that puts it right
  bool is_missing = false;  // there is no such program
};

// Those that start another weft than this one.
std::vector<Integration> find_strays(const Context& context);

}  // namespace weft::cli
