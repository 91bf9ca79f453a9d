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
#include "weft/transcript/conversation.hpp"

namespace weft::formats::codex {

// The last texts of some kind, by their hashes.
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}
  bool has(std::string_view text) const;
  void add(std::string_view text);

  json::array save() const;
  // False if `state` is not what save() gave, or not there.
  [[nodiscard]] bool restore(const json::array* state);

 private:
  std::size_t most_;
  std::deque<std::int64_t> hashes_;
};

// What the model calls used: the sum of what each says of itself, because the totals begin
// anew in forks and resumed sessions. One that is told again with the same total is no news.
class UsageCount {
 public:
  // Of a token_count: false if it says nothing new. Of a replay only the total is noted.
  bool add(const json::object& payload, bool is_replay);
  // Of exec's turn.completed.
  bool add_turn(const json::object& payload);
  const transcript::Usage& sum() const { return sum_; }

  json::array save() const;
  [[nodiscard]] bool restore(const json::array* state);

 private:
  transcript::Usage sum_, total_;
};

}  // namespace weft::formats::codex
