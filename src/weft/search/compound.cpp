#include "weft/search/compound.hpp"

#include <algorithm>

#include "weft/base/utf8.hpp"

namespace weft::search {
namespace {

// Whether `atom` is v and digits: v1.2.3 is found as 1.2.3, too.
bool is_version(std::string_view folded) {
  return folded.size() >= 2 && folded.front() == 'v' &&
         std::ranges::all_of(folded.substr(1), [](char c) { return (kind_of(c) & kDigit) != 0; });
}

// A hash is found by the short forms that people write. It has both a digit and a letter; otherwise
// it is a number or a word.
void emit_short_hashes(const Atom& atom, std::string_view folded, Emitter& emitter) {
  constexpr std::size_t kShortest = 9, kLong = 16;
  if (folded.size() < kShortest || (atom.seen & kHigh) != 0) return;
  if ((atom.seen & kDigit) == 0 || (atom.seen & (kLower | kUpper)) == 0) return;
  if (!std::ranges::all_of(folded, [](char c) { return c <= 'f'; })) return;
  for (const std::size_t digits : {7U, 8U, 12U}) {
    if (digits == 12 && folded.size() < kLong) break;
    emitter.part(folded.substr(0, digits), atom.begin, atom.begin + digits);
  }
}

// The end of the hump that begins at `begin`: where lower case turns to upper (camelCase), and
// before the last of several upper ones that lower case follows (HTMLParser), unless all that
// follows is the s of a plural (URLs). A digit goes with what is before it.
std::size_t find_hump_end(std::string_view atom, std::size_t begin) {
  Letter before = Letter::word;
  for (std::size_t at = begin; at < atom.size();) {
    const Letter letter = letter_at(atom, at);
    std::size_t after = at + 1;
    while (after < atom.size() && is_continuation(atom[after])) ++after;
    if (letter == Letter::upper && at != begin) {
      if (before == Letter::lower) return at;
      const bool plural =
          after < atom.size() && atom[after] == 's' && letter_at(atom, after + 1) != Letter::lower;
      if (before == Letter::upper && letter_at(atom, after) == Letter::lower && !plural) return at;
    }
    if (letter == Letter::upper || letter == Letter::lower) before = letter;
    at = after;
  }
  return atom.size();
}

}  // namespace

void append_folded_word(Folder& folder, std::string_view word, std::string& out) {
  const std::size_t before = out.size();
  folder.append(word, out);
  // Some letters fold to a text with blanks and brackets in it: ⑴, or a whole formula in Arabic.
  // A word has no other ASCII than letters and digits.
  const auto kept = std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                                   [](char c) { return !is_word(c) && !is_high(c); });
  out.erase(kept, out.end());
}

void Compound::emit(std::string_view text, Emitter& emitter) {
  fold(text);
  for (std::size_t i = 0; i < count_; ++i) {
    emit_parts(i, emitter);
    emit_atom(i, text, emitter);
  }
}

void Compound::fold(std::string_view text) {
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Atom& atom = atoms_[i];
    seen |= atom.seen;
    if (atom.joint_size > 1 && is_high(text[atom.joint])) seen |= kHigh;  // ’
    places_[i] = {.begin = atom.begin, .end = atom.end};
  }
  folded_ = text;
  if ((seen & (kUpper | kHigh)) == 0) return;

  const auto source = [&](std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin);
  };
  room_.clear();
  if ((seen & kHigh) == 0) {
    const std::size_t begin = atoms_[0].begin;
    append_lower(source(begin, atoms_[count_ - 1].end), room_);
    for (std::size_t i = 0; i < count_; ++i) {
      places_[i].begin -= begin;
      places_[i].end -= begin;
    }
  } else {
    for (std::size_t i = 0; i < count_; ++i) {
      const Atom& atom = atoms_[i];
      const std::string_view joint = text.substr(atom.joint, atom.joint_size);
      room_ += !joint.empty() && is_high(joint.front()) ? "'" : joint;
      places_[i].begin = room_.size();
      append_folded_word(folder_, source(atom.begin, atom.end), room_);
      places_[i].end = room_.size();
    }
  }
  folded_ = room_;
}

std::size_t Compound::end_of_part(std::size_t first, int level) const {
  if (level == 0) return count_;
  std::size_t end = first + 1;
  while (end < count_ && atoms_[end].level > level) ++end;
  return end;
}

std::string_view Compound::folded(std::size_t first, std::size_t end) const {
  const std::size_t begin = places_[first].begin;
  return folded_.substr(begin, places_[end - 1].end - begin);
}

void Compound::emit_parts(std::size_t first, Emitter& emitter) const {
  constexpr int kLastLevel = 2;  // of parts of several atoms; below it are the atoms
  const std::size_t begin = atoms_[first].begin;
  std::size_t emitted = 0;
  for (int level = atoms_[first].level; level <= kLastLevel; ++level) {
    const std::size_t end = end_of_part(first, level);
    if (end == first + 1) return;
    if (end != emitted) emitter.part(folded(first, end), begin, atoms_[end - 1].end);
    emitted = end;
    if (level == kLastLevel && is_version(folded(first, first + 1))) {
      emitter.part(folded(first, end).substr(1), begin + 1, atoms_[end - 1].end);
    }
  }
}

void Compound::emit_atom(std::size_t index, std::string_view text, Emitter& emitter) {
  constexpr int kAtomLevel = 3;
  const Atom& atom = atoms_[index];
  const std::string_view whole = folded(index, index + 1);
  const bool mixed = (atom.seen & kUpper) != 0 && (atom.seen & kLower) != 0;
  const std::string_view source = text.substr(atom.begin, atom.end - atom.begin);
  if (mixed && find_hump_end(source, 0) < source.size()) {
    emitter.part(whole, atom.begin, atom.end);
    emit_humps(index, source, emitter);
    return;
  }
  emitter.leaf(whole, atom.begin, atom.end);
  if ((atom.seen & kDigit) != 0) {
    if (atom.level < kAtomLevel && is_version(whole)) {
      emitter.part(whole.substr(1), atom.begin + 1, atom.end);
    }
    emit_short_hashes(atom, whole, emitter);
  }
  emitter.advance();
}

void Compound::emit_humps(std::size_t index, std::string_view source, Emitter& emitter) {
  const Atom& atom = atoms_[index];
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = find_hump_end(source, begin);
    std::string_view hump;
    if ((atom.seen & kHigh) == 0) {
      hump = folded(index, index + 1).substr(begin, end - begin);
    } else {
      hump_.clear();
      append_folded_word(folder_, source.substr(begin, end - begin), hump_);
      hump = hump_;
    }
    emitter.leaf(hump, atom.begin + begin, atom.begin + end);
    emitter.advance();
    begin = end;
  }
}

}  // namespace weft::search
