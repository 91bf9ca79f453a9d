// Walks through a text word by word. compound.cpp makes the terms of a word.
//
// Most words are lower-case ASCII between two blanks: these are emitted directly from the text.
#include "weft/search/terms.hpp"

#include <algorithm>

#include "weft/base/ascii.hpp"
#include "weft/base/utf8.hpp"
#include "weft/search/ascii.hpp"
#include "weft/search/compound.hpp"
#include "weft/search/emitter.hpp"
#include "weft/search/escapes.hpp"
#include "weft/search/fold.hpp"
#include "weft/search/letters.hpp"

namespace weft::search {
namespace {

// Finds long runs of the bytes that base64 and hex are made of. It checks a run backwards from its
// maximum length: in prose, one blank rules out the thousand bytes before it.
class DataFinder {
 public:
  explicit DataFinder(std::string_view text) : text_(text) {}

  // Whether the word that begins at `at` is part of data; end() is then the end of the data. Call
  // it for words in order.
  bool holds(std::size_t at) {
    if (at < checked_) return false;
    return at < end_ || look(at);
  }
  std::size_t end() const { return end_; }

 private:
  bool look(std::size_t at) {
    std::size_t begin = at;
    while (begin > std::max(checked_, end_) && is_data(text_[begin - 1])) --begin;
    const std::size_t last = begin + kMaxDataBytes;  // the first byte that is too much
    if (last >= text_.size()) {
      checked_ = text_.size();
      return false;
    }
    for (std::size_t i = last + 1; i > at; --i) {
      if (is_data(text_[i - 1])) continue;
      checked_ = i;
      return false;
    }
    end_ = last + 1;
    while (end_ < text_.size() && is_data(text_[end_])) ++end_;
    return true;
  }

  std::string_view text_;
  std::size_t checked_ = 0;  // a word that begins before this is no data
  std::size_t end_ = 0;      // of the last data found
};

// The joint of two words; its size is 0 if there is none.
struct Joint {
  std::size_t size = 0;
  std::uint8_t level = 0;
};

class Walk {
 public:
  Walk(std::string_view text, TermVisitor visit) : text_(text), data_(text), emitter_(visit) {}

  void run() {
    while ((at_ = skip_ascii_separators(text_, at_)) < text_.size()) {
      if (const std::size_t after = after_escape(text_, at_); after != at_) {
        at_ = after;
      } else if (is_high(text_[at_])) {
        beyond_ascii();
      } else if (data_.holds(at_)) {
        emitter_.skip();
        at_ = data_.end();
      } else {
        const AsciiRun run = read_ascii_run(text_, at_);
        if (!plain_word(run)) word(run);
      }
    }
  }

 private:
  // The common case: an ASCII word without joints that is one term. False, with nothing done,
  // otherwise.
  bool plain_word(const AsciiRun& run) {
    const bool mixed = (run.seen & kDigit) != 0 && run.seen != kDigit;
    if (run.upper_inside || mixed || run.end - at_ > kMaxTermBytes) return false;
    if (run.end < text_.size()) {
      const std::uint8_t next = kind_of(text_[run.end]);
      if ((next & kHigh) != 0) return false;
      // The joiner that ends a sentence joins nothing.
      const std::uint8_t after = run.end + 1 < text_.size() ? kind_of(text_[run.end + 1]) : 0;
      if ((next & kJoiner) != 0 && (after & (kWord | kHigh | kJoiner)) != 0) return false;
    }
    std::string_view word = text_.substr(at_, run.end - at_);
    if ((run.seen & kUpper) != 0) {
      word.copy(lower_, word.size());
      lower_[0] = to_lower(lower_[0]);
      word = {lower_, word.size()};
    }
    emitter_.leaf(word, at_, run.end);
    emitter_.advance();
    at_ = run.end;
    return true;
  }

  // Reads a word and the words joined to it, from at_, and moves at_ to its end. `run` is its
  // beginning.
  void word(AsciiRun run) {
    compound_.clear();
    Joint joint{};
    while (true) {
      read_atom(compound_.add(), joint, run);
      joint = read_joint();
      if (joint.size == 0 || compound_.is_full()) break;
      run = read_ascii_run(text_, at_);
    }
    compound_.emit(text_, emitter_);
  }

  void read_atom(Atom& atom, const Joint& joint, AsciiRun run) {
    atom.begin = atom.end = at_;
    atom.joint = at_ - joint.size;
    atom.joint_size = joint.size;
    atom.level = joint.level;
    atom.seen = 0;
    while (true) {
      atom.seen |= run.seen;
      if (run.end > at_) atom.end = at_ = run.end;
      if (at_ == text_.size() || !is_high(text_[at_])) return;

      const CodePoint point = read_code_point(text_, at_);
      if (!point.is_of_word() && point.letter != Letter::ignorable) return;
      atom.seen |= kHigh;
      if (point.letter == Letter::lower) atom.seen |= kLower;
      if (point.letter == Letter::upper) atom.seen |= kUpper;
      at_ += point.size;
      if (point.letter != Letter::ignorable) atom.end = at_;
      if (begins_data()) return;
      run = read_ascii_run(text_, at_);
    }
  }

