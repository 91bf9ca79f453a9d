#include <algorithm>

#include "weft/base/ascii.hpp"
#include "weft/edits/edit.hpp"
#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

// "mcp__files__write_file" and "functions.writeFile" are writefile.
std::string plain_name(std::string_view tool) {
  if (const std::size_t server = tool.rfind("__"); server != std::string_view::npos) {
    tool.remove_prefix(server + 2);
  }
  if (const std::size_t dot = tool.rfind('.'); dot != std::string_view::npos) {
    tool.remove_prefix(dot + 1);
  }
  std::string plain;
  for (const char c : tool) {
    if (c != '_' && c != '-') plain += to_lower(c);
  }
  return plain;
}

const json::value* find(const json::object& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &found->value();
}

// What the result says of the whole file: Claude Code's `originalFile`, the `originalContent` and
// `newContent` of Gemini CLI and its forks.
void add_whole_files(const json::value& details, Edit& edit) {
  const json::object* object = details.if_object();
  if (object == nullptr) return;
  if (const json::value* shown = find(*object, "resultDisplay"))
    return add_whole_files(*shown, edit);
  if (const auto before = text_of(*object, {"originalFile", "originalContent"})) {
    edit.before = *before;
  } else if (text_of(*object, {"type"}) == "create") {
    edit.before.emplace();
  }
  if (const auto after = text_of(*object, {"newContent"})) edit.after = *after;
  const json::value* modified = find(*object, "userModified");
  edit.is_user_modified = modified != nullptr && modified->is_bool() && modified->get_bool();
}

}  // namespace

std::string_view name_of(Edit::Kind kind) {
  switch (kind) {
    case Edit::Kind::write: return "write";
    case Edit::Kind::remove: return "remove";
    case Edit::Kind::move: return "move";
    case Edit::Kind::change: break;
  }
  return "change";
}

std::optional<std::string_view> text_of(const json::object& object, Names names) {
  for (const std::string_view name : names) {
    const json::value* value = find(object, name);
    if (value == nullptr || !value->is_string()) continue;
    const json::string& text = value->get_string();
    return std::string_view(text.data(), text.size());
  }
  return std::nullopt;
}

std::optional<std::string_view> path_of(const json::object& object) {
  auto path = text_of(
      object, {"file_path", "filePath", "path", "absolute_path", "target_file", "targetFile",
               "TargetFile", "filename", "notebook_path", "relative_workspace_path", "file"});
  if (path && path->empty()) return std::nullopt;
  return path;
}

std::optional<Change> change_of(const json::object& object) {
  const auto before = text_of(
      object, {"old_string", "oldString", "old_str", "oldText", "old_text", "oldStr", "search"});
  const auto after = text_of(
      object, {"new_string", "newString", "new_str", "newText", "new_text", "newStr", "replace"});
  if (!after) return std::nullopt;
  return Change{std::string(before.value_or("")), std::string(*after)};
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

const json::object* arguments_of(const Call& call) { return call.input.if_object(); }

bool may_edit(std::string_view tool) {
  const std::string name = plain_name(tool);
  return std::ranges::any_of(all_shapes(), [&](const Shape* shape) { return shape->fits(name); });
}

std::vector<Edit> edits_of(const Call& call) {
  if (call.result && call.result->is_error) return {};
  const std::string tool = plain_name(call.tool);
  for (const Shape* shape : all_shapes()) {
    if (!shape->fits(tool)) continue;
    std::vector<Edit> edits = shape->read(call);
    if (edits.empty()) continue;
    std::erase_if(edits, [](const Edit& edit) { return edit.path.empty(); });
    if (edits.size() == 1 && call.result && call.result->details != nullptr) {
      add_whole_files(*call.result->details, edits.front());
    }
    return edits;
  }
  return {};
}

}  // namespace weft::edits
