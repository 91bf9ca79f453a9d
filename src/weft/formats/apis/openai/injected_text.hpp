// Recognises the text that coding agents insert into user messages: context, instructions and
// notices that no person typed. Codex writes it into its sessions, and sends it to the API.
#pragma once

#include <string_view>

namespace weft::formats::openai {

// Decides by how `text` begins.
bool is_injected(std::string_view text);

}  // namespace weft::formats::openai
