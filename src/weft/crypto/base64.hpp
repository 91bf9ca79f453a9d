// Base64 (RFC 4648, section 4) with padding, one spelling for each sequence of bytes.
//
// For what is public, such as sealed boxes: it looks up tables. libsodium's own hides
// what it encodes from a clock, at a tenth of the speed, and every CID of a sealed
// thought passes through here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::crypto {

void append_base64(std::string& out, std::string_view bytes);

// Empty for anything that append_base64 does not write: white space, a missing or
// needless '=', other alphabets, and bits set where padding leaves some over.
std::optional<std::string> parse_base64(std::string_view text);

}  // namespace weft::crypto
