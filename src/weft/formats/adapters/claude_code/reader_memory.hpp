// What a reader remembers of the records before: windows of fixed size, so that its state
// stays small however long the file is. Each says what its end costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/formats/adapters/claude_code/messages.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::claude_code {

inline constexpr std::int64_t kNoTurn = -1;

// The last records that have a uuid. A repeat of an older one is told again, which adds
// nothing; a sidechain that goes on after so many records begins anew.
class Records {
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

// The blocks of the last API messages. One message comes in several lines; some versions
// repeat a block in a later line, or write it again when it has grown. Beyond the window
// that is a block of its own.
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
    Place place{};  // where it stands already, of one that is restated
  };
  // What `said` of the message is, which would stand at `place`. From now on it is known.
  Found add(std::string_view message_id, std::optional<std::int64_t> api_index,
            const AuthoredBlock& block, const Place& place);

  json::array save() const;
  [[nodiscard]] bool restore(const json::array& state);

 private:
  struct Seen {
    std::uint64_t message = 0;
    std::int64_t api_index = -1;
    std::int64_t kind = 0;  // of its body
    std::uint64_t key = 0;  // of a call: its id
    std::uint64_t length = 0, hash = 0;
    Place place;
  };
  std::deque<Seen> seen_;
};

// What the last API messages used. A line that comes after so many messages counts again.
class UsageCount {
 public:
  static constexpr std::size_t kMost = 16;
  // What `usage`, of a line of the message `key`, adds to the total: the line with the most
  // output counts, and only that one.
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

// The last calls that may spawn a conversation. Whoever is named after so many more of them
// is not joined to its call from this side.
class Calls {
 public:
  static constexpr std::size_t kMost = 64;
  void add(std::string_view call_id, std::string_view prompt);
  bool has(std::string_view call_id) const;
  // The call that spawned what begins with `prompt`, once.
  std::optional<std::string> take(std::string_view prompt);
  // Whether it is news that `agent` was spawned by the call.
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

}  // namespace weft::formats::claude_code
