#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/outline/numbered_blocks.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {

Result<json::object> blocks(const Library& library, const store::ConversationRow& conversation,
                            const BlocksOptions& options) {
  WEFT_TRY_VALUE(auto reader, NumberedBlocks::open(library, conversation,
                                                   {.branch = options.branch, .all = options.all}));
  const std::uint64_t count = reader.count();
  const std::uint64_t begin = std::min(options.from, count);
  const std::uint64_t end = begin + std::min(options.limit, count - begin);
  json::array blocks;
  for (std::uint64_t i = begin; i < end; ++i) {
    if (options.control.is_off()) return called_off();
    WEFT_TRY_VALUE(auto block, reader.read(i, options.cut));
    blocks.push_back(std::move(block));
  }
  json::object answer{{"conversation_cid", conversation.cid.str()},
                      {"count", count},
                      {"from", begin},
                      {"blocks", std::move(blocks)}};
  note_behind(answer, reader.selection().rows());
  return answer;
}

}  // namespace weft::query
