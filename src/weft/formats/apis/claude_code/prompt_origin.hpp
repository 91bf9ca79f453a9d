// Whose words are these? Claude Code writes as "user" what a person typed, and also what it
// adds itself, between tags: the output of commands, notifications, what the editor shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::claude_code {

struct PromptOrigin {
  enum class Kind {
    prompt,      // of a person; a slash command is "/name args", a shell command "!command"
    command,     // one of the two
    program,     // of the harness
    compaction,  // the summary that a conversation goes on with
  };
  Kind kind = Kind::prompt;
  std::string text;
  friend bool operator==(const PromptOrigin&, const PromptOrigin&) = default;
};

// The words of a text of which nothing else says whose they are. What the editor put before
// a prompt is split from it; all else is one piece. Empty for a blank text.
std::vector<PromptOrigin> words_of(std::string_view text);

// What stands between <tag> and </tag>, without blanks around it; empty if it is not there.
std::string_view tagged(std::string_view text, std::string_view tag);

}  // namespace weft::formats::claude_code
