// What an exchange says that has no place in the web: the parameters of the request, the schemas of
// its tools, why the answer ended, what exactly was counted. Kept beside it, sealed, as a line of
// the log that `weft restore` gives back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/capture/proxy/journal.hpp"

namespace weft::capture {

struct ExchangeExtras {
  std::string line{};   // one JSON object, without what was said in messages
  std::string tools{};  // JSON: what the request offers; empty where it offers none
};

// `request` is JSON, `response` a body or the text of a stream, both decoded.
ExchangeExtras extras_of(const RecordedExchange& recorded, std::string_view request,
                         std::string_view response);

}  // namespace weft::capture
