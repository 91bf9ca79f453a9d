// Any bytes, cut anywhere: pieces give the records of the whole, and every record is at the offset
// it names. The first bytes of the input determine the cuts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/framing/framing.hpp"

namespace {

using weft::formats::Framer;
using weft::formats::Record;

void check(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "broken promise: " << what << "\n";
  std::abort();
}

struct Framed {
  std::string text, member;
  std::uint64_t line, offset;
  bool cut, stray;
  friend bool operator==(const Framed&, const Framed&) = default;
};

std::vector<Framed> frame(Framer& framer, std::string_view bytes, std::string_view steps) {
  std::vector<Framed> framed;
  const weft::formats::OnRecord record = [&](const Record& r) {
    framed.push_back(
        {std::string(r.text), std::string(r.member), r.line, r.offset, r.cut, r.stray});
  };
  const weft::formats::OnOversize oversize = [](std::uint64_t, std::uint64_t) {
    check(false, "nothing here is that large");
  };
  for (const char step : steps) {
    const std::size_t size = std::min<std::size_t>(static_cast<unsigned char>(step), bytes.size());
    framer.push(bytes.substr(0, size), record, oversize);
    bytes.remove_prefix(size);
  }
  framer.push(bytes, record, oversize);
  framer.end(record, oversize);
  return framed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kSteps = 4;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view steps = input.substr(0, kSteps);
  const std::string_view bytes = input.substr(steps.size());

  using Make = std::unique_ptr<Framer> (*)();
  const Make makers[] = {weft::formats::line_framer, weft::formats::section_framer,
                         weft::formats::values_framer,
                         [] { return weft::formats::json_framer({"turns"}); }};
  for (const Make make : makers) {
    const std::vector<Framed> whole = frame(*make(), bytes, {});
    check(frame(*make(), bytes, steps) == whole, "pieces give the records of the whole");
    for (const Framed& framed : whole) {
      check(bytes.substr(framed.offset, framed.text.size()) == framed.text,
            "offsets lead to the text");
      const std::string_view before = bytes.substr(0, framed.offset);
      check(framed.line == 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n')),
            "lines are counted");
    }
  }
  // The data of an event need not be in one piece.
  const std::vector<Framed> events = frame(*weft::formats::sse_framer(), bytes, {});
  check(frame(*weft::formats::sse_framer(), bytes, steps) == events,
        "pieces give the events of the whole");
  return 0;
}
