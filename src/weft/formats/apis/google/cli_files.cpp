#include "weft/formats/apis/google/cli_files.hpp"

#include "weft/formats/reading/text.hpp"

namespace weft::formats::google {
namespace {

// Whether the file lies in a folder of that name, or in one directly below it.
bool lies_in(std::string_view path, std::string_view name) {
  const std::string_view folder = parent_folder(path);
  return last_component(folder) == name || last_component(parent_folder(folder)) == name;
}

}  // namespace

bool is_project_hash(std::string_view folder) {
  constexpr std::size_t kHexDigits = 64;
  return folder.size() == kHexDigits &&
         folder.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::string> cli_ignore_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has(".tmp-")) return "temporary";
  if (has(".unreadable-")) return "backup";
  if (name == "logs.json" || name == "shell_history") return "prompt-history";
  if (name.starts_with("checkpoint") && name.ends_with(".json")) return "checkpoint";
  if (last_component(parent_folder(path)) == "checkpoints") return "checkpoint";
  if (name == ".project_root") return "sidecar";
  if (lies_in(path, "tool-outputs")) return "tool-result";
  return std::nullopt;
}

}  // namespace weft::formats::google
