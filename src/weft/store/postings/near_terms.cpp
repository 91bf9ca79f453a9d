#include "weft/store/postings/near_terms.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/base/typed/suggest.hpp"
#include "weft/base/utf8.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kMostTerms = 10;

// How often a text has each byte. Each edit changes at most one of them in either direction, so the
// counts rule out most terms before they are compared letter by letter.
class Letters {
 public:
  explicit Letters(std::string_view text) {
    for (const char c : text) ++counts_[static_cast<std::uint8_t>(c)];
  }
  bool may_be_near(std::string_view other, std::size_t max_edits) const {
    std::array<std::int16_t, 256> left = counts_;
    std::size_t surplus = 0;
    for (const char c : other) {
      if (--left[static_cast<std::uint8_t>(c)] < 0 && ++surplus > max_edits) return false;
    }
    return true;
  }

 private:
  std::array<std::int16_t, 256> counts_{};
};

std::string letter(const std::string& term, std::size_t at) {
  return std::string(slice_code_points(term, at, at + 1));
}

}  // namespace

Result<std::vector<NearTerm>> find_near_terms(Postings& postings, const std::string& term,
                                              std::size_t max_edits) {
  const Letters letters(term);
  std::vector<NearTerm> near;
  std::size_t compared = 0;
  const auto visit = [&](std::string_view found, std::uint64_t documents) {
    const std::size_t longer = std::max(found.size(), term.size());
    const std::size_t shorter = std::min(found.size(), term.size());
    const bool is_candidate =
        longer - shorter <= max_edits && documents > 0 && letters.may_be_near(found, max_edits);
    const std::size_t edits = is_candidate ? edit_distance(term, found) : max_edits + 1;
    if (edits > 0 && edits <= max_edits) near.push_back({std::string(found), edits, documents});
    return ++compared < kMaxCompared;
  };
  // Few people mistype the first letter, except by a letter too many before it, or by swapping it
  // with the second.
  const std::string first = letter(term, 0), second = letter(term, 1);
  if (first.empty()) return near;
  WEFT_TRY(postings.each_clear_term(first, visit));
  if (!second.empty() && second != first) WEFT_TRY(postings.each_clear_term(second, visit));
  std::ranges::sort(near, {}, [](const NearTerm& one) {
    return std::tuple(one.edits, ~one.documents, one.text);
  });
  if (near.size() > kMostTerms) near.resize(kMostTerms);
  return near;
}

}  // namespace weft::store::sql
