// What somebody may have meant who typed a name that is none.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace weft::cli {

// The nearest of `names` by edits (a letter put in, left out, changed, or two swapped),
// if it is near enough to be meant. Points into `names`; of two alike the first.
std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> names);

}  // namespace weft::cli
