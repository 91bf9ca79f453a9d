// Names of the files that Gemini CLI keeps beside its chats. Qwen Code, which grew out of it,
// keeps the same ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::google {

// As Adapter::ignore_reason.
std::optional<std::string> cli_ignore_reason(std::string_view path);

// Whether a project's folder is named by a hash, as older versions did.
bool is_project_hash(std::string_view folder);

}  // namespace weft::formats::google
