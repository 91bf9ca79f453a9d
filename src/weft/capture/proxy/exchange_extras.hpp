// Extracts the parts of an exchange that thoughts do not hold: the parameters of the request, the
// schemas of its tools, the stop reason, the exact token counts. They are archived, sealed, as one
// line of the log that `weft restore` returns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/capture/proxy/journal.hpp"

namespace weft::capture {

struct ExchangeExtras {
  std::string line{};   // one JSON object, without the content of messages
  std::string tools{};  // JSON: the tools of the request; empty if it has none
};

// `request` is JSON, `response` a body or the text of a stream, both decoded.
ExchangeExtras extras_of(const RecordedExchange& recorded, std::string_view request,
                         std::string_view response);

}  // namespace weft::capture
