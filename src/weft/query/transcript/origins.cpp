#include "weft/query/transcript/origins.hpp"

#include <algorithm>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/query/ask/standing.hpp"

namespace weft::query {
namespace {

// The causes in these conversations that none of them has.
Result<std::vector<Cid>> missing_causes(const Library& library, const std::vector<Cid>& in) {
  std::unordered_set<Cid> held, causes;
  WEFT_TRY(library.web.each_of(in, [&](const thought::Thought& thought) {
    held.insert(thought.cid);
    for (const thought::ContentRef& ref : thought.because) causes.insert(ref.thought);
    return true;
  }));
  std::vector<Cid> missing;
  std::ranges::copy_if(causes, std::back_inserter(missing),
                       [&](const Cid& cid) { return !held.contains(cid); });
  std::ranges::sort(missing);
  return missing;
}

}  // namespace

Result<std::vector<store::ConversationRow>> origins_of(const Library& library,
                                                       const store::ConversationRow& conversation) {
  std::vector<store::ConversationRow> origins;
  WEFT_TRY_VALUE(const auto continued,
                 library.web.neighbours_by(conversation.created_by, conversation.cid, "continues",
                                           store::Direction::from));
  if (continued.empty()) return origins;
  std::vector<Cid> all = {conversation.cid};
  for (std::size_t before = 0; before < all.size();) {
    before = all.size();
    WEFT_TRY_VALUE(const auto missing, missing_causes(library, all));
    for (const Cid& cid : missing) {
      WEFT_TRY_VALUE(const bool is_there, library.web.has(cid));
      if (!is_there) continue;  // it was forgotten
      WEFT_TRY_VALUE(const auto standing, find_standing(library, cid));
      if (!standing) continue;
      const Cid& holder = standing->conversation.cid;
      if (std::ranges::find(all, holder) != all.end()) continue;
      all.push_back(holder);
      origins.push_back(standing->conversation);
    }
  }
  return origins;
}

}  // namespace weft::query
