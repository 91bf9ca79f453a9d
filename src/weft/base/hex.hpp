// Converts bytes to lower-case hex and back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft {

void append_hex(std::string& out, std::span<const std::uint8_t> bytes);
std::string to_hex(std::span<const std::uint8_t> bytes);

// Fills `out` from exactly 2 * out.size() lower-case digits. False for anything
// else, so that one value has one spelling.
[[nodiscard]] bool parse_hex(std::string_view text, std::span<std::uint8_t> out);

}  // namespace weft
