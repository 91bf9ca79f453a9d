// ASCII text as HTTP compares it: without regard to case, without the blanks around a value.
#pragma once

#include "weft/base/ascii.hpp"

namespace weft::net {

using weft::equals_ignoring_case;
using weft::to_lower;

// `text` without spaces and tabs at either end. Points into `text`.
constexpr std::string_view trim(std::string_view text) { return weft::trim(text, " \t"); }

}  // namespace weft::net
