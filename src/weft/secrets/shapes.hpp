// Shapes: the tokens that can be found by their prefix. One row a token; a new one is a row in
// shapes.cpp.
#pragma once

#include <span>
#include <string_view>

#include "weft/secrets/secret.hpp"

namespace weft::secrets {

struct Shape {
  Rule rule;
  std::string_view pattern;  // pattern.hpp; begins with at least two literal characters
  std::string_view before =
      "";  // a pattern of one class that must stand before it, and belongs to it
  bool (*check)(std::string_view token) = nullptr;
  bool has_checksum = false;  // `check` proves that a service made it: it is no placeholder
};

std::span<const Shape> all_shapes();

}  // namespace weft::secrets
