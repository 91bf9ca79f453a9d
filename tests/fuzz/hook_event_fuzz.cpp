// Any text as the event of a hook: it is read or refused, and the refusal quotes nothing of it.
#include "fuzz_files.hpp"
#include "weft/capture/hooks/event.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const Result<capture::HookEvent> event = capture::parse_hook_event(fuzz::text_of(data, size));
  if (!event) fuzz::require(event.error().code == ErrorCode::invalid_input);
  return 0;
}
