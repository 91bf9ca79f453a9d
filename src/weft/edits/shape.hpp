// Shape: one way in which tools name an edit in their arguments. Each stands in a file of its own
// in shapes/, and the build finds it there.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/edits/edit.hpp"

namespace weft::edits {

struct Shape {
  std::string_view name;
  // Whether a tool of this name, in lower case and without `_` and `-`, has this shape.
  bool (*fits)(std::string_view tool) = nullptr;
  // The edits that the arguments state.
  std::vector<Edit> (*read)(const Call& call) = nullptr;
};

// Every shape of the build, by name.
std::span<const Shape* const> all_shapes();

using Names = std::initializer_list<std::string_view>;
// The first of these members that is a string.
std::optional<std::string_view> text_of(const json::object& object, Names names);
// The path of a file, under the names that tools give it.
std::optional<std::string_view> path_of(const json::object& object);
// The text before and after a change, under the names that tools give them.
std::optional<Change> change_of(const json::object& object);
// Takes the next line off, without its end.
std::string_view next_line(std::string_view& text);
// The arguments as an object; null if they are none.
const json::object* arguments_of(const Call& call);

}  // namespace weft::edits
