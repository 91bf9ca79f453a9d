// A patch in the form of Codex's apply_patch: files added, deleted, moved, and changed in pieces
// that begin with "@@". The arguments are the patch, or name it.
//
//   *** Begin Patch
//   *** Update File: a.py
//   *** Move to: b.py
//   @@ def f():
//    x = 1
//   -y = 2
//   +y = 3
//   *** End Patch
#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

constexpr std::string_view kAdd = "*** Add File: ";
constexpr std::string_view kUpdate = "*** Update File: ";
constexpr std::string_view kDelete = "*** Delete File: ";
constexpr std::string_view kMove = "*** Move to: ";

bool fits(std::string_view tool) {
  return tool == "applypatch" || tool == "patch" || tool == "shell" || tool == "shellcommand" ||
         tool == "execcommand" || tool == "bash";
}

class PatchReader {
 public:
  std::vector<Edit> read(std::string_view patch) && {
    while (!patch.empty()) {
      const std::string_view line = next_line(patch);
      if (line.starts_with("*** End Patch")) break;
      if (!begin_file(line)) take(line);
    }
    end_file();
    return std::move(edits_);
  }

 private:
  bool begin_file(std::string_view line) {
    if (line.starts_with(kMove) && edit_) {
      edit_->kind = Edit::Kind::move;
      edit_->moved_from = std::exchange(edit_->path, std::string(line.substr(kMove.size())));
      return true;
    }
    for (const auto& [head, kind] : {std::pair(kAdd, Edit::Kind::write),
                                     {kUpdate, Edit::Kind::change},
                                     {kDelete, Edit::Kind::remove}}) {
      if (!line.starts_with(head)) continue;
      end_file();
      edit_ = Edit{.kind = kind, .path = std::string(line.substr(head.size()))};
      if (kind == Edit::Kind::write) {
        edit_->before.emplace();
        edit_->after.emplace();
      }
      return true;
    }
    return false;
  }
  void take(std::string_view line) {
    if (!edit_) return;
    if (edit_->kind == Edit::Kind::write) {
      if (line.starts_with('+')) edit_->after->append(line.substr(1)).append("\n");
      return;
    }
    if (line.starts_with("@@") || line.starts_with("*** End of File")) return end_change();
    if (line.starts_with('-') || line.starts_with('+')) has_change_ = true;
    if (!line.starts_with('+')) append(change_.before, line);
    if (!line.starts_with('-')) append(change_.after, line);
  }
  // A line that is wholly empty is an empty line around the change.
  static void append(std::string& text, std::string_view line) {
    text.append(line.empty() ? line : line.substr(1)).append("\n");
  }
  void end_change() {
    if (has_change_) edit_->changes.push_back(std::move(change_));
    change_ = {};
    has_change_ = false;
  }
  void end_file() {
    if (!edit_) return;
    end_change();
    if (edit_->kind != Edit::Kind::change || !edit_->changes.empty()) {
      edits_.push_back(std::move(*edit_));
    }
    edit_.reset();
  }

  std::vector<Edit> edits_;
  std::optional<Edit> edit_;
  Change change_;
  bool has_change_ = false;
};

// The patch in the arguments: themselves, a member, or a word of the command
// ["apply_patch", "*** Begin Patch…"].
std::string_view patch_of(const json::value& input) {
  if (const json::string* text = input.if_string()) return {text->data(), text->size()};
  if (const json::object* object = input.if_object()) {
    if (const auto text = text_of(*object, {"input", "patch", "patchText", "patch_text"})) {
      return *text;
    }
    for (const std::string_view name : {"command", "cmd"}) {
      if (const auto found = object->find(name); found != object->end()) {
        return patch_of(found->value());
      }
    }
  }
  if (const json::array* words = input.if_array()) {
    for (const json::value& word : *words) {
      const std::string_view text = word.is_string() ? patch_of(word) : std::string_view();
      if (text.contains("*** Begin Patch")) return text;
    }
  }
  return {};
}

std::vector<Edit> read(const Call& call) {
  const std::string_view patch = patch_of(call.input);
  const std::size_t begin = patch.find("*** Begin Patch");
  if (begin == std::string_view::npos) return {};
  return PatchReader().read(patch.substr(begin));
}

}  // namespace

const Shape& patch_shape() {
  static const Shape shape = {.name = "patch", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits
