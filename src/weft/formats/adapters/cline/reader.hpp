// Reads what Cline keeps: the messages of a task or a session, or what a task showed.
#pragma once

#include <memory>

#include "weft/formats/adapter.hpp"

namespace weft::formats::cline {

inline constexpr std::string_view kName = "cline";

Confidence recognise_conversation(std::string_view head);
std::unique_ptr<Reader> open_conversation(const SourceInfo& info);

}  // namespace weft::formats::cline
