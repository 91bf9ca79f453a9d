#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/query/outline/outline_selection.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {

Result<std::vector<std::uint64_t>> find_ordinals(const Library& library,
                                                 const store::ConversationRow& conversation,
                                                 const std::vector<Cid>& blocks,
                                                 const std::optional<std::string>& branch,
                                                 bool all) {
  std::unordered_set<store::Handle> wanted;
  for (const Cid& block : blocks) {
    WEFT_TRY_VALUE(const auto handle, library.web.find_handle(block));
    if (handle) wanted.insert(*handle);
  }
  std::vector<std::uint64_t> ordinals;
  if (wanted.empty()) return ordinals;
  WEFT_TRY_VALUE(const auto selection, select_outline(library, conversation, branch, all));
  for (std::uint64_t i = 0; i < selection.entries.size(); ++i) {
    if (wanted.contains(selection.entries[i].block)) ordinals.push_back(i);
  }
  return ordinals;
}

}  // namespace weft::query
