// Helpers for this module's tests: external test vectors, and texts made of bytes.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::crypto::test {

inline std::string read_source_file(std::string_view name) {
  std::ifstream file(std::string(WEFT_SOURCE_DIR).append("/").append(name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline json::object read_vectors(std::string_view name) {
  return parse_json(read_source_file(std::string("tests/vectors/").append(name)))
      .value()
      .value.as_object();
}

inline std::string_view text_of(const json::object& object, std::string_view member) {
  return find_string(object, member).value();
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes(hex.size() / 2, '\0');
  EXPECT_TRUE(parse_hex(hex, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}));
  return bytes;
}

// A key from 32 bytes of text.
inline Key key_of(std::string_view bytes) {
  std::array<std::uint8_t, Key::kSize> array{};
  EXPECT_EQ(bytes.size(), array.size());
  bytes.copy(reinterpret_cast<char*>(array.data()), array.size());
  return Key(array);
}

}  // namespace weft::crypto::test
