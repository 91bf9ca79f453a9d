// Any bytes as an anthropic-transcript: reading returns, and what was read is written
// and read again to the same values.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace {

void check(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "broken promise: " << what << "\n";
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace formats = weft::formats;
  namespace transcript = weft::transcript;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const formats::Adapter& adapter = *formats::find_adapter("anthropic-transcript");
  const weft::Result<const formats::Adapter*> claimed = formats::recognise(bytes);
  check(!claimed || *claimed != nullptr, "who claims it is there");

  transcript::Collector read;
  formats::read_all(adapter, {.name = "input"}, bytes, read);
  for (const transcript::Skipped& skipped : read.skipped) {
    check(!skipped.reason.empty(), "what is skipped has a reason");
  }
  check(read.conversations.size() <= 1, "a transcript is one conversation");
  for (const transcript::Conversation& conversation : read.conversations) {
    const weft::Result<formats::Written> written = adapter.write(conversation);
    check(written.has_value(), "what was read can be written");
    transcript::Collector again;
    formats::read_all(adapter, {.name = "output"}, written->text, again);
    check(again.repairs == 0, "what is written needs no repair");
    check(again.conversations == read.conversations, "what is written reads back");
  }
  return 0;
}
