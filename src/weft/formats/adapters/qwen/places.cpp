#include "weft/formats/adapters/qwen/places.hpp"

#include <algorithm>

#include "weft/formats/apis/google/cli_files.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::qwen {
namespace {

constexpr std::size_t kRecordsToLookAt = 50;
constexpr std::size_t kRecordsThatSettleIt = 4;

enum class BodyLook { foreign, nothing, own };

BodyLook look_at(const PartialObject& record) {
  if (record.has("projectHash") || !record.has("sessionId")) return BodyLook::nothing;
  const std::string type = record.string("type").value_or("");
  const bool is_message = type == "user" || type == "assistant" || type == "tool_result";
  if (is_message) {
    const PartialObject message = record.inner("message");
    if (message.has("parts")) return BodyLook::own;
    if (message.has("content")) return BodyLook::foreign;
  }
  const bool is_named = record.has("uuid") && record.has("subtype");
  if (type == "system" && is_named && record.has_object("systemPayload")) return BodyLook::own;
  if (type == "tool_result" && record.has_object("toolCallResult")) return BodyLook::own;
  return BodyLook::nothing;
}

// Calls `look` with the first lines of `head` until it returns false.
template <class OnLine>
void each_line(std::string_view head, const OnLine& look) {
  Lines lines(head, 1);
  for (std::size_t i = 0; i < kRecordsToLookAt; ++i) {
    const auto line = lines.next();
    if (!line || !look(PartialObject(line->text, line->number))) return;
  }
}

}  // namespace

Confidence recognises(std::string_view head) {
  std::size_t own = 0;
  bool is_foreign = false;
  each_line(head, [&](const PartialObject& record) {
    const BodyLook look = look_at(record);
    if (look == BodyLook::own) ++own;
    is_foreign = look == BodyLook::foreign;
    return !is_foreign && own < kRecordsThatSettleIt;
  });
  return own > 0 && !is_foreign ? Confidence::yes : Confidence::no;
}

std::vector<std::string> folders(const Environment& environment) {
  std::string root = environment("QWEN_RUNTIME_DIR").value_or("");
  if (root.empty()) root = environment("QWEN_HOME").value_or("");
  if (root.empty()) {
    const std::string home = environment("HOME").value_or("");
    if (home.empty()) return {};
    root = home + "/.qwen";
  }
  return {root + "/projects", root + "/tmp"};
}

std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = last_component(path);
  if (name.ends_with(".meta.json")) return "sidecar";
  if (name.ends_with(".jsonl.stream")) return "live-scratch";
  if (name.ends_with(".bak") || name.find(".unreadable-") != std::string_view::npos) {
    return "backup";
  }
  return google::cli_ignore_reason(path);
}

// "-home-me-garden" is all of a cwd, what is neither letter nor digit turned to a dash.
std::string project(std::string_view path, std::string_view head) {
  std::string name;
  each_line(head, [&](const PartialObject& record) {
    name = last_component(record.string("cwd").value_or(""));
    return name.empty();
  });
  if (!name.empty()) return name;
  std::string_view folder;
  while (!path.empty()) {
    const std::string_view last = last_component(path);
    const std::size_t end = path.rfind(last);
    if (last.empty() || end == std::string_view::npos) break;
    path = path.substr(0, end);
    if (last == "chats" || last == "subagents") folder = last_component(path);
  }
  if (google::is_project_hash(folder)) return {};
  folder.remove_prefix(std::min(folder.find_first_not_of('-'), folder.size()));
  return std::string(folder);
}

}  // namespace weft::formats::qwen
