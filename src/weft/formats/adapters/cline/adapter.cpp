// Conversations of Cline, and of Roo Code and Kilo Code, which grew out of it.
//
// A *task* of the editor is a folder, <editor>/User/globalStorage/<extension>/tasks/<id>/, with
// the messages sent to a model in api_conversation_history.json and those shown to the person in
// ui_messages.json. A *session* (2026) is ~/.cline/data/sessions/<id>/<id>.messages.json
// with its manifest <id>.json. All are rewritten whole whenever they change.
#include <array>

#include "weft/formats/adapters/cline/prompt_origin.hpp"
#include "weft/formats/adapters/cline/reader.hpp"
#include "weft/formats/adapters/cline/task.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

std::unique_ptr<Framer> frame(std::string_view /*head*/) { return json_framer({"messages"}); }

std::vector<std::string> folders(const Environment& environment) {
  const std::string home = environment("HOME").value_or("");
  if (home.empty()) return {};
  std::string config = environment("XDG_CONFIG_HOME").value_or("");
  if (config.empty()) config = home + "/.config";
  const std::string library = home + "/Library/Application Support";
  std::vector<std::string> users;
  for (const char* editor : {"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"}) {
    users.push_back(config + "/" + editor);
    users.push_back(library + "/" + editor);
  }
  for (const char* server : {".vscode-server", ".vscode-server-insiders", ".vscode-remote",
                             ".cursor-server", ".windsurf-server", ".vscodium-server"}) {
    users.push_back(home + "/" + server + "/data");
  }
  std::vector<std::string> found = {home + "/.cline/data/tasks", home + "/.cline/data/sessions"};
  for (const std::string& user : users) {
    for (const char* extension :
         {"saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code"}) {
      found.push_back(user + "/User/globalStorage/" + extension + "/tasks");
    }
  }
  return found;
}

std::optional<std::string> ignore_reason(std::string_view path) {
  constexpr std::array<std::string_view, 7> kSidecars = {
      "task_metadata.json", "history_item.json", "context_history.json", "_index.json",
      "taskHistory.json",   "settings.json",     "sessions.db"};
  const std::string_view name = last_component(path);
  for (const std::string_view sidecar : kSidecars) {
    if (name == sidecar) return "sidecar";
  }
  if (name.ends_with(".compaction.json") || name.starts_with("focus_chain_")) return "sidecar";
  if (name.ends_with(".db-wal") || name.ends_with(".db-shm")) return "sidecar";
  // A session's manifest: <id>/<id>.json.
  std::string_view folder = path.substr(0, path.size() - name.size());
  folder = last_component(folder);
  if (!folder.empty() && name == std::string(folder) + ".json") return "sidecar";
  return std::nullopt;
}

// The first message of a task names its folder.
std::string project(std::string_view /*path*/, std::string_view head) {
  return std::string(last_component(cline::find_directory(head).value_or("")));
}

}  // namespace

const Adapter& cline_adapter() {
  static constexpr Adapter adapter{
      .name = cline::kName,
      .family = "cline",
      .version = 1,
      .recognises = cline::recognise_conversation,
      .frame = frame,
      .open = cline::open_conversation,
      .folders = folders,
      .ignore_reason = ignore_reason,
      .project = project,
      .reach = 2,
  };
  return adapter;
}

}  // namespace weft::formats
