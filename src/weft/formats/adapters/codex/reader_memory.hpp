// What a reader remembers of the records before: windows of fixed size, so that its state
// stays small however long the file is. Each says what its end costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/formats/reading/recent.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::codex {

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
