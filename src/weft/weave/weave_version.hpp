// Raised when the same transcript would give other thoughts.
#pragma once

namespace weft::thought {

inline constexpr int kWeaveVersion = 1;

}  // namespace weft::thought
