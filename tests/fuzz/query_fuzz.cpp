// Any text: a query whose words can be looked for, each once.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>

#include "weft/search/query.hpp"
#include "weft/search/terms.hpp"

namespace {

using namespace weft::search;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Word& word) {
  require(!word.terms.empty());
  require(word.kind != Word::Kind::phrase || word.terms.size() >= 2);
  require(word.kind != Word::Kind::prefix || word.terms.size() == 1);
  for (const std::string& term : word.terms) {
    require(!term.empty() && term.size() <= kMaxTermBytes);
  }
  if (word.kind == Word::Kind::word) {
    require(std::set(word.terms.begin(), word.terms.end()).size() == word.terms.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Query query = parse_query(text);
  std::set<std::pair<Word::Kind, std::vector<std::string>>> wanted, unwanted;
  for (const Word& word : query.words) {
    check(word);
    auto& seen = word.need == Word::Need::not_ ? unwanted : wanted;
    require(seen.emplace(word.kind, word.terms).second);
  }
  require(parse_query(" " + std::string(text)) == query);
  return 0;
}
