// Separates a person's words from the text that Codex adds to user messages.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/formats/adapters/codex/item_content.hpp"
#include "weft/formats/apis/openai/injected_text.hpp"

namespace weft::formats::codex {

// The text behind "## My request for Codex:", where an editor has put its own context before it;
// otherwise all of `text`. Points into it.
std::string_view request_of(std::string_view text);

// The blocks of a person's message. The context that an editor put before it is the program's, as
// is the output of a `!command`.
std::vector<AuthoredBlock> words_of(std::string_view text);
// Whether it is a `!command` with its output.
bool is_shell_command(std::string_view text);

// The first line of a person's words, as a title.
std::string title_of(std::string_view words);

}  // namespace weft::formats::codex
