#include "weft/formats/adapters/opencode/record.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::opencode {
namespace {

constexpr std::array<std::string_view, 12> kParts = {
    "text",  "reasoning", "tool",  "file",    "step-start", "step-finish",
    "patch", "snapshot",  "agent", "subtask", "compaction", "retry"};
constexpr std::array<std::string_view, 8> kRows = {"user",           "assistant", "compaction",
                                                   "synthetic",      "shell",     "agent-switched",
                                                   "model-switched", "system"};
constexpr std::array<std::string_view, 6> kPrinted = {"text",       "tool_use",    "reasoning",
                                                      "step_start", "step_finish", "error"};

template <std::size_t n>
bool is_among(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The members by which shapes are distinguished, in a whole or a cut record.
struct BodyLook {
  std::string type, role, id;
  bool has_message_id = false, has_session_id = false, has_info = false, has_parts = false;
  bool has_properties = false, has_part = false, has_error = false, has_seq = false;
  bool has_time = false, has_directory = false, has_project = false, has_title = false;
};

Shape shape_of(const BodyLook& look) {
  if (look.has_info && look.has_parts) return Shape::exported;
  if (look.has_properties && !look.type.empty()) return Shape::event;
  const bool is_printed = look.has_session_id && is_among(kPrinted, look.type);
  if (is_printed && (look.has_part || (look.type == "error" && look.has_error))) {
    return Shape::printed;
  }
  if (look.has_seq && look.has_session_id && !look.type.empty() && !look.has_message_id) {
    return Shape::row;
  }
  if (look.role == "user" || look.role == "assistant") {
    return look.has_time && !look.id.empty() ? Shape::message : Shape::none;
  }
  if (look.has_message_id && !look.type.empty()) return Shape::part;
  // A part may leave out what its folder says.
  if (!look.id.empty() && is_among(kParts, look.type)) return Shape::part;
  const bool is_session = look.has_directory || look.has_project || look.has_title;
  if (!look.id.empty() && is_session && look.has_time && look.type.empty()) return Shape::session;
  return Shape::none;
}

BodyLook look_at(const PartialObject& body) {
  return {.type = body.string("type").value_or(""),
          .role = body.string("role").value_or(""),
          .id = body.string("id").value_or(""),
          .has_message_id = body.has("messageID"),
          .has_session_id = body.has("sessionID"),
          .has_info = body.has_object("info"),
          .has_parts = body.has_array("parts"),
          .has_properties = body.has_object("properties"),
          .has_part = body.has_object("part"),
          .has_error = body.has("error"),
          .has_seq = body.has("seq"),
          .has_time = body.has_object("time"),
          .has_directory = body.has("directory"),
          .has_project = body.has("projectID"),
          .has_title = body.has("title")};
}

bool is_bus_event(std::string_view type) {
  return type == "session.created" || type == "session.updated" || type == "message.updated" ||
         type == "message.part.updated" || type == "session.error" || !noise(type).empty();
}

bool is_export(const PartialObject& body) {
  return body.has_object("info") && body.has_array("messages") && body.inner("info").has("id") &&
         !body.inner("info").has("role");
}

Confidence sure_of(const PartialObject& body) {
  using enum Confidence;
  if (is_export(body)) {
    const auto messages = body.elements("messages");
    return messages.empty() || messages.front().has("info") ? yes : no;
  }
  const BodyLook look = look_at(body);
  switch (shape_of(look)) {
    case Shape::exported: return body.inner("info").has("role") ? yes : no;
    case Shape::event:
      if (look.id.starts_with("evt_")) return yes;
      return is_bus_event(look.type) ? maybe : no;
    case Shape::printed: {
      const PartialObject part = body.inner("part");
      const bool is_own = body.string("sessionID").value_or("").starts_with("ses_");
      return is_own || part.has("messageID") ? yes : no;
    }
    case Shape::row: return is_among(kRows, look.type) ? yes : no;
    case Shape::message: return look.has_session_id && body.inner("time").has("created") ? yes : no;
    case Shape::part:
      if (look.has_message_id && look.has_session_id) return is_among(kParts, look.type) ? yes : no;
      return look.type == "text" && body.inner("time").has("start") ? maybe : no;
    case Shape::session: {
      const bool is_own = look.has_directory && body.inner("time").has("created");
      return is_own && (look.has_project || body.has("version")) ? yes : no;
    }
    case Shape::none: break;
  }
  return no;
}

// The first record of a file, and of what kind the file is.
struct Beginning {
  enum class Kind { array, object, lines } kind = Kind::lines;
  std::string_view text;
};
Beginning begin_of(std::string_view head) {
  head = trim(head);
  if (head.starts_with('[')) return {Beginning::Kind::array, head};
  if (is_over_lines(head)) return {Beginning::Kind::object, head};
  return {Beginning::Kind::lines, head};
}

}  // namespace

Shape shape_of(const json::object& record) {
  const auto text = [&](const char* key) {
    return std::string(find_string(record, key).value_or(""));
  };
  const auto has = [&](const char* key) { return find_member(record, key) != nullptr; };
  return shape_of(BodyLook{.type = text("type"),
                           .role = text("role"),
                           .id = text("id"),
                           .has_message_id = has("messageID"),
                           .has_session_id = has("sessionID"),
                           .has_info = find_object(record, "info") != nullptr,
                           .has_parts = find_array(record, "parts") != nullptr,
                           .has_properties = find_object(record, "properties") != nullptr,
                           .has_part = find_object(record, "part") != nullptr,
                           .has_error = has("error"),
                           .has_seq = has("seq"),
                           .has_time = find_object(record, "time") != nullptr,
                           .has_directory = has("directory"),
                           .has_project = has("projectID"),
                           .has_title = has("title")});
}

std::string_view noise(std::string_view event) {
  if (event == "message.part.delta" || event == "session.status") return "progress";
  if (event == "session.idle") return "progress";
  if (event.starts_with("session.next.")) return "mirror";  // the same for the store of 2.0
  constexpr std::array<std::string_view, 15> kInternal = {"server.",
                                                          "session.diff",
                                                          "session.compacted",
                                                          "session.deleted",
                                                          "message.removed",
                                                          "file.",
                                                          "lsp.",
                                                          "message.part.removed",
                                                          "permission.",
                                                          "installation.",
                                                          "command.",
                                                          "todo.updated",
                                                          "pty.",
                                                          "tui.",
                                                          "ide."};
  constexpr std::array<std::string_view, 7> kMore = {
      "mcp.", "vcs.", "question.", "global.", "project.", "worktree.", "workspace."};
  const auto begins = [&](std::string_view name) { return event.starts_with(name); };
  const bool is_internal =
      std::ranges::any_of(kInternal, begins) || std::ranges::any_of(kMore, begins);
  return is_internal ? "internal" : std::string_view();
}

Confidence recognises(std::string_view head) {
  constexpr std::size_t kLinesToLookAt = 20;
  const Beginning beginning = begin_of(head);
  if (beginning.kind == Beginning::Kind::object) return sure_of(PartialObject(beginning.text, 1));
  if (beginning.kind == Beginning::Kind::array) {
    const auto elements = PartialObject::elements_of(beginning.text, 1);
    if (elements.empty() || !elements.front().has("info")) return Confidence::no;
    return sure_of(elements.front());
  }
  Confidence sure = Confidence::no;
  Lines lines(beginning.text, 1);
  for (std::size_t i = 0; i < kLinesToLookAt && sure != Confidence::yes; ++i) {
    const auto line = lines.next();
    if (!line) break;
    const PartialObject body(line->text, line->number);
    if (body.members().empty()) continue;  // a torn one
    const Confidence one = sure_of(body);
    if (one == Confidence::no) return Confidence::no;
    sure = std::max(sure, one);
  }
  return sure;
}

std::unique_ptr<Framer> frame(std::string_view head) {
  const Beginning beginning = begin_of(head);
  if (beginning.kind == Beginning::Kind::array) return json_framer({"messages"});
  // An export may stand on one line.
  const std::string_view first = beginning.text.substr(0, beginning.text.find('\n'));
  if (is_export(
          PartialObject(beginning.kind == Beginning::Kind::object ? beginning.text : first, 1))) {
    return json_framer({"messages"});
  }
  return beginning.kind == Beginning::Kind::object ? values_framer() : line_framer();
}

std::string directory_in(std::string_view head) {
  const Beginning beginning = begin_of(head);
  if (beginning.kind == Beginning::Kind::array) return {};
  const std::string_view first = beginning.text.substr(0, beginning.text.find('\n'));
  const PartialObject body(beginning.kind == Beginning::Kind::object ? beginning.text : first, 1);
  if (const auto directory = body.string("directory")) return *directory;
  for (const char* key : {"info", "properties"}) {
    if (!body.has_object(key)) continue;
    const PartialObject info = body.inner(key);
    if (const auto directory = info.string("directory")) return *directory;
    if (info.has_object("info")) {
      if (const auto directory = info.inner("info").string("directory")) return *directory;
    }
  }
  return {};
}

}  // namespace weft::formats::opencode
