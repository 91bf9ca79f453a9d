// A query, a line break, and any text: terms are at the positions they name, in order; leaves count
// up; and
// a snippet is valid, short enough, and marked within its bounds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "weft/base/utf8.hpp"
#include "weft/search/snippet.hpp"
#include "weft/search/terms.hpp"

namespace {

using namespace weft::search;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_valid(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  weft::repair_utf8(text, storage, repairs);
  return repairs == 0;
}

void check_terms(std::string_view text) {
  std::uint32_t position = 0, next_leaf = 0;
  std::size_t leaf_end = 0;
  auto visit = [&](const Term& term) {
    require(!term.text.empty() && term.text.size() <= kMaxTermBytes && is_valid(term.text));
    require(!term.text.starts_with("tool="));
    require(term.begin < term.end && term.end <= text.size());
    require(term.position >= position);
    position = term.position;
    if (!term.is_leaf) return;
    require(term.begin >= leaf_end);
    leaf_end = term.end;
    // Data leaves positions empty.
    require(text.size() > kMaxDataBytes ? position >= next_leaf : position == next_leaf);
    next_leaf = position + 1;
  };
  each_term(text, visit);
}

void check_snippet(std::string_view text, const Query& query, std::size_t code_points) {
  const Snippet snippet = make_snippet(text, query, {}, code_points);
  require(is_valid(snippet.text));
  const std::size_t size = weft::count_code_points(snippet.text);
  require(size <= code_points);
  std::size_t end = 0;
  for (const Mark& mark : snippet.marks) {
    require(mark.begin < mark.end && mark.end <= size);
    require(mark.begin > end || end == 0);
    end = mark.end;
  }
  require(with_marks(snippet, "", "") == snippet.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), size);
  const std::string_view text = input.substr(std::min(line + 1, size));
  const Query query = parse_query(input.substr(0, line));

  check_terms(text);
  for (const std::size_t code_points : {0U, 3U, 20U, 200U}) check_snippet(text, query, code_points);
  for (const Word& word : query.words) {
    if (word.kind == Word::Kind::phrase) require(count_phrase(text, word.terms) <= text.size());
  }
  weft::search::tool_term(text);
  return 0;
}
