#include "weft/search/matches.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "weft/search/letters.hpp"
#include "weft/search/phrase.hpp"
#include "weft/search/terms.hpp"

namespace weft::search {
namespace {

std::vector<std::size_t> sought_words(const Query& query, const std::vector<double>& weights) {
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < query.words.size(); ++i) {
    const Word& word = query.words[i];
    if (word.need != Word::Need::not_ && !word.terms.empty()) words.push_back(i);
  }
  if (words.size() > kMaxSoughtWords) {
    std::ranges::sort(words, {}, [&](std::size_t i) { return std::pair(-weights[i], i); });
    words.resize(kMaxSoughtWords);
  }
  return words;
}

class Matcher {
 public:
  Matcher(const Query& query, const std::vector<double>& weights,
          const std::function<void(const Match&)>& found)
      : found_(found) {
    for (const std::size_t i : sought_words(query, weights)) {
      const Word& word = query.words[i];
      switch (word.kind) {
        case Word::Kind::word:
          for (const std::string& term : word.terms) add(words_, term, i);
          break;
        case Word::Kind::prefix: add(prefixes_, word.terms.front(), i); break;
        case Word::Kind::phrase:
          phrases_.push_back({.word = i, .finder = {word.terms, Overlap::no}});
          break;
      }
    }
    for (const auto& [prefix, words] : prefixes_) prefix_sizes_.push_back(prefix.size());
    std::ranges::sort(prefix_sizes_);
    const auto same = std::ranges::unique(prefix_sizes_);
    prefix_sizes_.erase(same.begin(), same.end());
  }

  bool is_idle() const { return words_.empty() && prefixes_.empty() && phrases_.empty(); }

  // Reads the terms of a text in order; then flush().
  void take(const Term& term) {
    if (term.position != position_) flush();
    position_ = term.position;
    for (Phrase& phrase : phrases_) {
      if (const auto begin = phrase.finder.take(term)) {
        found_({.begin = *begin, .end = term.end, .word = phrase.word});
      }
    }
    if (!initials_[static_cast<std::uint8_t>(term.text.front())]) return;
    if (const auto place = words_.find(term.text); place != words_.end()) {
      for (const std::size_t word : place->second) keep(term, word, Prefer::longest);
    }
    for (const std::size_t size : prefix_sizes_) {
      if (size > term.text.size()) break;
      const auto place = prefixes_.find(term.text.substr(0, size));
      if (place == prefixes_.end()) continue;
      for (const std::size_t word : place->second) keep(term, word, Prefer::shortest);
    }
  }

  void flush() {
    for (const Match& match : here_) found_(match);
    here_.clear();
  }

 private:
  enum class Prefer { longest, shortest };
  struct Phrase {
    std::size_t word;
    PhraseFinder finder;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  // The words that a term belongs to.
  using Words = std::unordered_map<std::string, std::vector<std::size_t>, Hash, std::equal_to<>>;

  void add(Words& words, const std::string& term, std::size_t word) {
    words[term].push_back(word);
    initials_[static_cast<std::uint8_t>(term.front())] = true;
  }

  void keep(const Term& term, std::size_t word, Prefer prefer) {
    const auto place = std::ranges::find(here_, word, &Match::word);
    if (place == here_.end()) {
      here_.push_back({.begin = term.begin, .end = term.end, .word = word});
      return;
    }
    const bool longer = term.end - term.begin > place->end - place->begin;
    if (longer != (prefer == Prefer::longest)) return;
    place->begin = term.begin;
    place->end = term.end;
  }

  const std::function<void(const Match&)>& found_;
  Words words_, prefixes_;
  std::vector<std::size_t> prefix_sizes_;  // each once, the smallest first
  std::vector<Phrase> phrases_;
  std::array<bool, 256> initials_{};  // bytes that words and prefixes begin with
  std::uint32_t position_ = 0;
  std::vector<Match> here_;  // at this position, one for each word
};

// The end of a piece of the text from `begin` that cuts no word: after a blank about `size` bytes
// further.
std::size_t end_of_piece(std::string_view text, std::size_t begin, std::size_t size) {
  if (text.size() - begin <= size) return text.size();
  const std::size_t blank = text.find_first_of(" \t\r\n", begin + size);
  return blank == std::string_view::npos ? text.size() : blank + 1;
}

}  // namespace

void find_matches(std::string_view text, const Query& query, const std::vector<double>& weights,
                  const std::function<void(const Match&)>& found) {
  constexpr std::size_t kPiece = 1 << 20;
  std::size_t stop = text.size();  // once something is found, sooner
  bool any = false;
  std::size_t begin = 0;
  const std::function<void(const Match&)> note = [&](const Match& match) {
    if (!any) stop = std::min(text.size() - match.begin, kMaxBytesFromFirstMatch) + match.begin;
    any = true;
    found(match);
  };
  Matcher matcher(query, weights, note);
  if (matcher.is_idle()) return;

  // In pieces, so that it can stop between them; positions and offsets count through all of them.
  std::uint32_t position = 0;
  while (begin < stop) {
    const std::size_t end = end_of_piece(text, begin, kPiece);
    const std::uint32_t first = position;
    auto visit = [&](Term term) {
      term.begin += begin;
      term.end += begin;
      term.position += first;
      position = term.position + 1;
      matcher.take(term);
    };
    each_term(text.substr(begin, end - begin), visit);
    begin = end;
  }
  matcher.flush();
}

}  // namespace weft::search
