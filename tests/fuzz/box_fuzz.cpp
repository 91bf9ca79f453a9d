// Any text: what is read as a box is written back as it was, and what opens is what
// would be sealed into the same box.
#include <cstdint>
#include <cstdlib>

#include "weft/crypto/layers.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using weft::crypto::Box;
  static const weft::crypto::LayerKey key{weft::crypto::Key()};
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const weft::Result<Box> read = Box::parse(text);
  if (!read) {
    require(read.error().code == weft::ErrorCode::invalid_input);
    return 0;
  }
  require(read->str() == text);

  // Under the right name too, or no input would ever get as far as the cipher.
  for (const Box& box : {*read, Box{.key_id = key.id(), .sealed = read->sealed}}) {
    const weft::Result<std::string> opened = box.open(key, "[]");
    if (opened) {
      require(Box::seal(key, "[]", *opened) == box);
    } else {
      require(opened.error().code ==
              (box.key_id == key.id() ? weft::ErrorCode::corrupt : weft::ErrorCode::denied));
    }
  }
  return 0;
}
