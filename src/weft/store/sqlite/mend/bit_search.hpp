// Searches for the one bit that was changed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace weft::store::sql {

// The bytes with one bit changed. Precondition: bit < 8 * bytes.size().
std::string with_bit_changed(std::string bytes, std::size_t bit);
// Whether they are of one size and differ in one bit.
bool is_one_bit_away(std::string_view bytes, std::string_view others);

// The first of the bits [0, count) that any thread finds to hold. `holds(thread, bit)` is called
// from `threads` threads (at least one), numbered from 0, for each bit at most once.
std::optional<std::size_t> find_bit(std::size_t count, unsigned threads,
                                    const std::function<bool(unsigned, std::size_t)>& holds);

}  // namespace weft::store::sql
