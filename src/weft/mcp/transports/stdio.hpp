// MCP on stdin and stdout: a message a line, nothing else on stdout.
#pragma once

#include "weft/base/result.hpp"
#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp {

// A longer line is refused, and the connection lives on.
inline constexpr std::size_t kMaxLineBytes = 10u << 20;

// Serves until `in` ends, `out` breaks, or `stop` becomes readable (a signal came). At the end of
// `in` what is under way is answered first; else all is cancelled. The descriptors stay open.
Status serve_stdio(Server& server, int in, int out, int stop);

}  // namespace weft::mcp
