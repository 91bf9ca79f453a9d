// Splits text into terms, by one rule for index and query.
//
// A term is a word as Unicode sees it, compatibility forms and case folded. Where words are joined
// (snake_case, camelCase, paths, --flags, versions, hashes, names::spaces) each joint gives terms,
// from the whole down to its smallest parts, the leaves:
//
//   src/base/fileName.hpp
//   src/base/filename.hpp · src · base · filename.hpp · filename · file · name · hpp
//
// A joint is one of / \ : :: @ # (divided first), - + ' ’ (next), . and _ (last; several _ in a row
// are one), between two word characters. A version v1.2.3 gives 1.2.3 and 1, too; a long hash the
// 7, 8 and 12 digits that it begins with (7 and 8, if it has fewer than 16 digits).
//
// Each leaf has the next position; every other term has the position of its first leaf. So a
// phrase is a run of leaves, however its words were joined. Scripts that are written without
// spaces (Han, kana, Hangul, Thai…) have each character for a leaf and each pair of neighbours for
// a term. Stop words are leaves too, but count only in phrases. Terminal escape sequences are
// skipped. A run of more than kMaxDataBytes of base64's or hex's characters is data and has no
// terms.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft::search {

// A longer term is cut, in text and in query alike.
inline constexpr std::size_t kMaxTermBytes = 250;
inline constexpr std::size_t kMaxDataBytes = 1024;

struct Term {
  std::string_view text;           // folded; valid until the visitor returns
  std::size_t begin = 0, end = 0;  // the bytes of the text that it stands for
  std::uint32_t position = 0;
  bool is_leaf = false;
  bool is_stop = false;  // counts inside phrases alone
};

// The receiver of terms: anything that can be called with one.
class TermVisitor {
 public:
  template <class F>
    requires(!std::same_as<std::remove_cv_t<F>, TermVisitor>)  // else copying one would wrap it
  TermVisitor(F& visit)  // NOLINT: made on the way into a call
      : self_(const_cast<void*>(static_cast<const void*>(std::addressof(visit)))),
        call_([](void* self, const Term& term) { (*static_cast<F*>(self))(term); }) {}
  void operator()(const Term& term) const { call_(self_, term); }

 private:
  void* self_;
  void (*call_)(void*, const Term&);
};

// Emits the terms of a text in the order of their positions. Invalid UTF-8 separates words.
void each_term(std::string_view text, TermVisitor visit);

// The term that finds blocks of a tool; no text contains it.
//   tool_term("Bash") == "tool=bash"
std::string tool_term(std::string_view name);

}  // namespace weft::search
