// Tells a server's subscribers what grew, whichever process wrote it.
#pragma once

#include <filesystem>
#include <memory>

#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp {

// Looks when the store's files are written, and only if somebody wants to know; else it sleeps.
class Changes {
 public:
  // Both outlive it. `store` is the store's file.
  Changes(Server& server, const ServerContext& context, const std::filesystem::path& store);
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::mcp
