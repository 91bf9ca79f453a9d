#include "weft/query/search/similar_query.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"

namespace weft::query {
namespace {

using search::Word;

constexpr std::size_t kShortest = 4;      // in letters: shorter words resemble too many others
constexpr std::size_t kTwoEditsFrom = 8;  // two edits of a shorter word make another one

bool has_digit(std::string_view term) {
  return std::ranges::any_of(term, [](char c) { return c >= '0' && c <= '9'; });
}

// What is typed with digits is a number or a hash: nothing near it is meant.
bool can_be_replaced(const Word& word) {
  return word.kind == Word::Kind::word && word.need != Word::Need::not_ && !word.terms.empty() &&
         !has_digit(word.terms.front()) && count_code_points(word.terms.front()) >= kShortest;
}

// A query in which words are replaced as soon as they have a similar one that exists.
class Replacing {
 public:
  Replacing(const Library& library, const store::SearchRequest& request)
      : library_(library), request_(request) {
    request_.limit = 1;
    request_.offset = 0;
    request_.as_of.reset();
  }

  // Which words are to be replaced: those that no thought has.
  Status begin() {
    WEFT_TRY_VALUE(const auto answer, library_.web.search(request_));
    const std::vector<Word>& words = request_.query.words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool is_missing = i >= answer.weights.size() || answer.weights[i] == 0;
      if (is_missing && can_be_replaced(words[i])) missing_.push_back(i);
    }
    return {};
  }

  // By the beginning of the word, without its last `cut` letters.
  Status try_beginning(std::size_t cut) {
    return try_each([&](const Word& word) -> Result<std::optional<Word>> {
      const std::string& whole = word.terms.front();
      const std::size_t length = count_code_points(whole);
      if (length <= kShortest) return std::nullopt;
      const std::size_t kept = std::max(kShortest, length - std::min(cut, length));
      Word other = word;
      other.kind = Word::Kind::prefix;
      other.terms = {std::string(slice_code_points(whole, 0, kept))};
      return other;
    });
  }

  // By the nearest term.
  Status try_near() {
    return try_each([&](const Word& word) -> Result<std::optional<Word>> {
      if (word.terms.size() > 1) return std::nullopt;
      const std::string& typed = word.terms.front();
      const std::size_t edits = count_code_points(typed) >= kTwoEditsFrom ? 2 : 1;
      WEFT_TRY_VALUE(const auto near, library_.web.near_terms(typed, edits));
      if (near.empty()) return std::nullopt;
      Word other = word;
      other.terms = {near.front().text};
      return other;
    });
  }

  std::optional<search::Query> take() && {
    if (!has_replaced_) return std::nullopt;
    return std::move(request_.query);
  }

 private:
  using Replace = std::function<Result<std::optional<Word>>(const Word&)>;

  // Keeps what replaces a missing word if some thought has it.
  Status try_each(const Replace& replace) {
    store::SearchRequest trial = request_;
    std::vector<std::size_t> tried;
    for (const std::size_t i : missing_) {
      WEFT_TRY_VALUE(auto other, replace(request_.query.words[i]));
      if (!other) continue;
      trial.query.words[i] = *std::move(other);
      tried.push_back(i);
    }
    if (tried.empty()) return {};
    WEFT_TRY_VALUE(const auto answer, library_.web.search(trial));
    for (const std::size_t i : tried) {
      if (i >= answer.weights.size() || answer.weights[i] == 0) continue;
      request_.query.words[i] = trial.query.words[i];
      std::erase(missing_, i);
      has_replaced_ = true;
    }
    return {};
  }

  const Library& library_;
  store::SearchRequest request_;
  std::vector<std::size_t> missing_;  // indexes of words
  bool has_replaced_ = false;
};

}  // namespace

Result<std::optional<search::Query>> similar_query(const Library& library,
                                                   const store::SearchRequest& request) {
  Replacing replacing(library, request);
  WEFT_TRY(replacing.begin());
  WEFT_TRY(replacing.try_beginning(1));
  WEFT_TRY(replacing.try_beginning(2));
  WEFT_TRY(replacing.try_near());
  WEFT_TRY(replacing.try_beginning(3));
  return std::move(replacing).take();
}

std::string to_words(const search::Query& query) {
  std::string out;
  for (const Word& word : query.words) {
    if (word.terms.empty()) continue;
    if (!out.empty()) out += ' ';
    if (word.need != Word::Need::any) out += word.need == Word::Need::must ? '+' : '-';
    if (word.kind == Word::Kind::phrase) {
      out += '"';
      for (const std::string& term : word.terms) {
        out += (&term == word.terms.data() ? "" : " ") + term;
      }
      out += '"';
    } else {
      out += word.terms.front() + (word.kind == Word::Kind::prefix ? "*" : "");
    }
  }
  return out;
}

}  // namespace weft::query
