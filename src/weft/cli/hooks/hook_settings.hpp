// Claude Code's settings, and weft's hooks in them.
//
//   {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "…"}]}]}}
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::cli {

// The events at which a transcript has grown, or is about to end.
std::span<const std::string_view> hook_events();

// `text`, the whole of a settings file or nothing, with a hook that runs `command` at each of
// hook_events(); one of weft's that is there already runs `command` from now on. All else stays,
// in its order and with its indentation; text that has all of this already comes back as it is.
// invalid_input if it is not what settings look like, or cannot be written back as it was.
Result<std::string> with_hooks(std::string_view text, const std::string& command);

// The same without weft's hooks, and without what is empty for want of them.
Result<std::string> without_hooks(std::string_view text);

// Whether a shell command is `weft hook`, wherever weft lies.
bool is_weft_hook(std::string_view command);

}  // namespace weft::cli
