// A text of a file replaced by another: Edit, replace, edit, editor, str_replace; or several of
// them in one call: MultiEdit, and `edits` of any of these.
//
//   {"file_path":"a.py","old_string":"x = 1","new_string":"x = 2","replace_all":true}
//   {"file_path":"a.py","edits":[{"old_string":"x","new_string":"y"}]}
//
// An empty old text makes a new file.
#include <algorithm>
#include <array>

#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

constexpr std::array<std::string_view, 8> kTools = {"edit",          "multiedit",    "replace",
                                                    "editfile",      "editor",       "strreplace",
                                                    "replaceinfile", "searchreplace"};

bool is_true(const json::object& object, Names names) {
  for (const std::string_view name : names) {
    const auto found = object.find(name);
    if (found != object.end() && found->value().is_bool()) return found->value().get_bool();
  }
  return false;
}

bool fits(std::string_view tool) { return std::ranges::find(kTools, tool) != kTools.end(); }

std::vector<Edit> read(const Call& call) {
  const json::object* arguments = arguments_of(call);
  const auto path = arguments == nullptr ? std::nullopt : path_of(*arguments);
  if (!path) return {};
  Edit edit{.path = std::string(*path)};
  edit.is_everywhere = is_true(*arguments, {"replace_all", "replaceAll", "allow_multiple"});
  const auto several = arguments->find("edits");
  if (several != arguments->end() && several->value().is_array()) {
    for (const json::value& one : several->value().get_array()) {
      const json::object* object = one.if_object();
      auto change = object == nullptr ? std::nullopt : change_of(*object);
      if (!change) return {};
      edit.is_everywhere = edit.is_everywhere || is_true(*object, {"replace_all", "replaceAll"});
      edit.changes.push_back(*std::move(change));
    }
  } else if (auto change = change_of(*arguments)) {
    edit.changes.push_back(*std::move(change));
  }
  if (edit.changes.empty()) return {};
  if (edit.changes.size() == 1 && edit.changes[0].before.empty()) {
    edit.kind = Edit::Kind::write;
    edit.before.emplace();
    edit.after = std::move(edit.changes[0].after);
    edit.changes.clear();
  }
  std::vector<Edit> edits;
  edits.push_back(std::move(edit));
  return edits;
}

}  // namespace

const Shape& replacement_shape() {
  static const Shape shape = {.name = "replacement", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits
