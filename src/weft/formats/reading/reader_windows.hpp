// Bounded windows over earlier records: a reader's state stays small however long the file is.
// Each window says what is lost beyond its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
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

  std::string save() const;
  [[nodiscard]] bool restore(std::string_view state);

 private:
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

  json::array save() const;
  [[nodiscard]] bool restore(const json::array& state);

 private:
  struct Seen {
    std::uint64_t key = 0;
    transcript::Usage usage;
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

  json::object save() const;
  [[nodiscard]] bool restore(const json::object& state);

 private:
  struct Call {
    std::string id;
    std::uint64_t prompt = 0;
    bool is_taken = false;
  };
  std::deque<Call> calls_;
  std::deque<std::uint64_t> named_;
};

}  // namespace weft::formats
