// Snapshots: remembers the blocks of the last API messages. One message comes in several lines;
// some versions repeat a block in a later line, or write it again when it has grown. Beyond the
// window such a block is emitted as a block of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/state_archive.hpp"
#include "weft/formats/apis/claude_code/messages.hpp"

namespace weft::formats::claude_code {

class Snapshots {
 public:
  static constexpr std::size_t kMost = 16;
  struct Place {
    std::string source_id;
    std::uint32_t index = 0;
  };
  struct Found {
    enum class Kind { fresh, repeat, restated };
    Kind kind = Kind::fresh;
    Place place{};  // of a restated block: the place that it has already
  };
  // Compares a block of the message, which would be at `place`, with those before it, and
  // remembers it.
  Found add(std::string_view message_id, std::optional<std::int64_t> api_index,
            const AuthoredBlock& block, const Place& place);

  // The field `key`, a list of rows.
  void archive(StateArchive& a, std::string_view key);

 private:
  struct Seen {
    std::uint64_t message = 0;
    std::int64_t api_index = -1;
    std::int64_t kind = 0;  // of its body
    std::uint64_t key = 0;  // of a call: its id
    std::uint64_t length = 0, hash = 0;
    Place place;
    friend auto state_row(Seen& seen) {
      return state_cells(StateBits{seen.message}, seen.api_index, seen.kind, StateBits{seen.key},
                         StateBits{seen.length}, StateBits{seen.hash}, seen.place.source_id,
                         seen.place.index);
    }
  };
  std::deque<Seen> seen_;
};

}  // namespace weft::formats::claude_code
