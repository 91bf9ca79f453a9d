// Blocks of text to search for and to put in its place: Cline's replace_in_file and its like.
//
//   {"path":"a.py","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}
//
// The marks are signs of one kind, and the words SEARCH and REPLACE.
#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

bool fits(std::string_view tool) {
  return tool == "replaceinfile" || tool == "applydiff" || tool == "editfile";
}

std::vector<Change> changes_in(std::string_view text) {
  enum class Part { outside, search, replace } part = Part::outside;
  std::vector<Change> changes;
  Change change;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const char first = line.empty() ? ' ' : line.front();
    if (line.ends_with("SEARCH") && (first == '<' || first == '-')) {
      part = Part::search;
      change = {};
    } else if (part == Part::search && line.starts_with("=======")) {
      part = Part::replace;
    } else if (part == Part::replace && line.ends_with("REPLACE") &&
               (first == '>' || first == '+')) {
      changes.push_back(std::move(change));
      part = Part::outside;
    } else if (part != Part::outside) {
      (part == Part::search ? change.before : change.after).append(line).append("\n");
    }
  }
  return changes;
}

std::vector<Edit> read(const Call& call) {
  const json::object* arguments = arguments_of(call);
  if (arguments == nullptr) return {};
  const auto path = path_of(*arguments);
  const auto text = text_of(*arguments, {"diff", "content", "code_edit"});
  if (!path || !text) return {};
  std::vector<Change> changes = changes_in(*text);
  if (changes.empty()) return {};
  std::vector<Edit> edits;
  edits.push_back({.path = std::string(*path), .changes = std::move(changes)});
  return edits;
}

}  // namespace

const Shape& search_replace_shape() {
  static const Shape shape = {.name = "search_replace", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits
