// Sessions of OpenAI's Codex (command line, editor and desktop) and of those that keep the
// same files: JSON lines, a header and then items and events; see codex/session.hpp.
#include "weft/formats/adapters/codex/line.hpp"
#include "weft/formats/adapters/codex/session.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

std::unique_ptr<Framer> frame(std::string_view head) {
  return codex::is_document(head) ? json_framer({"items"}) : line_framer();
}

std::vector<std::string> folders(const Environment& environment) {
  std::string root = environment("CODEX_HOME").value_or("");
  const std::string home = environment("HOME").value_or("");
  if (root.empty() && !home.empty()) root = home + "/.codex";
  if (root.empty()) return {};
  return {root + "/sessions", root + "/archived_sessions"};
}

std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  if (name == "history.jsonl") return "prompt-history";
  if (name == "session_index.jsonl") return "index";
  return std::nullopt;
}

std::string project(std::string_view /*path*/, std::string_view head) {
  return codex::project_of_head(head);
}

}  // namespace

const Adapter& codex_adapter() {
  static constexpr Adapter adapter{
      .name = codex::kName,
      .family = "openai",
      .version = 3,
      .recognises = codex::recognise_session,
      .frame = frame,
      .open = codex::open_session,
      .grows = true,
      .folders = folders,
      .ignore_reason = ignore_reason,
      .project = project,
  };
  return adapter;
}

}  // namespace weft::formats
