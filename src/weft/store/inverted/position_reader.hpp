// PositionReader: reads the stream of positions of one run (term_page.hpp). What is read one after
// another is read in few steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/store/inverted/index_pages.hpp"

namespace weft::store::sql {

class PositionReader {
 public:
  // `pages` outlive it.
  PositionReader(IndexPages& pages, const IndexRun& run) : pages_(&pages), run_(run) {}

  // `size` bytes of the stream from `at` on, until the next call. corrupt, also if the stream ends
  // before.
  Result<std::string_view> read(std::uint64_t at, std::uint64_t size);

 private:
  std::uint64_t end() const { return begin_ + bytes_.size(); }
  // Reads at least one page behind what is there, `most` at most.
  Status read_on(std::uint64_t from, std::size_t most);

  IndexPages* pages_;
  IndexRun run_;
  std::string bytes_;  // of the stream, from begin_ on
  std::uint64_t begin_ = 0;
};

// Reads the positions of one posting from the front of `bytes` and calls `visit` with each. False
// if there are fewer than `times`, or if one is beyond 32 bits.
template <class Visit>
bool take_positions(std::string_view& bytes, std::uint32_t times, const Visit& visit);

// --- inline -----------------------------------------------------------------------------------

template <class Visit>
bool take_positions(std::string_view& bytes, std::uint32_t times, const Visit& visit) {
  std::uint64_t position = 0;
  for (; times > 0; --times) {
    const std::optional<std::uint64_t> step = take_varint(bytes);
    if (!step || *step > UINT32_MAX - position) return false;
    position += *step;
    visit(static_cast<std::uint32_t>(position));
  }
  return true;
}

}  // namespace weft::store::sql
