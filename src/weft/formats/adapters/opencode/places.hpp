// The folders and databases of OpenCode's conversations, and the ways to read them.
#pragma once

#include "weft/formats/adapter.hpp"

namespace weft::formats::opencode {

// <data>/opencode.db, since 1.2: a database of rows that are changed in place.
extern const DatabaseShape kDatabase;
// <data>/storage, before: a file for each session, message and part.
extern const TreeShape kTree;

std::vector<std::string> folders(const Environment& environment);
std::optional<std::string> ignore_reason(std::string_view path);
std::optional<std::string> ignore_folder_reason(std::string_view path);
std::string project(std::string_view path, std::string_view head);

}  // namespace weft::formats::opencode
