// What a server offers: the part that is weft's own. The core (mcp/protocol/server.hpp) knows
// features by this alone.
#pragma once

#include <span>
#include <string_view>

#include "weft/mcp/protocol/prompt.hpp"
#include "weft/mcp/protocol/resource.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::mcp {

struct Features {
  std::string_view name, title, version;  // of the server
  std::string_view instructions;          // for the model, under 2,048 characters
  std::span<const Tool* const> tools{};
  std::span<const Prompt* const> prompts{};
  std::span<const Resource* const> resources{};
  bool logs = false;          // whether tools have something to log to the client
  bool lists_change = false;  // whether tools and prompts come and go while it serves
  // Called before anything is read for a client: the moment to bring it up to date. May be null.
  void (*before_reading)(Call& call) = nullptr;
  // Called when a client wants to hear of changes: the moment to look for them. Does not wait. May
  // be null.
  void (*before_waiting)(ServerContext& context) = nullptr;
};

// weft's.
Features all_features(std::string_view version);

}  // namespace weft::mcp
