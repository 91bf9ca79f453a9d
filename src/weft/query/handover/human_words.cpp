#include "weft/query/handover/human_words.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "weft/query/sessions/exchanges.hpp"

namespace weft::query {
namespace {

// A task says what is to be done: it takes a few words.
constexpr std::size_t kMostAssentWords = 4;
// The words that decide stand at the beginning.
constexpr std::size_t kDecidingWords = 4;

constexpr std::array<std::string_view, 34> kAssents = {
    "yes",    "y",      "ok",     "okay",  "sure",    "go",     "on",   "ahead", "continue",
    "please", "thanks", "thank",  "you",   "good",    "great",  "fine", "do",    "it",
    "that",   "yep",    "yeah",   "right", "proceed", "resume", "next", "done",  "perfect",
    "nice",   "ja",     "weiter", "genau", "gut",     "danke",  "bitte"};
constexpr std::array<std::string_view, 22> kCorrections = {
    "no",     "not",    "don't", "dont",   "never",    "stop",  "wait", "instead",
    "rather", "wrong",  "undo",  "revert", "actually", "use",   "keep", "leave",
    "prefer", "always", "nein",  "nicht",  "statt",    "lieber"};

// The words in lower case, without what stands around them.
std::vector<std::string> words_of(std::string_view text, std::size_t most) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    while (!word.empty() && word.back() == '\'') word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool is_letter = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ||
                           static_cast<unsigned char>(lower) >= 0x80 ||
                           (lower == '\'' && !word.empty());
    if (is_letter) word += lower;
    else end_word();
    if (words.size() >= most) return words;
  }
  end_word();
  return words;
}

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace

bool is_task(std::string_view words) {
  if (is_command(words)) return false;
  const std::vector<std::string> all = words_of(words, kMostAssentWords + 1);
  if (all.empty()) return false;
  if (all.size() > kMostAssentWords) return true;
  return !std::ranges::all_of(all,
                              [](const std::string& word) { return is_among(kAssents, word); });
}

bool is_decision(std::string_view words) {
  if (is_command(words)) return false;
  const std::vector<std::string> first = words_of(words, kDecidingWords);
  return std::ranges::any_of(first,
                             [](const std::string& word) { return is_among(kCorrections, word); });
}

}  // namespace weft::query
