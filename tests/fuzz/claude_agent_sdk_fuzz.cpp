// Any bytes as a stream of the Agent SDK.
#include "adapter_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weft::fuzz::fuzz_adapter("claude-agent-sdk", data, size);
}
