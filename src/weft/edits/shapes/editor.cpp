// Anthropic's text editor: one tool whose `command` says what it does.
//
//   {"command":"create","path":"a.py","file_text":"x = 1\n"}
//   {"command":"str_replace","path":"a.py","old_str":"1","new_str":"2"}
//   {"command":"insert","path":"a.py","insert_line":3,"new_str":"y = 1\n"}
#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

bool fits(std::string_view tool) {
  return tool.starts_with("strreplace") || tool.starts_with("texteditor") || tool == "editor";
}

std::vector<Edit> read(const Call& call) {
  const json::object* arguments = arguments_of(call);
  if (arguments == nullptr) return {};
  const auto path = path_of(*arguments);
  const auto command = text_of(*arguments, {"command"});
  if (!path || !command) return {};
  Edit edit{.path = std::string(*path)};
  if (*command == "create") {
    const auto text = text_of(*arguments, {"file_text", "content"});
    if (!text) return {};
    edit.kind = Edit::Kind::write;
    edit.after = *text;
  } else if (*command == "str_replace") {
    auto change = change_of(*arguments);
    if (!change) return {};
    edit.changes.push_back(*std::move(change));
  } else if (*command == "insert") {
    const auto text = text_of(*arguments, {"new_str", "insert_text"});
    if (!text) return {};
    edit.changes.push_back({"", std::string(*text)});
  } else {
    return {};
  }
  std::vector<Edit> edits;
  edits.push_back(std::move(edit));
  return edits;
}

}  // namespace

const Shape& editor_shape() {
  static const Shape shape = {.name = "editor", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits
