// Decodes HTTP bodies that were compressed for transfer: gzip, deflate, br, zstd.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::net {

// Decodes one body, in pieces of any size.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Appends to `out` what can be decoded so far. invalid_input if the bytes are not in this coding
  // or `out` would exceed `limit` bytes; what was decoded before stays in `out`.
  [[nodiscard]] virtual Status push(std::string_view bytes, std::string& out,
                                    std::size_t limit) = 0;
};

// `encoding` is the value of Content-Encoding: empty or "identity" for none; of a list, the last
// coding is undone first. invalid_input if a coding is unknown, or the list has more than four.
Result<std::unique_ptr<Decoder>> open_decoder(std::string_view encoding);

}  // namespace weft::net
