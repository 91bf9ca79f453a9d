// Describes a tool that models call: one Tool in one file of tools/, found by the build.
//
// The file wot_thought_get.cpp ends with `const Tool& wot_thought_get_tool() {…}`; CMake writes the
// table of tools from the file names, so there is no list to edit.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/mcp/protocol/call.hpp"
#include "weft/mcp/protocol/parameter.hpp"

namespace weft::mcp {

// Clients assume the worst if a hint is missing, so all four are given.
struct Hints {
  bool is_read_only = true;
  bool is_destructive = false;
  bool is_idempotent = true;
  bool is_open_world = false;  // reaches beyond the store
};

struct Tool {
  std::string_view name, title;
  // As short as it can be: its purpose, when to use it and when another.
  std::string_view description;
  std::vector<Parameter> parameters{};
  std::string_view example{};  // the arguments of a correct call, as JSON, shown with refusals
  std::string_view output_schema{};  // JSON Schema of the structured answer, an object
  Hints hints{};
  // Slow tools have a few threads of their own, so that quick ones need not wait for them.
  enum class Pace { quick, slow } pace = Pace::quick;
  // The result of `tools/call`: made by tool_result() or refused(). An error means that the request
  // itself was wrong.
  Served<> (*call)(Call& call) = nullptr;
  // Replaces `parameters`, as JSON Schema; arguments are then not checked.
  std::string_view input_schema{};
};

// Every tool of the build, by name.
std::span<const Tool* const> all_tools();

// The result that carries `structured`, and the same as a text for the model, made by `render`:
// clients differ in which of the two the model sees.
//
// Both are sanitized first: control, bidi and tag characters are removed, and texts are cut so that
// the result stays within the argument `max_chars` (kDefaultChars unless the tool takes it and the
// caller gave more). Each cut text is marked, and a member `cut` says how to get the rest. While a
// first ingest is under way, a member `notes` says so.
using Render = std::function<std::string(const json::object& structured)>;
json::object tool_result(Call& call, json::object structured, const Render& render);

inline constexpr std::int64_t kDefaultChars = 40'000;
inline constexpr std::int64_t kMostChars = 400'000;
// The parameter max_chars, for tools whose answers can be long.
Parameter max_chars();

// A negative answer: not found, sealed, an invalid value. `fault` names it; `cure` says what to
// do.
json::object refused(std::string_view fault, std::string_view cure = {});
json::object refused(const Error& error, std::string_view cure = {});

}  // namespace weft::mcp
