// Sessions of OpenClaw (once Clawdbot, then Moltbot): pi's lines, written by a gateway that
// also speaks in them (formats/adapters/pi/openclaw_authors.hpp). Up to 2026.7 they are files,
// <state>/agents/<agent>/sessions/<id>.jsonl; from then on rows of a database,
// <state>/agents/<agent>/agent/openclaw-agent.sqlite, one for each former line.
#include <array>

#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/adapters/pi/session.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

// Other programs call a table transcript_events, too.
constexpr std::array<std::string_view, 2> kTables = {"transcript_events", "session_windows"};

// Rows are written once. That a session continues another (reset, rollover, fork, compaction) is
// recorded in session_windows only: its header is given the `parentSession` that a file would
// have.
constexpr DatabaseShape kDatabase{
    .tables = kTables,
    .conversations = R"(
      SELECT session_id, count(*) || '.' || max(seq)
      FROM transcript_events GROUP BY session_id ORDER BY session_id)",
    .lines = R"(
      SELECT e.seq + 1,
             CASE WHEN w.previous_session_id IS NOT NULL
                   AND e.seq = (SELECT min(seq) FROM transcript_events WHERE session_id = ?1)
                   AND json_valid(e.event_json)
                  THEN CASE WHEN json_extract(e.event_json, '$.type') = 'session'
                             AND json_extract(e.event_json, '$.parentSession') IS NULL
                            THEN json_set(e.event_json, '$.parentSession', w.previous_session_id)
                            ELSE e.event_json END
                  ELSE e.event_json END
      FROM transcript_events e LEFT JOIN session_windows w ON w.session_id = e.session_id
      WHERE e.session_id = ?1 AND e.seq >= ?2 ORDER BY e.seq)",
};

Confidence recognises(std::string_view head) {
  return pi::recognise_session(pi::Dialect::openclaw, head);
}

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return pi::open_session(pi::Dialect::openclaw, info);
}

std::vector<std::string> folders(const Environment& environment) {
  if (const auto state = environment("OPENCLAW_STATE_DIR")) return {*state + "/agents"};
  const auto home = environment("HOME");
  if (!home) return {};
  return {*home + "/.openclaw/agents", *home + "/.clawdbot/agents", *home + "/.moltbot/agents"};
}

// "openclaw-clawd" for …/clawd/sessions/x.jsonl and for …/clawd/agent/openclaw-agent.sqlite.
std::string project(std::string_view path, std::string_view head) {
  const std::size_t slash = path.find_last_of("/\\");
  std::string_view folder = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  const std::string_view last = last_component(folder);
  if (last == "sessions" || last == "agent") {
    folder.remove_suffix(folder.size() - static_cast<std::size_t>(last.data() - folder.data()));
    const std::string_view agent = last_component(folder);
    if (!agent.empty()) return "openclaw-" + std::string(agent);
  }
  return pi::project_of_header(head);
}

}  // namespace

const Adapter& openclaw_adapter() {
  static constexpr Adapter adapter{
      .name = "openclaw",
      .family = "openclaw",
      .version = 2,
      .recognises = recognises,
      .frame = frame_lines,
      .open = open,
      .grows = true,
      .folders = folders,
      .ignore_reason = pi::ignore_file_reason,
      .project = project,
      .database = &kDatabase,
  };
  return adapter;
}

}  // namespace weft::formats
