// Notifies a server's subscribers of conversations that grew, whichever process wrote them.
#pragma once

#include <memory>

#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp {

// Reads the store after commits, and only if there are subscribers; otherwise sleeps.
class Changes {
 public:
  // Both outlive it.
  Changes(Server& server, const ServerContext& context);
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::mcp
