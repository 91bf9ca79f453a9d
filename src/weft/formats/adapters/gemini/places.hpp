// The folders and names of Gemini CLI's chats, and the look of a file's head.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"

namespace weft::formats::gemini {

// …/tmp/<project>/chats/session-….jsonl; those of subagents in a folder of their own below it.
inline constexpr std::string_view kChatsFolder = "chats";

// As in Adapter.
Confidence recognises(std::string_view head);
std::unique_ptr<Framer> frame(std::string_view head);
std::vector<std::string> folders(const Environment& environment);
std::string project(std::string_view path, std::string_view head);

}  // namespace weft::formats::gemini
