// Serves MCP on stdin and stdout: one message a line, and nothing else on stdout.
#pragma once

#include "weft/base/result.hpp"
#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp {

// A longer line is refused; the connection stays open.
inline constexpr std::size_t kMaxLineBytes = 10u << 20;

// Serves until `in` ends, `out` cannot be written, or `stop` becomes readable (a signal came). At
// the end of `in`, requests under way are answered first; otherwise they are cancelled. The
// descriptors stay open. unavailable if the descriptors cannot be polled.
Status serve_stdio(Server& server, int in, int out, int stop);

}  // namespace weft::mcp
