#include "weft/search/compound.hpp"

#include <algorithm>
#include <iterator>

namespace weft::search {
namespace {

// v1.2.3 is found as 1.2.3, too. Of `atom` alone: v, then digits.
bool is_version(std::string_view folded) {
  return folded.size() >= 2 && folded.front() == 'v' &&
         std::ranges::all_of(folded.substr(1), [](char c) { return (kind_of(c) & kDigit) != 0; });
}

// A hash is found by the short forms that people write. Both a digit and a letter: what has only
// the one is a number or a word.
void tell_short_hashes(const Atom& atom, std::string_view folded, Emitter& emitter) {
  constexpr std::uint8_t kHexLetter = kLowerHex | kUpperHex;
  constexpr std::size_t kShortest = 9, kLong = 16;
  if (folded.size() < kShortest) return;
  if ((atom.seen & ~(kHexLetter | kDigit)) != 0) return;
  if ((atom.seen & kHexLetter) == 0 || (atom.seen & kDigit) == 0) return;
  for (const std::size_t digits : {7, 8, 12}) {
    if (digits == 12 && folded.size() < kLong) break;
    emitter.part(folded.substr(0, digits), atom.begin, atom.begin + digits);
  }
}

// Finds the humps of an atom one after another: where lower case turns to upper (camelCase), and
// before the last of several upper ones that lower case follows (HTMLParser), unless all that
// follows is the s of a plural (URLs). A digit goes with what is before it.
class Humps {
 public:
  explicit Humps(std::string_view atom) : atom_(atom) { read(0); }

  // Where the hump ends that begins at or after the end of the last; the atom's end at last.
  std::size_t next() {
    Letter before = Letter::word;
    for (bool first = true; at_ < atom_.size(); first = false) {
      const CodePoint point = here_;
      const std::size_t after = at_ + point.size;
      const std::size_t begin = at_;
      if (!first && point.letter == Letter::upper &&
          (before == Letter::lower || (before == Letter::upper && begins_word(after)))) {
        return begin;
      }
      if (point.letter == Letter::upper || point.letter == Letter::lower) before = point.letter;
      read(after);
    }
    return at_;
  }

 private:
  void read(std::size_t at) {
    at_ = at;
    here_ = at < atom_.size() ? read_code_point(atom_, at) : CodePoint{};
  }
  bool is_lower(std::size_t at) const {
    return at < atom_.size() && read_code_point(atom_, at).letter == Letter::lower;
  }
  bool begins_word(std::size_t at) const {
    if (!is_lower(at)) return false;
    return atom_[at] != 's' || is_lower(at + 1);
  }

  std::string_view atom_;
  std::size_t at_ = 0;
  CodePoint here_{};  // at at_
};

}  // namespace

void append_folded_word(Folder& folder, std::string_view word, std::string& out) {
  const std::size_t before = out.size();
  folder.append(word, out);
  // Some letters fold to a text with blanks and brackets in it: ⑴, or a whole formula in Arabic.
  // Of ASCII a word has letters and digits alone.
  const auto kept = std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                                   [](char c) { return !is_word(c) && !is_high(c); });
  out.erase(kept, out.end());
}

void Compound::tell(std::string_view text, Emitter& emitter) {
  fold(text);
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    tell_parts(i, emitter);
    tell_atom(i, text, emitter);
  }
}

void Compound::fold(std::string_view text) {
  std::uint8_t seen = 0;
  places_.clear();
  for (const Atom& atom : atoms_) {
    seen |= atom.seen;
    if (atom.joint_size > 0 && is_high(text[atom.joint])) seen |= kHigh;  // ’
    places_.push_back({.begin = atom.begin, .end = atom.end});
  }
  folded_ = text;
  if ((seen & (kUpper | kHigh)) == 0) return;

  room_.clear();
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const Atom& atom = atoms_[i];
    if (atom.joint_size > 0) {
      const std::string_view joint = text.substr(atom.joint, atom.joint_size);
      room_ += is_high(joint.front()) ? "'" : joint;
    }
    places_[i].begin = room_.size();
    fold_atom(text.substr(atom.begin, atom.end - atom.begin), atom);
    places_[i].end = room_.size();
  }
  folded_ = room_;
}

void Compound::fold_atom(std::string_view text, const Atom& atom) {
  if ((atom.seen & kHigh) == 0) {
    std::ranges::transform(text, std::back_inserter(room_), to_lower);
  } else {
    append_folded_word(folder_, text, room_);
  }
}

std::size_t Compound::end_of_part(std::size_t first, int level) const {
  if (level == 0) return atoms_.size();
  std::size_t end = first + 1;
  while (end < atoms_.size() && atoms_[end].level > level) ++end;
  return end;
}

std::string_view Compound::folded(std::size_t first, std::size_t end) const {
  const std::size_t begin = places_[first].begin;
  return folded_.substr(begin, places_[end - 1].end - begin);
}

void Compound::tell_parts(std::size_t first, Emitter& emitter) const {
  constexpr int kLastLevel = 2;  // of parts of several atoms; below it are the atoms
  const std::size_t begin = atoms_[first].begin;
  std::size_t told = 0;
  for (int level = atoms_[first].level; level <= kLastLevel; ++level) {
    const std::size_t end = end_of_part(first, level);
    if (end == first + 1) return;
    if (end != told) emitter.part(folded(first, end), begin, atoms_[end - 1].end);
    told = end;
    if (level == kLastLevel && is_version(folded(first, first + 1))) {
      emitter.part(folded(first, end).substr(1), begin + 1, atoms_[end - 1].end);
    }
  }
}

void Compound::tell_atom(std::size_t index, std::string_view text, Emitter& emitter) {
  constexpr int kAtomLevel = 3;
  const Atom& atom = atoms_[index];
  const std::string_view whole = folded(index, index + 1);
  const bool mixed = (atom.seen & kUpper) != 0 && (atom.seen & kLower) != 0;
  const std::string_view source = text.substr(atom.begin, atom.end - atom.begin);
  if (mixed && Humps(source).next() < source.size()) {
    emitter.part(whole, atom.begin, atom.end);
    tell_humps(atom, source, emitter);
    return;
  }
  emitter.leaf(whole, atom.begin, atom.end);
  if ((atom.seen & kDigit) != 0) {
    if (atom.level < kAtomLevel && is_version(whole)) {
      emitter.part(whole.substr(1), atom.begin + 1, atom.end);
    }
    tell_short_hashes(atom, whole, emitter);
  }
  emitter.advance();
}

void Compound::tell_humps(const Atom& atom, std::string_view text, Emitter& emitter) {
  Humps humps(text);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = humps.next();
    const std::string_view source = text.substr(begin, end - begin);
    hump_.clear();
    append_folded_word(folder_, source, hump_);
    emitter.leaf(hump_, atom.begin + begin, atom.begin + end);
    emitter.advance();
    begin = end;
  }
}

}  // namespace weft::search
