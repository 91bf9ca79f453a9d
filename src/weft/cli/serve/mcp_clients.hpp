// The agents that weft can configure, the path of each one's configuration, and how an MCP server
// is written into it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::cli {

// How a configuration lists its servers.
enum class ConfigShape {
  servers,   // JSON: {"mcpServers": {"weft": {"command": …, "args": […]}}}
  opencode,  // JSON: {"mcp": {"weft": {"type": "local", "command": […], "enabled": true}}}
  codex,     // TOML: [mcp_servers.weft]
};

struct McpClient {
  std::string_view name;   // as typed: "claude"
  std::string_view title;  // "Claude Code"
  std::string_view path;   // of its configuration, below the user's home
  ConfigShape shape = ConfigShape::servers;
};

// By name.
std::span<const McpClient> mcp_clients();
const McpClient* find_mcp_client(std::string_view name);

// The program and its arguments.
using ServerCommand = std::vector<std::string>;

// Only the entry of the server, as the client's documentation would show it.
std::string shown_config(ConfigShape shape, const ServerCommand& command);

// Returns `text`, a whole configuration or nothing, with weft added; everything else stays.
// invalid_input if it does not look like a configuration, or cannot be written back unchanged.
Result<std::string> with_weft(ConfigShape shape, std::string_view text,
                              const ServerCommand& command);

// Returns `text` without weft, and without a list that became empty; everything else stays. The
// same text if weft is not in it. invalid_input as above.
Result<std::string> without_weft(ConfigShape shape, std::string_view text);

// The program that a configuration starts as weft; empty if it names none, or cannot be read.
std::optional<std::string> weft_program_in(ConfigShape shape, std::string_view text);

// Returns `text` with `program` as the one that weft_program_in() names; arguments, environment and
// everything else stay. The same text if it names none. invalid_input as above.
Result<std::string> with_weft_program(ConfigShape shape, std::string_view text,
                                      const std::string& program);

}  // namespace weft::cli
