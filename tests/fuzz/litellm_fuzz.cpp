// Any bytes as a log of LiteLLM's.
#include "adapter_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weft::fuzz::fuzz_adapter("litellm", data, size);
}
