#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/adapters/pi/openclaw_authors.hpp"
#include "weft/formats/adapters/pi/openclaw_index.hpp"
#include "weft/formats/adapters/pi/session.hpp"
#include "weft/formats/framing/head_lines.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::pi {
namespace {

// The first line that is whole and no title: a header, or it is not ours.
std::optional<json::object> find_header(std::string_view head) {
  std::optional<json::object> header;
  each_head_line(head, [&](const json::object& line) {
    if (find_string(line, "type") == "title" && !line.contains("message")) return true;
    if (is_header(line)) header = line;
    return false;
  });
  return header;
}

bool is_openclaw_folder(std::string_view path) {
  constexpr std::array<std::string_view, 3> kFolders = {"/.openclaw", "/.clawdbot", "/.moltbot"};
  return std::ranges::any_of(kFolders, [&](std::string_view folder) {
    const std::size_t at = path.find(folder);
    const std::size_t end = at + folder.size();
    return at != std::string_view::npos && (end == path.size() || path[end] == '/');
  });
}

// Tools that only OpenClaw's gateway gives to its agents.
bool is_openclaw_tool(std::string_view name) {
  constexpr std::array<std::string_view, 6> kTools = {"sessions_spawn",   "sessions_send",
                                                      "sessions_history", "sessions_list",
                                                      "session_status",   "sessions_yield"};
  return std::ranges::find(kTools, name) != kTools.end();
}

bool has_openclaw_message(const json::object& message) {
  if (openclaw::is_gateway_answer(message) || find_object(message, "provenance") != nullptr) {
    return true;
  }
  if (is_openclaw_tool(find_string(message, "toolName").value_or(""))) return true;
  const json::array* content = find_array(message, "content");
  if (content == nullptr) return false;
  return std::ranges::any_of(*content, [](const json::value& block) {
    const json::object* object = block.if_object();
    return object != nullptr && find_string(*object, "type") == "toolCall" &&
           is_openclaw_tool(find_string(*object, "name").value_or(""));
  });
}

bool is_marked_by_openclaw(const json::object& line) {
  const auto begins_so = [&](std::string_view key) {
    return find_string(line, key).value_or("").starts_with("openclaw");
  };
  const std::string_view type = find_string(line, "type").value_or("");
  if (type == "session") {
    return begins_so("id") || is_openclaw_folder(find_string(line, "cwd").value_or(""));
  }
  if (begins_so("provider") || begins_so("customType") || begins_so("agent")) return true;
  if (type == "custom" && find_string(line, "customType") == "model-snapshot") return true;
  const json::object* message = find_object(line, "message");
  return type == "message" && message != nullptr && has_openclaw_message(*message);
}

}  // namespace

Confidence recognise_session(Dialect dialect, std::string_view head) {
  if (!find_header(head)) return Confidence::no;
  bool is_openclaw = false;
  each_head_line(head, [&](const json::object& line) {
    is_openclaw = is_marked_by_openclaw(line);
    return !is_openclaw;
  });
  return is_openclaw == (dialect == Dialect::openclaw) ? Confidence::yes : Confidence::maybe;
}

std::optional<std::string> ignore_file_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (name.starts_with(openclaw::kIndexName) || name.ends_with(".lock")) return "sidecar";
  if (has(".trajectory.jsonl") || has(".trajectory-path.json")) return "trajectory";
  if (has(".checkpoint.")) return "checkpoint";
  if (has(".reset.")) return "reset";
  if (has(".deleted.")) return "deleted";
  if (has(".corrupt-") || has(".bak.") || name.ends_with(".bak")) return "backup";
  return std::nullopt;
}

std::string project_of_header(std::string_view head) {
  const std::optional<json::object> header = find_header(head);
  const auto cwd = header ? find_string(*header, "cwd") : std::nullopt;
  return std::string(last_component(cwd.value_or("")));
}

}  // namespace weft::formats::pi
