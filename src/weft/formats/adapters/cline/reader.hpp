// Reads a conversation of Cline: the messages of a task or a session, or the display of a task.
#pragma once

#include <memory>

#include "weft/formats/adapter.hpp"

namespace weft::formats::cline {

inline constexpr std::string_view kName = "cline";

Confidence recognise_conversation(std::string_view head);
std::unique_ptr<Reader> open_conversation(const SourceInfo& info);

}  // namespace weft::formats::cline
