// Counts the token usage of a Codex session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/formats/reading/recent.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::codex {

// The sum of what each model call used. The totals in the file are not used, because they start
// again in forks and resumed sessions; but a count that repeats the last total is ignored.
class UsageCount {
 public:
  // Adds a token_count. False if it is not new. Of a replay only the total is noted.
  bool add(const json::object& payload, bool is_replay);
  // Adds the usage of exec's turn.completed. False if it is zero or missing.
  bool add_turn(const json::object& payload);
  const transcript::Usage& sum() const { return sum_; }
  // The counts of the call that was added last.
  const transcript::Tokens& last() const { return last_; }
  std::int64_t last_input() const { return last_input_; }  // as stated: cached tokens included

  // The field `key`, a row of nine numbers.
  void archive(StateArchive& a, std::string_view key);

 private:
  struct Counts;
  void keep(const Counts& counts);

  transcript::Usage sum_, total_;
  std::int64_t total_reasoning_ = 0;
  transcript::Tokens last_;
  std::int64_t last_input_ = 0;
};

}  // namespace weft::formats::codex