  bool begins_data() { return at_ < text_.size() && is_word(text_[at_]) && data_.holds(at_); }

  // The joint at at_, the end of an atom, if another atom follows: at_ then moves to that.
  // Otherwise none.
  Joint read_joint() {
    if (at_ == text_.size()) return {};
    Joint joint{.size = 1, .level = 1};
    switch (text_[at_]) {
      case '/':
      case '\\':
      case '@':
      case '#': break;
      case ':':
        if (text_.substr(at_).starts_with("::")) joint.size = 2;
        break;
      case '-':
      case '+':
      case '\'': joint.level = 2; break;
      case '.': joint.level = 3; break;
      case '_':
        joint.level = 3;
        joint.size = std::min(text_.find_first_not_of('_', at_), text_.size()) - at_;
        break;
      default:
        if (!text_.substr(at_).starts_with("\u2019")) return {};
        joint = {.size = 3, .level = 2};
    }
    if (!begins_word(at_ + joint.size)) return {};
    at_ += joint.size;
    return joint;
  }

  bool begins_word(std::size_t at) {
    if (at >= text_.size()) return false;
    if (is_high(text_[at])) return read_code_point(text_, at).is_of_word();
    return is_word(text_[at]) && !data_.holds(at);
  }

  void beyond_ascii() {
    const CodePoint point = read_code_point(text_, at_);
    if (point.is_of_word()) {
      word({.end = at_});
    } else if (point.letter == Letter::unspaced) {
      unspaced();
    } else {
      if (point.letter == Letter::emoji) {
        emitter_.leaf(text_.substr(at_, point.size), at_, at_ + point.size);
        emitter_.advance();
      }
      at_ += point.size;
    }
  }

  // Reads a run of characters that are words by themselves, each with its marks.
  void unspaced() {
    std::size_t begin = at_;
    std::size_t end = read_unspaced(unit_);
    while (at_ < text_.size()) {
      if (read_code_point(text_, at_).letter != Letter::unspaced) break;
      const std::size_t next = at_;
      const std::size_t next_end = read_unspaced(next_unit_);
      const std::size_t size = unit_.size();
      unit_ += next_unit_;
      emitter_.part(unit_, begin, next_end);
      unit_.resize(size);
      emitter_.leaf(unit_, begin, end);
      emitter_.advance();
      std::swap(unit_, next_unit_);
      begin = next;
      end = next_end;
    }
    emitter_.leaf(unit_, begin, end);
    emitter_.advance();
  }

  // Reads one of them into `folded` and returns its end; at_ may move further, past ignored
  // characters.
  std::size_t read_unspaced(std::string& folded) {
    const std::size_t begin = at_;
    const CodePoint first = read_code_point(text_, at_);
    std::size_t end = at_ += first.size;
    while (at_ < text_.size() && is_high(text_[at_])) {
      const CodePoint point = read_code_point(text_, at_);
      if (point.letter != Letter::mark && point.letter != Letter::ignorable) break;
      at_ += point.size;
      if (point.letter == Letter::mark) end = at_;
    }
    folded.clear();
    const std::string_view source = text_.substr(begin, end - begin);
    if (end == begin + first.size && folds_to_itself(first.value)) {
      folded = source;
    } else {
      append_folded_word(folder_, source, folded);
    }
    return end;
  }

  // The most common scripts without spaces, without a call of utf8proc.
  static bool folds_to_itself(std::int32_t point) {
    return (point >= 0x4E00 && point <= 0x9FFF) || (point >= 0xAC00 && point <= 0xD7A3) ||
           (point >= 0x3041 && point <= 0x3096) || (point >= 0x30A1 && point <= 0x30FA);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  DataFinder data_;
  Emitter emitter_;
  Compound compound_;
  char lower_[kMaxTermBytes];
  Folder folder_;
  std::string unit_, next_unit_;
};

}  // namespace

void each_term(std::string_view text, TermVisitor visit) { Walk(text, visit).run(); }

std::string tool_term(std::string_view name) {
  std::string storage;
  std::size_t repairs = 0;
  std::string term = "tool=";
  const std::size_t prefix = term.size();
  Folder().append(repair_utf8(name, storage, repairs), term);
  for (std::size_t i = prefix; i < term.size(); ++i) {
    const auto c = static_cast<std::uint8_t>(term[i]);
    if (c <= ' ' || c == 0x7F || c == '"' || c == '\'') term[i] = '_';
  }
  term.resize(cut_term(term).size());
  return term;
}

}  // namespace weft::search
