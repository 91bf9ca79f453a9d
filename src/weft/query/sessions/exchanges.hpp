// Exchanges: a person's message and everything up to the next one. Agents call an exchange a turn,
// numbered from 0.
//
// A command (/model, !ls) is not a message: it belongs to the exchange before it. Turns before the
// first message belong to that message, and a conversation without messages (a subagent's, or one
// of commands alone) is one exchange.
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
  // Which turns open an exchange depends on the keyring: a command that it does not open counts as
  // a message.
  static Result<Exchanges> of(const Library& library, const store::ConversationRow& conversation);

  const std::vector<Exchange>& all() const { return all_; }
  // The exchange that contains a turn of this conversation; empty for any other turn.
  std::optional<std::uint64_t> find_number(const Cid& turn) const;

 private:
  std::vector<Exchange> all_;
  std::unordered_map<Cid, std::uint64_t> numbers_;  // by turn
};

// {turn_number, turn, timestamp, user_text, assistant_text, tools_used: […]}, and, if not empty,
// attachments: [name] and sealed: true. `turn` is the sequence of the turn that opens it, as `walk`
// counts them.
//
// Texts are joined by newlines; thinking, results and injected text are left out, and so are
// commands, unless there is nothing else. A text is null if the keyring opens none of it.
Result<json::object> read_exchange(const Library& library, const Exchange& exchange,
                                   std::uint64_t number);

// Whether this is a command to a program, not a message to a model: "/name arguments", "!command".
bool is_command(std::string_view text);

}  // namespace weft::query
