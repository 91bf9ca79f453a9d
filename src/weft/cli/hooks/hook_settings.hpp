// Adds weft's hooks to Claude Code's settings, and removes them.
//
//   {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "…"}]}]}}
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::cli {

// Your own settings of Claude Code: in $CLAUDE_CONFIG_DIR, else in .claude below `home`.
std::filesystem::path hook_settings_path(const std::filesystem::path& home);

// The events at which a transcript has grown, or is about to end.
std::span<const std::string_view> hook_events();

// The shell commands of weft's hooks.
struct HookCommands {
  std::string ingest;    // "weft hook"
  std::string handover;  // "weft hook --handover"
  // Whether a hook for it is added. One that is there already stays in any case.
  bool adds_handover = false;
};

// Returns `text`, a whole settings file or nothing, with a hook that ingests at each of
// hook_events(), and perhaps one that hands over at a SessionStart after a compaction; an existing
// hook of weft runs its command from now on. Everything else stays, in its
// order and with its indentation; text that needs no change is returned unchanged. invalid_input if
// it does not look like settings, or cannot be written back unchanged.
Result<std::string> with_hooks(std::string_view text, const HookCommands& commands);

// Returns `text` without weft's hooks, and without members that became empty.
Result<std::string> without_hooks(std::string_view text);

// Returns `text` with weft's hooks that start the program `from` starting `to` instead, with the
// arguments that they have. invalid_input as with_hooks().
Result<std::string> with_hook_program(std::string_view text, const std::string& from,
                                      const std::string& to);

// The programs that weft's hooks start, each once, as the settings name them.
std::vector<std::string> hook_programs(std::string_view text);

// Whether a shell command is `weft hook`, with any path to weft.
bool is_weft_hook(std::string_view command);

}  // namespace weft::cli
