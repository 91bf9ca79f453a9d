// Fuzzes an adapter: on any bytes, recognising and reading return, each skipped record has a
// reason, and a reader that is saved and restored half way emits the same as one that read
// everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::fuzz {

inline void check(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "broken promise: " << what << "\n";
  std::abort();
}

// Reads `bytes` with a new reader for every record.
inline void read_with_pauses(const formats::Adapter& adapter, const formats::SourceInfo& info,
                             std::string_view bytes, transcript::Sink& sink) {
  // As text, the form in which a state is kept.
  std::string state = canonical_json(adapter.open(info)->save());
  const auto restore = [&](formats::Reader& reader) {
    const Result<ParsedJson> parsed = parse_json(state);
    return parsed && reader.restore(parsed->value.get_object()).has_value();
  };
  const auto framer = adapter.frame(formats::head_of(bytes));
  const formats::OnRecord record = [&](const formats::Record& found) {
    const auto reader = adapter.open(info);
    check(restore(*reader), "what was saved is restored");
    reader->read(found, sink);
    state = canonical_json(reader->save());
  };
  const formats::OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
  framer->push(bytes, record, oversize);
  framer->end(record, oversize);
  const auto reader = adapter.open(info);
  check(restore(*reader), "what was saved last is restored");
  reader->finish(sink);
}

inline int fuzz_adapter(std::string_view name, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const formats::Adapter& adapter = *formats::find_adapter(name);
  adapter.recognises(formats::head_of(bytes));
  if (adapter.project != nullptr) adapter.project("/a/b/c.jsonl", formats::head_of(bytes));

  const formats::SourceInfo info{.name = "input.jsonl"};
  transcript::Collector whole;
  formats::read_all(adapter, info, bytes, whole);
  for (const transcript::Skipped& skipped : whole.skipped) {
    check(!skipped.reason.empty(), "what is skipped has a reason");
  }
  transcript::Collector pieces;
  read_with_pauses(adapter, info, bytes, pieces);
  check(pieces.conversations == whole.conversations, "pauses change nothing");
  check(pieces.skipped == whole.skipped, "pauses skip nothing else");
  return 0;
}

}  // namespace weft::fuzz
