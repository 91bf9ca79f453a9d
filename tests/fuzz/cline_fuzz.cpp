// Any bytes as a task or a session of Cline.
#include "adapter_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weft::fuzz::fuzz_adapter("cline", data, size);
}
