// Tells a visitor of terms, and counts the positions.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/search/letters.hpp"
#include "weft/search/terms.hpp"

namespace weft::search {

// The words that are in every English text. As numbers: one comparison each.
constexpr bool is_stop_word(std::string_view text) {
  constexpr auto number = [](std::string_view word) {
    std::uint64_t value = 0;
    for (const char c : word) value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
  };
  if (text.empty() || text.size() > 5) return false;
  constexpr std::uint32_t kInitials = [] {
    std::uint32_t bits = 0;
    for (const char c : std::string_view("abfinostw")) bits |= 1U << (c - 'a');
    return bits;
  }();
  const int initial = text.front() - 'a';
  if (initial < 0 || initial >= 26 || (kInitials >> initial & 1) == 0) return false;
  switch (number(text)) {
    case number("a"):
    case number("an"):
    case number("and"):
    case number("are"):
    case number("as"):
    case number("at"):
    case number("be"):
    case number("but"):
    case number("by"):
    case number("for"):
    case number("if"):
    case number("in"):
    case number("into"):
    case number("is"):
    case number("it"):
    case number("no"):
    case number("not"):
    case number("of"):
    case number("on"):
    case number("or"):
    case number("such"):
    case number("that"):
    case number("the"):
    case number("their"):
    case number("then"):
    case number("there"):
    case number("these"):
    case number("they"):
    case number("this"):
    case number("to"):
    case number("was"):
    case number("will"):
    case number("with"): return true;
    default: return false;
  }
}

// A term as long as terms may be.
inline std::string_view cut_term(std::string_view text) {
  if (text.size() <= kMaxTermBytes) return text;
  std::size_t size = kMaxTermBytes;
  while (is_continuation(text[size])) --size;
  return text.substr(0, size);
}

class Emitter {
 public:
  explicit Emitter(TermVisitor visit) : visit_(visit) {}

  // A term at the position of the leaf that is under way. An empty one is none.
  void part(std::string_view text, std::size_t begin, std::size_t end) {
    tell(text, begin, end, false);
  }
  // That leaf. Parts that begin with it may come before or after it.
  void leaf(std::string_view text, std::size_t begin, std::size_t end) {
    tell(text, begin, end, true);
    leaf_told_ = !text.empty();
  }
  // Goes on to the next leaf; stays where the last one was empty.
  void advance() {
    position_ += leaf_told_ ? 1 : 0;
    leaf_told_ = false;
  }
  // Leaves a position empty.
  void skip() { ++position_; }

 private:
  void tell(std::string_view text, std::size_t begin, std::size_t end, bool is_leaf) {
    if (text.empty()) return;
    const std::string_view cut = cut_term(text);
    visit_(Term{.text = cut,
                .begin = begin,
                .end = end,
                .position = position_,
                .is_leaf = is_leaf,
                .is_stop = is_stop_word(cut)});
  }

  TermVisitor visit_;
  std::uint32_t position_ = 0;
  bool leaf_told_ = false;
};

}  // namespace weft::search
