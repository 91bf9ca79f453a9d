// Sessions of GitHub's Copilot CLI: JSON lines, one event each (copilot/event.hpp). Since 1.0.11
// they are <home>/session-state/<id>/events.jsonl with files beside them, before that
// <home>/session-state/<id>.jsonl.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "weft/formats/adapters/copilot/session.hpp"

namespace weft::formats {
namespace {

using transcript::Sink;

class CopilotReader final : public JsonReader {
 public:
  explicit CopilotReader(const SourceInfo& info) : JsonReader(copilot::kName), session_(info) {}

  void finish(Sink& sink) override { session_.finish(sink); }

 private:
  void read_record(JsonRecord record, Sink& sink) override { session_.read(record, sink); }
  // After a crash a line may follow half of the one before on the same line, or zeros in its
  // place.
  std::optional<std::string_view> find_whole(std::string_view text) const override {
    constexpr std::array<std::string_view, 1> kBeginnings = {"{\"type\":\""};
    return find_glued(text, kBeginnings);
  }
  void archive(StateArchive& a) override { session_.archive(a); }

  copilot::Session session_;
};

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<CopilotReader>(info);
}

std::vector<std::string> folders(const Environment& environment) {
  std::string root = environment("COPILOT_HOME").value_or("");
  const std::string home = environment("HOME").value_or("");
  if (root.empty() && !home.empty()) root = home + "/.copilot";
  if (root.empty()) return {};
  return {root + "/session-state"};
}

// The other files of a session: the workspace, checkpoints, plans, generated files.
std::optional<std::string> ignore_reason(std::string_view path) {
  constexpr std::array<std::string_view, 7> kEndings = {".yaml",   ".yml",    ".md",  ".db",
                                                        ".db-wal", ".db-shm", ".lock"};
  constexpr std::array<std::string_view, 4> kFolders = {"/checkpoints/", "/rewind-snapshots/",
                                                        "/files/", "/research/"};
  const bool is_beside =
      std::ranges::any_of(kEndings, [&](std::string_view end) { return path.ends_with(end); });
  const std::size_t at = path.find("/session-state/");
  const bool is_below =
      at != std::string_view::npos && std::ranges::any_of(kFolders, [&](std::string_view folder) {
        return path.find(folder, at) != std::string_view::npos;
      });
  if (at != std::string_view::npos && (is_beside || is_below)) return "sidecar";
  return std::nullopt;
}

std::string project(std::string_view /*path*/, std::string_view head) {
  std::string cwd = copilot::cwd_in(head);
  while (!cwd.empty() && (cwd.back() == '/' || cwd.back() == '\\')) cwd.pop_back();
  const std::size_t slash = cwd.find_last_of("/\\");
  return slash == std::string::npos ? cwd : cwd.substr(slash + 1);
}

}  // namespace

const Adapter& copilot_adapter() {
  static constexpr Adapter adapter{
      .name = copilot::kName,
      .family = "github",
      .version = 2,
      .recognises = copilot::recognises,
      .frame = frame_lines,
      .open = open,
      .grows = true,
      .folders = folders,
      .ignore_reason = ignore_reason,
      .project = project,
  };
  return adapter;
}

}  // namespace weft::formats
