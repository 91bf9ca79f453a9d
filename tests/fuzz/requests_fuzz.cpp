// Any bytes as a log of an API, written as requests of both: what is written can be read, and
// what came from the Messages API is written the same however often it is read.
#include "adapter_fuzz.hpp"
#include "weft/base/json.hpp"

namespace {

using weft::fuzz::check;
namespace formats = weft::formats;

// What `adapter` reads in a request that it wrote.
weft::transcript::Conversation read_again(const formats::Adapter& adapter, std::string_view text) {
  weft::transcript::Collector collector;
  formats::read_all(adapter, {}, text, collector);
  check(collector.conversations.size() == 1, "a request is one conversation");
  return collector.conversations[0];
}

std::string plain(const std::string& text) {
  const auto parsed = weft::parse_json(text);
  check(parsed.has_value(), "a request is JSON");
  return weft::canonical_json(parsed->value);
}

void write(const weft::transcript::Conversation& conversation) {
  for (const std::string_view form : {"anthropic-messages", "openai-messages"}) {
    const formats::Adapter& adapter = *formats::find_form(form);
    const auto written = adapter.write(conversation);
    if (!written) continue;
    const auto again = adapter.write(read_again(adapter, written->text));
    check(again.has_value(), "what was written once is written again");
    // OpenAI's models say "<think>" in their words, and what is behind it may begin so too.
    if (form == "anthropic-messages") {
      check(plain(again->text) == plain(written->text), "it is written the same");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view name : {"anthropic-messages", "openai"}) {
    weft::transcript::Collector collector;
    formats::read_all(*formats::find_adapter(name), {}, bytes, collector);
    for (const auto& conversation : collector.conversations) write(conversation);
  }
  return 0;
}
