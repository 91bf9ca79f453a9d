// Converts a recorded exchange to a line of an API log. The reader of that log format then weaves
// it, so a recorded conversation gives the same thoughts as its log.
//
//   {"timestamp": "…", "request": {…}, "response": {"status": 200, "body": …, "times": […]}}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/capture/proxy/exchange_extras.hpp"
#include "weft/capture/proxy/journal.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::capture {

// The format of an exchange: "anthropic-messages" for …/v1/messages, "openai" for
// …/chat/completions and …/responses. Empty for every other target, which is not recorded.
std::string_view format_of(std::string_view method, std::string_view target);

// The end of a target that names its API: "/v1/messages", "/chat/completions" or "/responses", the
// last two with the "/v1" before them if there is one; empty if it names none. Only this is kept of
// a target: the query, the path of a gateway and the user of an absolute URL may be secrets.
std::string_view api_path(std::string_view target);

struct LoggedExchange {
  std::string_view format;
  std::string line;
  formats::ConversationKey conversation{};
  std::string answer_name{};  // a later request may name it as its predecessor
  ExchangeExtras extras{};    // the parts that the line does not hold
  std::string id{};           // an id that was woven before is not woven again
  json::object heard{};       // hashes of the bodies, for its attestation
};

// invalid_input for an exchange that cannot be recorded: the request is incomplete or not a JSON
// object, or a body is too large. The message never quotes content.
Result<LoggedExchange> to_log(const RecordedExchange& recorded);

}  // namespace weft::capture
