// Schemas: thoughts that describe, in the web itself, the kinds of a family, the inputs of
// identities, and the relations.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::thought {

inline constexpr std::string_view kSchemaType = "schema";

// "schema/anthropic_conversation": every kind, its fields, and the layer of each.
json::object conversation_schema(std::string_view family);
// "input/anthropic_model", "input/anthropic_thinking", "input/human_chat",
// "input/tool_execution", and their like for other families.
json::object input_schema(std::string_view name);
// "relation/contains"…: one for each of relations().
json::object relation_schema(std::string_view relation);
std::span<const std::string_view> relations();

}  // namespace weft::thought
