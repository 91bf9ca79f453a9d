// The end of a conversation: its last answer, and the prompt before it.
#pragma once

#include <optional>

#include "weft/base/json.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

// As far as they exist. Where nothing was answered, the answer is the last block, whatever that is.
struct LastExchange {
  std::optional<json::object> prompt{}, answer{};
};
Result<LastExchange> last_exchange(const query::Library& library,
                                   const store::ConversationRow& row);

}  // namespace weft::cli
