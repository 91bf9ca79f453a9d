// An exchange that was heard, as a line of an API's log: the same readers take it that take log
// files in, so the web is the one that the log of the same exchanges gives.
//
//   {"timestamp": "…", "request": {…}, "response": {"status": 200, "body": …, "times": […]}}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/capture/proxy/exchange_extras.hpp"
#include "weft/capture/proxy/journal.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::capture {

// The format of what passes there: "anthropic-messages" for …/v1/messages, "openai" for
// …/chat/completions and …/responses. Empty for all else, which is not recorded.
std::string_view format_of(std::string_view method, std::string_view target);

struct LoggedExchange {
  std::string_view format;
  std::string line;
  formats::ConversationKey kin{};
  std::string answer{};     // the name by which a later request may go on from it
  ExchangeExtras extras{};  // what the line says beside that
  std::string id{};         // its own: one that was woven under it is not woven again
};

// invalid_input, saying why without quoting anything, for what cannot be told: a request that is
// no JSON or did not come whole, a body that is too large.
Result<LoggedExchange> to_log(const RecordedExchange& recorded);

}  // namespace weft::capture
