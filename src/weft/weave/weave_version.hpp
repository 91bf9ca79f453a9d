// kWeaveVersion is raised when the same transcript would give other thoughts.
#pragma once

namespace weft::weave {

inline constexpr int kWeaveVersion = 2;

}  // namespace weft::weave
