// The folders and names of Qwen Code's sessions, the look of a file's head, and the ends of its
// lines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"

namespace weft::formats::qwen {

// As in Adapter.
Confidence recognises(std::string_view head);
std::vector<std::string> folders(const Environment& environment);
std::optional<std::string> ignore_reason(std::string_view path);
std::string project(std::string_view path, std::string_view head);

// Lines, and where a crash glued several whole objects into one, each of these.
std::unique_ptr<Framer> glued_line_framer();

}  // namespace weft::formats::qwen
