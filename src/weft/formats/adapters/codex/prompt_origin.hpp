// Whose words a user message holds: Codex puts much into that role that nobody typed.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/formats/adapters/codex/utterance.hpp"
#include "weft/formats/apis/openai/injected_text.hpp"

namespace weft::formats::codex {

// What follows "## My request for Codex:", where an editor has put its own context before it;
// else all of `text`. Points into it.
std::string_view request_of(std::string_view text);

// A person's text: the context that an editor put before it is the program's, and so is what
// a `!command` printed.
std::vector<AuthoredBlock> words_of(std::string_view text);
// Whether that is a `!command` and what it printed.
bool is_shell_command(std::string_view text);

// The first line of a person's words, as a title.
std::string title_of(std::string_view words);

}  // namespace weft::formats::codex
