// Outlines: the blocks of a conversation in reading order, and what is known of each.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/outline_rows.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

Result<std::vector<BlockFacts>> read_all(const OutlineRows& with, std::span<const Handle> blocks,
                                         const crypto::Keyring* keyring) {
  std::vector<BlockFacts> found;
  ThoughtCursor cursor(with.database);
  for (const Handle block : blocks) {
    WEFT_TRY(cursor.seek(block));
    WEFT_TRY_VALUE(auto facts, read_facts(with, cursor.row(), keyring));
    found.push_back(std::move(facts));
  }
  return found;
}

}  // namespace

Result<ConversationOutline> Reader::outline(const Cid& conversation) {
  WEFT_TRY_VALUE(const auto id, names_.find_id(conversation));
  if (!id) return not_here(conversation);
  WEFT_TRY_VALUE(const auto creator, creator_of(*id));
  if (!creator) return not_here(conversation);
  return read_outline({database_, edges_, words_, names_}, *id, *creator);
}

Status Reader::each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                          const std::function<void(BlockFacts)>& visit) {
  const OutlineRows with{database_, edges_, words_, names_};
  // `visit` may ask for the facts of others: no row is being read meanwhile.
  constexpr std::size_t kAtOnce = 1024;
  for (std::size_t begin = 0; begin < blocks.size(); begin += kAtOnce) {
    const auto some = blocks.subspan(begin, std::min(kAtOnce, blocks.size() - begin));
    WEFT_TRY_VALUE(auto found, read_all(with, some, keyring));
    for (BlockFacts& facts : found) visit(std::move(facts));
  }
  return {};
}

}  // namespace weft::store::sql
