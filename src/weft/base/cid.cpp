#include "weft/base/cid.hpp"

#include "weft/base/hex.hpp"

namespace weft {

Result<Cid> Cid::parse(std::string_view text) {
  Digest digest;
  if (!text.starts_with(kPrefix) || !parse_hex(text.substr(kPrefix.size()), digest)) {
    return fail(ErrorCode::invalid_input,
                "not a CID (want cid:blake3: and 64 lower-case hex digits)");
  }
  return Cid(digest);
}

std::string Cid::str() const {
  std::string text(kPrefix);
  append_hex(text, digest_);
  return text;
}

std::string Cid::brief(std::size_t digits) const { return to_hex(digest_).substr(0, digits); }

}  // namespace weft
