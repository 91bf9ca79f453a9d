// Any bytes as a conversation of Cursor.
#include "adapter_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weft::fuzz::fuzz_adapter("cursor", data, size);
}
