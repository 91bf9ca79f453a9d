// Finds and recognises the files of Claude Code: folders, file names, and the head of a file.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats::claude_code {

// Helpers that the harness runs for itself: they compact, or suggest prompts.
bool is_internal_agent(std::string_view agent);

// "x" of "agent-x.jsonl".
std::optional<std::string> agent_of_file(std::string_view name);
// The session in whose side folder …/<session>/subagents/… a directory lies.
std::optional<std::string> parent_session(std::string_view directory);

// The name of the folder in which the sessions of a project are, without the hash that Claude Code
// adds to a name beyond 200 bytes.
std::string project_folder(std::string_view cwd);

// As in Adapter.
std::vector<std::string> folders(const Environment& environment);
std::optional<std::string> ignore_reason(std::string_view path);
std::string project(std::string_view path, std::string_view head);
Confidence recognises(std::string_view head);
std::unique_ptr<Framer> frame(std::string_view head);

// One JSON object with its records in an array, as the web session API has it.
inline constexpr std::string_view kLogLines = "loglines";

// Up to `most` records of a file's head, while `each` is true. Of one that is cut off, the
// members that are whole.
void each_in_head(std::string_view head, std::size_t most,
                  const std::function<bool(const json::object&)>& each);
bool is_document(std::string_view head);

}  // namespace weft::formats::claude_code
