#include "weft/formats/adapters/gemini/places.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {
namespace {

std::string_view without_last(std::string_view path) {
  const std::size_t end = path.find_last_not_of("/\\");
  const std::size_t slash = path.substr(0, end + 1).find_last_of("/\\");
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// Whether it lies in a folder of that name, or in one below it.
bool lies_in(std::string_view path, std::string_view name) {
  const std::string_view folder = without_last(path);
  return last_component(folder) == name || last_component(without_last(folder)) == name;
}

// The folder that the harness names at the start of a chat, as it stands in JSON.
std::string_view folder_in_head(std::string_view head) {
  constexpr std::array<std::string_view, 2> kLabels = {R"(Workspace Directories:**\n  - )",
                                                       "working in the directory: "};
  for (const std::string_view label : kLabels) {
    const std::size_t at = head.find(label);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = head.substr(at + label.size());
    const std::size_t end = rest.find(R"(\n)");
    if (end != std::string_view::npos) return rest.substr(0, end);
  }
  return {};
}

}  // namespace

bool is_hash(std::string_view folder) {
  constexpr std::size_t kHexDigits = 64;
  return folder.size() == kHexDigits &&
         folder.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<std::string> folders(const Environment& environment) {
  std::string home = environment("GEMINI_CLI_HOME").value_or("");
  if (home.empty()) home = environment("HOME").value_or("");
  if (home.empty()) return {};
  return {home + "/.gemini/tmp"};
}

std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has(".tmp-")) return "temporary";
  if (has(".unreadable-")) return "backup";
  if (name == "logs.json" || name == "shell_history") return "prompt-history";
  if (name.starts_with("checkpoint") && name.ends_with(".json")) return "checkpoint";
  if (last_component(without_last(path)) == "checkpoints") return "checkpoint";
  if (name == ".project_root") return "sidecar";
  if (lies_in(path, "tool-outputs")) return "tool-result";
  return std::nullopt;
}

std::string project(std::string_view path, std::string_view head) {
  for (std::string_view at = without_last(path); !at.empty(); at = without_last(at)) {
    if (last_component(at) != kChatsFolder) continue;
    const std::string_view folder = last_component(without_last(at));
    if (!folder.empty() && !is_hash(folder)) return std::string(folder);
    break;
  }
  return std::string(last_component(folder_in_head(head)));
}

}  // namespace weft::formats::gemini
