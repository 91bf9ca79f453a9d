// Separates a person's words from the harness's in user messages. Claude Code adds text of its
// own in tags: the output of commands, notifications, the editor's selection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::claude_code {

struct PromptOrigin {
  enum class Kind {
    prompt,      // a person's; a slash command is "/name args", a shell command "!command"
    command,     // one of the two
    program,     // the harness's
    compaction,  // the summary that continues a conversation
  };
  Kind kind = Kind::prompt;
  std::string text;
  friend bool operator==(const PromptOrigin&, const PromptOrigin&) = default;
};

// The pieces of a text whose origin nothing else shows. The editor's text before a prompt is one
// piece, the prompt another; any other text is one piece. Empty for a blank text.
std::vector<PromptOrigin> words_of(std::string_view text);

// The text between <tag> and </tag>, trimmed; empty if there is none.
std::string_view tagged(std::string_view text, std::string_view tag);

}  // namespace weft::formats::claude_code
