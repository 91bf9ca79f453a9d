#include "weft/store/postings/matching.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/try.hpp"
#include "weft/search/blind.hpp"
#include "weft/search/score.hpp"
#include "weft/search/snippet.hpp"
#include "weft/search/terms.hpp"

namespace weft::store::sql {
namespace {

using search::Word;

// A text that stands in several indexes is one.
std::vector<Posting> merged(std::vector<Posting> a, const std::vector<Posting>& b) {
  if (b.empty()) return a;
  if (a.empty()) return b;
  std::vector<Posting> out;
  out.reserve(a.size() + b.size());
  auto left = a.begin();
  for (const Posting& posting : b) {
    while (left != a.end() && left->document < posting.document) out.push_back(*left++);
    if (left != a.end() && left->document == posting.document) {
      out.push_back({posting.document, left->times + posting.times});
      ++left;
    } else {
      out.push_back(posting);
    }
  }
  out.insert(out.end(), left, a.end());
  return out;
}

std::vector<Document> documents_in(const std::vector<Posting>& postings) {
  std::vector<Document> out;
  out.reserve(postings.size());
  for (const Posting& posting : postings) out.push_back(posting.document);
  return out;
}

std::vector<Document> common(const std::vector<Document>& a, const std::vector<Document>& b) {
  std::vector<Document> out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

// What must be may be part of something larger: create_issue of mcp__github__create_issue. Then its
// parts are there, and its whole is not.
bool is_whole_of_parts(const Word& word, const std::string& term) {
  return word.terms.size() > 1 && &term == &word.terms.front() &&
         term.find(word.terms[1]) != std::string::npos;
}

// Stop words of a phrase are in no sealed index.
bool is_stop_word(const std::string& leaf) {
  bool stop = false;
  const auto take = [&stop](const search::Term& term) { stop = stop || term.is_stop; };
  search::each_term(leaf, take);
  return stop;
}

}  // namespace

Scores ScorePool::take(std::size_t documents) {
  Scores scores;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      scores = std::move(free_.back());
      free_.pop_back();
    }
  }
  scores.of.resize(std::max(documents, scores.of.size()));
  return scores;
}

void ScorePool::give_back(Scores scores) {
  for (const Document document : scores.touched) scores.of[document] = 0;
  scores.touched.clear();
  const std::lock_guard lock(mutex_);
  if (free_.size() < kKept) free_.push_back(std::move(scores));
}

bool Matching::has_sealed() const {
  return std::ranges::any_of(kIndexes, [this](Index index) {
    return index != Index::clear && reaches(index) && documents_.has_any(index);
  });
}

Result<std::vector<Posting>> Matching::find_sealed(Index index, const std::string& term) const {
  std::vector<Posting> found;
  for (const crypto::LayerKey* key : keys_[static_cast<std::size_t>(index)]) {
    const search::BlindTerm blind = search::blind(*key, term);
    WEFT_TRY_VALUE(
        const auto under_key,
        postings_.find_postings(index, {.terms = {std::string(search::text_of(blind))}}));
    found = merged(std::move(found), under_key);
  }
  return found;
}

Result<std::vector<Posting>> Matching::find_term(const std::string& term) const {
  Result<std::vector<Posting>> found = postings_.find_postings(Index::clear, {.terms = {term}});
  for (const Index index : {Index::metadata, Index::content}) {
    if (!found || !reaches(index) || !documents_.has_any(index)) continue;
    Result<std::vector<Posting>> sealed = find_sealed(index, term);
    if (!sealed) return sealed;
    found = merged(*std::move(found), *sealed);
  }
  return found;
}

// What has all the words of the phrase is opened and read.
Result<std::vector<Posting>> Matching::find_sealed_phrase(const std::vector<std::string>& leaves,
                                                          Index index) const {
  std::optional<std::vector<Document>> candidates;
  for (const std::string& leaf : leaves) {
    if (is_stop_word(leaf)) continue;
    Result<std::vector<Posting>> found = find_sealed(index, leaf);
    if (!found) return found;
    std::vector<Document> documents = documents_in(*found);
    candidates = candidates ? common(*candidates, documents) : std::move(documents);
    if (candidates->empty()) break;
  }
  std::vector<Posting> out;
  if (!candidates) return out;
  for (const Document document : *candidates) {
    WEFT_TRY_VALUE(auto text, read_(document));
    const std::size_t times =
        search::count_phrase(index == Index::metadata ? text.metadata : text.content, leaves);
    if (times > 0) out.push_back({document, static_cast<std::uint32_t>(times)});
  }
  return out;
}

