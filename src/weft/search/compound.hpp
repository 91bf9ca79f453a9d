// Compound words and their terms: the whole, its parts, and their parts.
//
// Joints have levels. A compound is divided at / \ : @ # first, then at - + ' and then at . and _
// into its atoms; an atom is divided at its humps (camelCase, HTMLParser).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "weft/search/emitter.hpp"
#include "weft/search/fold.hpp"

namespace weft::search {

// A run of word characters and the joint before it. Made in large numbers and never read
// unset: no defaults.
struct Atom {
  std::size_t begin, end;         // in the text
  std::size_t joint, joint_size;  // the joint before it, in the text
  std::uint8_t level;             // 1 to 3: of that joint; 0: the first has none
  std::uint8_t seen;              // the kinds of its bytes, all together (letters.hpp)
};

class Compound {
 public:
  // A compound of more atoms is divided: its term would be cut long before that.
  static constexpr std::size_t kMaxAtoms = 256;

  void clear() { count_ = 0; }
  bool is_full() const { return count_ == kMaxAtoms; }
  // A new atom, filled in by the caller in place: copying it would stall on its own bytes.
  Atom& add() { return atoms_[count_++]; }
  // Emits its terms, and advances beyond its leaves. `text` is the text of its atoms; there is
  // at least one.
  void emit(std::string_view text, Emitter& emitter);

 private:
  struct Place {
    std::size_t begin, end;
  };

  void fold(std::string_view text);
  // The first atom after `first` behind a joint of `level` or a stronger one.
  std::size_t end_of_part(std::size_t first, int level) const;
  // The atoms from `first` up to `end` as one folded text.
  std::string_view folded(std::size_t first, std::size_t end) const;
  void emit_parts(std::size_t first, Emitter& emitter) const;
  void emit_atom(std::size_t index, std::string_view text, Emitter& emitter);
  void emit_humps(std::size_t index, std::string_view source, Emitter& emitter);

  std::size_t count_ = 0;
  std::array<Atom, kMaxAtoms> atoms_;
  std::array<Place, kMaxAtoms> places_;  // what each of them folds to, within folded_
  std::string_view folded_;  // into the text where that is folded already, else into room_
  std::string room_, hump_;
  Folder folder_;
};

// The folded form of a word, or of a part of one, that holds more than ASCII; appended to `out`.
void append_folded_word(Folder& folder, std::string_view word, std::string& out);

}  // namespace weft::search
