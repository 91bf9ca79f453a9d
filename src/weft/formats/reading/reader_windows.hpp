// Bounded windows over earlier records: a reader's state stays small however long the file is.
// Each window says what is lost beyond its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/state_archive.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

inline constexpr std::int64_t kNoTurn = -1;

// The last records that have a uuid. A repeat of an older record is emitted again, which adds
// nothing; a sidechain that continues after more records than this becomes a new one.
class RecordWindow {
 public:
  static constexpr std::size_t kMost = 256;
  struct Seen {
    std::uint64_t uuid = 0;
    std::uint64_t fingerprint = 0;
    std::int64_t thread = 0;
    std::int64_t turn = kNoTurn;  // of the nearest prompt at or above it
  };
  void add(const Seen& seen);
  const Seen* find(std::uint64_t uuid) const;

  // The field `key`, a text.
  void archive(StateArchive& a, std::string_view key);

 private:
  std::string write() const;
  bool read(std::string_view text);

  std::deque<Seen> seen_;
};

// Counts the usage of API messages that come in several lines. A line that comes after kMost
// other messages is counted again.
class UsageCounter {
 public:
  static constexpr std::size_t kMost = 16;
  // What a line of the message `key` adds to the total: of all its lines, only the one with the
  // most output counts.
  transcript::Usage add(std::uint64_t key, const transcript::Usage& usage);

  // The field `key`, a list of rows.
  void archive(StateArchive& a, std::string_view key);

 private:
  struct Seen {
    std::uint64_t key = 0;
    transcript::Usage usage;
    friend auto state_row(Seen& seen) {
      return state_cells(StateBits{seen.key}, seen.usage.input, seen.usage.output,
                         seen.usage.cache_read, seen.usage.cache_write);
    }
  };
  std::deque<Seen> seen_;
};

// The last calls that may spawn a conversation. A conversation that is named after kMost later
// calls is not joined to its call by this reader.
class SpawningCalls {
 public:
  static constexpr std::size_t kMost = 64;
  void add(std::string_view call_id, std::string_view prompt);
  bool has(std::string_view call_id) const;
  // The call that spawned the conversation beginning with `prompt`; each call is found once.
  std::optional<std::string> take(std::string_view prompt);
  // Notes that the call spawned `agent`; false if that was known.
  bool name(std::string_view call_id, std::string_view agent);

  void archive(StateArchive& a);

 private:
  struct Call {
    std::string id;
    std::uint64_t prompt = 0;
    bool is_taken = false;
    friend auto state_row(Call& call) {
      return state_cells(call.id, StateBits{call.prompt}, call.is_taken);
    }
  };
  std::deque<Call> calls_;
  std::deque<std::uint64_t> named_;
};

}  // namespace weft::formats