Result<std::vector<Posting>> Matching::find_phrase(const std::vector<std::string>& leaves) {
  Result<std::vector<Posting>> found = postings_.find_postings(Index::clear, {.terms = leaves});
  if (!found || !has_sealed()) return found;
  if (std::ranges::all_of(leaves, is_stop_word)) {
    unsearched_.by_stop_phrase = true;
    return found;
  }
  for (const Index index : {Index::metadata, Index::content}) {
    if (!reaches(index) || !documents_.has_any(index)) continue;
    Result<std::vector<Posting>> sealed = find_sealed_phrase(leaves, index);
    if (!sealed) return sealed;
    found = merged(*std::move(found), *sealed);
  }
  return found;
}

double Matching::score(const std::vector<Posting>& postings) {
  if (postings.empty()) return 0;
  const double worth = search::idf(statistics_.texts, static_cast<double>(postings.size()));
  for (const Posting& posting : postings) {
    double& score = scores_.of[posting.document];
    if (score == 0) scores_.touched.push_back(posting.document);
    score +=
        worth * search::share(posting.times, lengths_.of[posting.document], statistics_.average);
  }
  return worth;
}

Status Matching::take(const Word& word, double& weight) {
  std::optional<std::vector<Document>> having;  // all its terms
  bool is_needed = true;
  const auto count = [&](Result<std::vector<Posting>> found) -> Status {
    if (!found) return fail(std::move(found).error());
    // A document that the index has and the store has not: the index is damaged.
    if (!found->empty() && found->back().document >= documents_.size()) {
      return fail(ErrorCode::corrupt, "the search index is damaged; rebuild it with weft reindex");
    }
    const auto late = std::ranges::upper_bound(*found, statistics_.last, {}, &Posting::document);
    found->erase(late, found->end());
    if (word.need != Word::Need::not_) weight = std::max(weight, score(*found));
    if (word.need == Word::Need::any || !is_needed) return {};
    std::vector<Document> documents = documents_in(*found);
    having = having ? common(*having, documents) : std::move(documents);
    return {};
  };
  if (word.kind == Word::Kind::word) {
    for (const std::string& term : word.terms) {
      is_needed = word.need != Word::Need::must || !is_whole_of_parts(word, term);
      WEFT_TRY(count(find_term(term)));
    }
  } else if (word.kind == Word::Kind::phrase) {
    WEFT_TRY(count(find_phrase(word.terms)));
  } else {
    unsearched_.by_prefix = unsearched_.by_prefix || has_sealed();
    WEFT_TRY(
        count(postings_.find_postings(Index::clear, {.terms = word.terms, .is_prefix = true})));
  }
  if (!having) return {};
  if (word.need == Word::Need::must) {
    must_ = has_must_ ? common(must_, *having) : *std::move(having);
    has_must_ = true;
  } else {
    not_.resize(documents_.size());
    for (const Document document : *having) not_[document] = true;
  }
  return {};
}

// How rare a word is shows in its whole; a whole that nobody wrote, in its rarest part.
Status Matching::keep_rarest(const std::vector<Word>& words, std::vector<bool>& is_left_out) const {
  struct Rarity {
    std::size_t word, documents;
  };
  std::vector<Rarity> rarities;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].kind != Word::Kind::word || words[i].need != Word::Need::any) continue;
    std::size_t least = 0;
    for (const std::string& term : words[i].terms) {
      WEFT_TRY_VALUE(auto found, find_term(term));
      if (found.empty()) continue;
      const bool is_whole = &term == &words[i].terms.front();
      least = least == 0 ? found.size() : std::min(least, found.size());
      if (is_whole) break;
    }
    is_left_out[i] = true;
    if (least > 0) rarities.push_back({i, least});
  }
  std::ranges::stable_sort(rarities, {}, &Rarity::documents);
  for (std::size_t i = 0; i < std::min(rarities.size(), kMaxWords); ++i) {
    is_left_out[rarities[i].word] = false;
  }
  return {};
}

Status Matching::run(const std::vector<Word>& words) {
  weights_.assign(words.size(), 0);
  std::vector<bool> is_left_out(words.size());
  const auto is_plain = [](const Word& word) {
    return word.kind == Word::Kind::word && word.need == Word::Need::any;
  };
  if (static_cast<std::size_t>(std::ranges::count_if(words, is_plain)) > kMaxWords) {
    WEFT_TRY(keep_rarest(words, is_left_out));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    has_words_ = has_words_ || words[i].need != Word::Need::not_;
    if (is_left_out[i]) continue;
    WEFT_TRY(take(words[i], weights_[i]));
  }
  return {};
}

std::vector<Document> Matching::matches() const {
  std::vector<Document> out = has_must_ ? must_ : scores_.touched;
  leave_out(out);
  return out;
}

void Matching::leave_out(std::vector<Document>& documents) const {
  if (not_.empty()) return;
  std::erase_if(documents, [this](Document document) { return not_[document]; });
}

Result<std::vector<Document>> Matching::of_tool(std::string_view name) const {
  WEFT_TRY_VALUE(auto found, find_term(search::tool_term(name)));
  return documents_in(found);
}

}  // namespace weft::store::sql
