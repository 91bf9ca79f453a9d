#include "weft/remote/statements.hpp"

#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::remote {

Statements sort_statements(const std::vector<Forgotten>& all) {
  Statements statements;
  for (const Forgotten& forgotten : all) {
    thought::Witnesses witnesses(nullptr);
    if (!witnesses.add(forgotten.identity) || !witnesses.check(forgotten.tombstone)) continue;
    const Result<thought::Tombstone> content = thought::to_tombstone(forgotten.tombstone);
    if (!content) continue;
    for (const Cid& conversation : content->conversations) {
      statements.emplace(conversation, &forgotten);
    }
  }
  return statements;
}

const Forgotten* find_statement(const Statements& statements, const Cid& conversation,
                                const Cid& creator) {
  const auto [first, last] = statements.equal_range(conversation);
  for (auto at = first; at != last; ++at) {
    if (at->second->tombstone.created_by == creator) return at->second;
  }
  return nullptr;
}

}  // namespace weft::remote
