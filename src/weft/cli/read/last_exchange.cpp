#include "weft/cli/read/last_exchange.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/summary_line.hpp"
#include "weft/query/outline/numbered_blocks.hpp"

namespace weft::cli {

Result<LastExchange> last_exchange(const query::Library& library,
                                   const store::ConversationRow& row) {
  constexpr std::uint64_t kMaxChars = 2'000;
  constexpr std::uint64_t kMaxBlocks = 5'000;  // a long run of tool calls is not searched for ever
  WEFT_TRY_VALUE(auto blocks, query::NumberedBlocks::open(library, row, {}));
  LastExchange found;
  const std::uint64_t end = blocks.count() - std::min(blocks.count(), kMaxBlocks);
  for (std::uint64_t i = blocks.count(); i-- > end && !found.prompt;) {
    WEFT_TRY_VALUE(auto block, blocks.read(i, kMaxChars));
    const std::string_view kind = query::kind_of(block);
    if (kind == "human_input" && found.answer) found.prompt = std::move(block);
    else if (kind == "response" && !found.answer) found.answer = std::move(block);
  }
  if (!found.answer && blocks.count() > 0) {
    WEFT_TRY_VALUE(found.answer, blocks.read(blocks.count() - 1, kMaxChars));
  }
  return found;
}

}  // namespace weft::cli
