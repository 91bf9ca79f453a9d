// Emitter passes terms to a visitor and counts their positions.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/base/utf8.hpp"
#include "weft/search/letters.hpp"
#include "weft/search/stop_words.hpp"
#include "weft/search/terms.hpp"

namespace weft::search {

// The text cut to the maximum length of a term.
inline std::string_view cut_term(std::string_view text) { return cut_utf8(text, kMaxTermBytes); }

class Emitter {
 public:
  explicit Emitter(TermVisitor visit) : visit_(visit) {}

  // Emits a term at the position of the current leaf. An empty text is ignored.
  void part(std::string_view text, std::size_t begin, std::size_t end) {
    emit(text, begin, end, false);
  }
  // Emits the current leaf. Parts that begin with it may come before or after it.
  void leaf(std::string_view text, std::size_t begin, std::size_t end) {
    emit(text, begin, end, true);
    leaf_emitted_ = !text.empty();
  }
  // Advances to the next leaf; stays if the last one was empty.
  void advance() {
    position_ += leaf_emitted_ ? 1 : 0;
    leaf_emitted_ = false;
  }
  // Leaves a position empty.
  void skip() { ++position_; }

 private:
  void emit(std::string_view text, std::size_t begin, std::size_t end, bool is_leaf) {
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
  bool leaf_emitted_ = false;
};

}  // namespace weft::search
