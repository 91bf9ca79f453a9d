// Conversations of Cursor: the transcripts of its agent,
// ~/.cursor/projects/<project>/agent-transcripts/<id>/<id>.jsonl, and the database of its editor,
// ~/.config/Cursor/User/globalStorage/state.vscdb. A third store, of the command line's chats
// (~/.cursor/chats/…/store.db), is not read: the format of its blobs is not documented.
#include <array>

#include "weft/formats/adapters/cursor/reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

constexpr std::array<std::string_view, 1> kTables = {"cursorDiskKV"};

// One table of keys and values, of several gigabytes: only ranges of keys are asked for. Values
// are JSON, as text or as bytes, and may be null or broken. A row that changes is written again
// under a new rowid, so the stamp needs no values but the composer's.
constexpr DatabaseShape kDatabase{
    .tables = kTables,
    .conversations = R"(
      SELECT substr(c.key, 14),
             c.rowid || '.' || length(c.value) || '.' ||
             coalesce((SELECT count(*) || '.' || max(b.rowid) FROM cursorDiskKV b
                       WHERE b.key > 'bubbleId:' || substr(c.key, 14) || ':'
                         AND b.key < 'bubbleId:' || substr(c.key, 14) || ';'), '')
      FROM cursorDiskKV c
      WHERE c.key > 'composerData:' AND c.key < 'composerData;' AND c.value IS NOT NULL
        AND (NOT json_valid(CAST(c.value AS TEXT))
             OR coalesce(json_array_length(CAST(c.value AS TEXT),
                                           '$.fullConversationHeadersOnly'), 0) > 0
             OR coalesce(json_array_length(CAST(c.value AS TEXT), '$.conversation'), 0) > 0)
      ORDER BY c.key)",
    // The composer without its bubbles; then the bubbles, in the order in which it lists them, or
    // those that it contains.
    .lines = R"(
      WITH composer(data) AS (
        SELECT CASE WHEN json_valid(CAST(value AS TEXT)) THEN CAST(value AS TEXT) ELSE 'null' END
        FROM cursorDiskKV WHERE key = 'composerData:' || ?1)
      SELECT 1 AS cursor,
             '{"composer":' || json_remove(data, '$.fullConversationHeadersOnly', '$.conversation',
                                           '$.richText', '$.codeBlockData', '$.conversationState')
                            || '}' AS line
      FROM composer WHERE ?2 < 1
      UNION ALL
      SELECT listed.key + 2,
             '{"bubbleId":' || json_quote(json_extract(listed.value, '$.bubbleId')) ||
             ',"bubble":' || CASE WHEN json_valid(CAST(b.value AS TEXT))
                                  THEN json(CAST(b.value AS TEXT)) ELSE 'null' END || '}'
      FROM composer, json_each(data, '$.fullConversationHeadersOnly') AS listed
      LEFT JOIN cursorDiskKV b
        ON b.key = 'bubbleId:' || ?1 || ':' || json_extract(listed.value, '$.bubbleId')
      WHERE listed.type = 'object' AND listed.key + 2 > ?2
      UNION ALL
      SELECT said.key + 2, '{"bubble":' || said.value || '}'
      FROM composer, json_each(data, '$.conversation') AS said
      WHERE said.type = 'object' AND said.key + 2 > ?2
        AND coalesce(json_array_length(data, '$.fullConversationHeadersOnly'), 0) = 0
      ORDER BY 1)",
    .rewrites = true,
    .wins = true,
};

std::vector<std::string> folders(const Environment& environment) {
  std::vector<std::string> found;
  const std::string home = environment("HOME").value_or("");
  std::string root = environment("CURSOR_CONFIG_DIR").value_or("");
  if (root.empty() && !home.empty()) root = home + "/.cursor";
  if (!root.empty()) found.push_back(root + "/projects");
  if (home.empty()) return found;
  std::string config = environment("XDG_CONFIG_HOME").value_or("");
  if (config.empty()) config = home + "/.config";
  found.push_back(config + "/Cursor/User/globalStorage");
  found.push_back(home + "/Library/Application Support/Cursor/User/globalStorage");
  return found;
}

// Cursor keeps many other files in these folders.
std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  if (name.starts_with("state.vscdb.")) return "backup";
  if (name.starts_with("state.vscdb-")) return "sidecar";
  const bool is_of_editor = path.find("/Cursor/User/globalStorage/") != std::string_view::npos;
  if (is_of_editor && name != "state.vscdb") return "internal";
  const bool is_of_project = path.find("/.cursor/projects/") != std::string_view::npos;
  if (is_of_project && path.find("/agent-transcripts/") == std::string_view::npos)
    return "internal";
  return std::nullopt;
}

// "srv-loom" of …/projects/srv-loom/agent-transcripts/…: the path, with "-" for "/". Which of
// them were dashes in the path is lost.
std::string project(std::string_view path, std::string_view /*head*/) {
  const std::size_t at = path.find("/agent-transcripts/");
  if (at == std::string_view::npos) return {};
  const std::string_view folder = last_component(path.substr(0, at));
  return folder == "projects" ? std::string() : std::string(folder);
}

}  // namespace

const Adapter& cursor_adapter() {
  static constexpr Adapter adapter{
      .name = cursor::kName,
      .family = "cursor",
      .version = 2,
      .recognises = cursor::recognise_conversation,
      .frame = frame_lines,
      .open = cursor::open_conversation,
      .grows = true,
      .folders = folders,
      .ignore_reason = ignore_reason,
      .project = project,
      .database = &kDatabase,
  };
  return adapter;
}

}  // namespace weft::formats
