// The features of a server: everything specific to weft. The protocol (mcp/protocol/server.hpp)
// knows nothing else of it.
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
  bool logs = false;          // whether tools send log lines to the client
  bool lists_change = false;  // whether tools and prompts may change while it serves
  // Called before anything is read for a client, to bring the store up to date. May be null.
  void (*before_reading)(Call& call) = nullptr;
  // Called when a client subscribes to changes, to start watching for them. Does not block. May be
  // null.
  void (*before_waiting)(ServerContext& context) = nullptr;
};

// The features of weft.
Features all_features(std::string_view version);

}  // namespace weft::mcp
