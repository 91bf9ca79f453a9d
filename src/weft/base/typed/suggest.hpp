// Suggests the closest known name for a mistyped one ("did you mean …").
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace weft {

// The number of letters to add, remove, replace or swap with a neighbour that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `names` by edit distance, if it is near enough to be meant; of two equally near,
// the first. Points into `names`.
std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> names);

}  // namespace weft
