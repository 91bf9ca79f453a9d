// Programs of this machine that start weft: hooks and MCP servers in the settings of agents, and
// processes that run. After weft was installed elsewhere, or its folder was moved, they may start
// another weft than the one that the person uses, or none.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "weft/cli/app/context.hpp"
#include "weft/cli/serve/mcp_clients.hpp"

namespace weft::cli {

struct Integration {
  enum class Kind { hook, client, process };
  Kind kind = Kind::hook;
  std::string what{};       // "the hook of Claude Code", "Codex", "process 4242"
  std::string program{};    // the weft that it starts or is
  std::string cure{};       // the command that puts it right
  bool is_missing = false;  // there is no such program

  std::filesystem::path settings{};          // of a hook and a client
  ConfigShape shape = ConfigShape::servers;  // of a client
  pid_t pid = 0;                             // of a process
};

// Those that start another weft than this one.
std::vector<Integration> find_strays(const Context& context);

// "Codex starts /opt/weft, which is not there: weft mcp install codex"
std::string described(const Integration& stray);

// Makes settings start this weft, with the arguments that they have, or ends a process; shows what
// it will do, and asks unless `yes`. With nobody to ask it does nothing. Returns whether it did.
Result<bool> put_right(const Context& context, const Integration& stray, bool yes);

}  // namespace weft::cli
