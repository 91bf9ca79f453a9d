// Bodies as they were before they were encoded for the way: gzip, deflate, br, zstd.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::net {

// Takes a body in pieces cut anywhere.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Appends what can be read by now. invalid_input if it is not encoded so, or if `out` would
  // come to hold more than `limit` bytes; what was read before stays in it.
  [[nodiscard]] virtual Status push(std::string_view bytes, std::string& out,
                                    std::size_t limit) = 0;
};

// As the field Content-Encoding names it: empty or "identity" for none, a list for several, the
// last one undone first. invalid_input for one that is not known.
Result<std::unique_ptr<Decoder>> open_decoder(std::string_view encoding);

}  // namespace weft::net
