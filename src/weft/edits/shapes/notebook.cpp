// A cell of a Jupyter notebook: its source is text of the file, but not as it stands there.
//
//   {"notebook_path":"a.ipynb","cell_id":"c1","new_source":"x = 1","edit_mode":"insert"}
#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

bool fits(std::string_view tool) { return tool == "notebookedit"; }

std::vector<Edit> read(const Call& call) {
  const json::object* arguments = arguments_of(call);
  if (arguments == nullptr) return {};
  const auto path = path_of(*arguments);
  const auto source = text_of(*arguments, {"new_source"});
  if (!path || !source || text_of(*arguments, {"edit_mode"}) == "delete") return {};
  return {{.path = std::string(*path), .changes = {{"", std::string(*source)}}}};
}

}  // namespace

const Shape& notebook_shape() {
  static const Shape shape = {.name = "notebook", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits
