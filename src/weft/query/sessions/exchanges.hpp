// Exchanges: what a person says, and all that comes of it until a person speaks again. What seed
// tools call a turn, and number from 0.
//
// A command (/model, !ls) is not counted as speech: it goes with the exchange before it. What
// comes before the first word goes with that word, and a conversation in which nobody speaks (a
// subagent's, or one of commands alone) is one exchange.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/query/ask/turns.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

struct Exchange {
  std::uint64_t sequence = 0;  // of the turn that opens it
  Millis time = 0;             // of that turn
  std::vector<TurnView> turns{};
};

class Exchanges {
 public:
  // Which turns open one depends on what the keys at hand open: a command that nobody can read
  // counts as speech.
  static Result<Exchanges> of(const Library& library, const Cid& conversation);

  const std::vector<Exchange>& all() const { return all_; }
  // In which one a turn of this conversation stands; the first for any other.
  std::uint64_t number_of(const Cid& turn) const;

 private:
  std::vector<Exchange> all_;
  std::unordered_map<Cid, std::uint64_t> numbers_;  // by turn
};

// {turn_number, timestamp, user_text, assistant_text, tools_used: […]}, and, where they say
// something, attachments: [name] and sealed: true.
//
// Texts are joined by line ends; thinking, results and what a program put in are left out, and so
// are commands, unless nothing else is said. A text is null where the keys at hand open none of it.
Result<json::object> read_exchange(const Library& library, const Exchange& exchange,
                                   std::uint64_t number);

// Whether this is a command to a program, and nothing for a model: "/name arguments", "!command".
bool is_command(std::string_view text);

}  // namespace weft::query
