// Parses tool calls as the person was shown them: events that report the end of a tool call,
// completed items, and the items of exec's output. Each is a call and its result in one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapters/codex/item_content.hpp"

namespace weft::formats::codex {

struct ToolEvent {
  std::string call_id;
  std::vector<AuthoredBlock> blocks{};  // the call, then its result; none if it only names `agent`
  bool has_results = false;             // the blocks contain a result that no item has
  std::string agent{};                  // the agent that it spawned
};

// An event_msg of type `type`; empty if it is not of a tool.
std::optional<ToolEvent> parse_tool_event(std::string_view type, const json::object& payload);
// The item of an item_completed; empty if it is not of a tool.
std::optional<ToolEvent> parse_tool_item(const json::object& item);

// The item of an item.completed of exec's output: messages, reasoning and tools.
ItemContent parse_exec_item(const json::object& item);

}  // namespace weft::formats::codex
