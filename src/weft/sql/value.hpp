// Values that are bound to the parameters of a statement.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "weft/base/cid.hpp"

namespace weft::sql {

// Bytes. An empty blob is not NULL; an empty optional is.
struct Blob {
  std::string_view bytes;
};
inline Blob blob(const Digest& digest) {
  return {{reinterpret_cast<const char*>(digest.data()), digest.size()}};
}

// NULL, an integer, text or a blob. Text and blobs are views: they live until the statement ran.
using Value = std::variant<std::monostate, std::int64_t, std::string_view, Blob>;

inline Value to_value(std::int64_t integer) { return integer; }
inline Value to_value(std::string_view text) { return text; }
inline Value to_value(Blob blob) { return blob; }
template <class T>
Value to_value(const std::optional<T>& value) {
  return value ? to_value(*value) : Value();
}

}  // namespace weft::sql
