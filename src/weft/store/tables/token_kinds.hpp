// The kinds of tokens of a request, in the order in which rows of tables state them. On disk.
#pragma once

#include <array>

#include "weft/transcript/request.hpp"

namespace weft::store {

inline constexpr std::array kTokenKinds = {
    &transcript::Tokens::input,          &transcript::Tokens::output,
    &transcript::Tokens::cache_read,     &transcript::Tokens::cache_write_5m,
    &transcript::Tokens::cache_write_1h, &transcript::Tokens::reasoning};

}  // namespace weft::store
