#include "weft/formats/adapters/gemini/places.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/apis/google/cli_files.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {
namespace {

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

std::vector<std::string> folders(const Environment& environment) {
  std::string home = environment("GEMINI_CLI_HOME").value_or("");
  if (home.empty()) home = environment("HOME").value_or("");
  if (home.empty()) return {};
  return {home + "/.gemini/tmp"};
}

std::string project(std::string_view path, std::string_view head) {
  for (std::string_view at = parent_folder(path); !at.empty(); at = parent_folder(at)) {
    if (last_component(at) != kChatsFolder) continue;
    const std::string_view folder = last_component(parent_folder(at));
    if (!folder.empty() && !google::is_project_hash(folder)) return std::string(folder);
    break;
  }
  return std::string(last_component(folder_in_head(head)));
}

}  // namespace weft::formats::gemini
