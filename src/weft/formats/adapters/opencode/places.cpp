#include "weft/formats/adapters/opencode/places.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/adapters/opencode/record.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::opencode {
namespace {}  // namespace

std::vector<std::string> folders(const Environment& environment) {
  std::string data = environment("XDG_DATA_HOME").value_or("");
  const std::string home = environment("HOME").value_or("");
  if (data.empty() && !home.empty()) data = home + "/.local/share";
  if (data.empty()) return {};
  return {data + "/opencode"};
}

// …/message/<session>/<message>.json and …/part/<message>/<part>.json are read with their
// session.
std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  if (name.ends_with(".db-wal") || name.ends_with(".db-shm")) return "sidecar";
  const std::string_view above = last_component(parent_folder(parent_folder(path)));
  // Before 0.6 the parts of a session lay in a folder of it: …/part/<session>/<message>/.
  const std::string_view far_above =
      last_component(parent_folder(parent_folder(parent_folder(path))));
  if (name.ends_with(".json") && (above == "message" || above == "part" || far_above == "part")) {
    return "part-of-session";
  }
  if (above == "storage" || parent_folder(path).ends_with("/storage")) {
    // project/<id>.json, session_diff/<session>.json, todo/<session>.json, migration
    const std::string_view kind = last_component(parent_folder(path));
    if (kind == "session_diff" || kind == "todo" || kind == "project" || kind == "session_share" ||
        name == "migration") {
      return "internal";
    }
  }
  constexpr std::array<std::string_view, 3> kOthers = {"auth.json", "mcp-auth.json",
                                                       "account.json"};
  const bool is_beside = last_component(parent_folder(path)) == "opencode";
  if (is_beside && std::ranges::find(kOthers, name) != kOthers.end()) return "internal";
  return std::nullopt;
}

std::optional<std::string> ignore_folder_reason(std::string_view path) {
  constexpr std::array<std::string_view, 8> kOthers = {
      "snapshot", "log", "bin", "tool-output", "worktree", "repos", "plans", "session_diff"};
  const std::string_view name = last_component(path);
  const std::string_view above = last_component(parent_folder(path));
  if (above == "opencode" && std::ranges::find(kOthers, name) != kOthers.end()) return "internal";
  const bool is_in_store =
      above == "storage" || last_component(parent_folder(parent_folder(path))) == "storage";
  if (is_in_store && (name == "message" || name == "part")) return "part-of-session";
  if (is_in_store && (name == "session_diff" || name == "todo" || name == "project")) {
    return "internal";
  }
  return std::nullopt;
}

std::string project(std::string_view /*path*/, std::string_view head) {
  return std::string(last_component(directory_in(head)));
}

}  // namespace weft::formats::opencode
