// A tool call by what tells it apart from others: "Edit lib/session.ex +12 -3", "Bash cargo test",
// and what its result came to: "exit 101".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/json.hpp"
#include "weft/cli/read/edits.hpp"
#include "weft/cli/read/spans.hpp"

namespace weft::cli {

// The parts of the line, safe for terminals.
struct CallLine {
  std::string tool{};      // "Edit"
  std::string argument{};  // "lib/session.ex"; empty if nothing tells the call apart
  std::string figures{};   // "+12 -3", if it edits something
};
// For the content of a tool_request. Paths below `directory`, the working directory of the session,
// are shortened to their part in it.
CallLine call_line(const json::object& content, const Edits& edits,
                   const std::optional<std::string>& directory);

// What became of a call, from the content of its tool_result.
struct CallResult {
  std::optional<std::int64_t> exit{};  // the exit code, where the result states one
  bool is_error = false;
  std::string text{};  // what the tool said, without the exit code
};
CallResult call_result(const json::object& content);

// "exit 101", "failed", or nothing for a call that went well.
std::string outcome_text(const CallResult& result);

}  // namespace weft::cli
