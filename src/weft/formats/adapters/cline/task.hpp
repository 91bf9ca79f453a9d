// The files that Cline keeps beside a conversation, and the facts in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"

namespace weft::formats::cline {

// The names of a task's files, in a folder that has the task's id for a name.
inline constexpr std::string_view kHistoryName = "api_conversation_history.json";
inline constexpr std::string_view kUiName = "ui_messages.json";
inline constexpr std::string_view kOldUiName = "claude_messages.json";
// A session's file is <its id>.messages.json, in a folder of that name.
inline constexpr std::string_view kSessionSuffix = ".messages.json";

// "cline", or "roo-code" or "kilo-code" where the path says so.
std::string program_of(std::string_view directory);

struct About {
  std::optional<std::string> title, cwd;
  std::optional<transcript::Origin> origin;
  std::string agent{};  // of a subagent: how it is called
  struct Model {
    Millis since = 0;
    std::string name;
  };
  std::vector<Model> models{};  // in order

  // Who spoke at that time, as far as is known.
  std::optional<std::string> model_at(std::optional<Millis> time) const;
};

// From history_item.json, an index of tasks and task_metadata.json.
About about_task(const SourceInfo& info, std::string_view task);
// From the manifest <id>.json.
About about_session(const SourceInfo& info);

}  // namespace weft::formats::cline
