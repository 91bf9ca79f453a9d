// BM25 as one would write it on a napkin: every document, every word, every term, looked at one by
// one. What the store answers is held against it.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/search/query.hpp"
#include "weft/search/terms.hpp"

namespace weft::store {

enum class SlowKeys { none, metadata, content };

// A text as its terms, by position.
using SlowText = std::vector<std::vector<std::string>>;

inline SlowText slow_text(std::string_view text) {
  SlowText out;
  const auto take = [&out](const search::Term& term) {
    out.resize(term.position + 1);
    out.back().emplace_back(term.text);
  };
  search::each_term(text, take);
  return out;
}

inline double slow_length(std::string_view text) {
  double length = 0;
  const auto take = [&length](const search::Term& term) { length += term.is_stop ? 0 : 1; };
  search::each_term(text, take);
  return length;
}

// A block as whoever wrote the test knows it. Texts: clear, metadata, content.
struct SlowDocument {
  Cid cid{};
  std::string type{}, role{}, tool{};
  Cid conversation{};
  Millis time = 0;
  int order = 0;  // in which it was stored
  std::vector<SlowText> texts{3};
  std::vector<double> lengths{0, 0, 0};

  void says(std::size_t layer, std::string_view text) {
    texts[layer] = slow_text(text);
    lengths[layer] = slow_length(text);
  }
};

class SlowSearch {
 public:
  std::vector<SlowDocument> documents;

  struct Match {
    Cid cid;
    double score = 0;
    Millis time = 0;
    int order = 0;
  };

  std::vector<Match> search(const search::Query& query, SlowKeys keys,
                            const std::optional<std::vector<Cid>>& conversations) const {
    using Need = search::Word::Need;
    const std::size_t layers = static_cast<std::size_t>(keys) + 1;
    double texts = 0, sum = 0;
    for (const SlowDocument& document : documents) {
      texts += length_of(document, layers) > 0 ? 1 : 0;
      sum += length_of(document, layers);
    }
    std::vector<Match> found;
    std::vector<bool> is_out(documents.size()), has_any(documents.size());
    bool has_positive = false, has_must = false;
    for (const SlowDocument& document : documents) {
      found.push_back({document.cid, 0, document.time, document.order});
    }
    for (const search::Word& word : query.words) {
      std::vector<bool> has_all(documents.size(), true);
      for (const std::vector<std::string>& unit : units(word)) {
        std::vector<double> tf;
        for (const SlowDocument& document : documents) {
          tf.push_back(times(word, unit, document, layers));
        }
        const auto df = static_cast<double>(documents.size()) -
                        static_cast<double>(std::ranges::count(tf, 0.0));
        const double idf = std::log(1 + (texts - df + 0.5) / (df + 0.5));
        for (std::size_t i = 0; i < documents.size(); ++i) {
          if (tf[i] == 0 && !is_whole(word, unit[0])) has_all[i] = false;
          if (tf[i] == 0 || word.need == Need::not_) continue;
          const double dl = length_of(documents[i], layers) / (sum / texts);
          found[i].score += idf * tf[i] / (tf[i] + 1.5 * (1 - 0.75 + 0.75 * dl));
          has_any[i] = true;
        }
      }
      has_positive = has_positive || word.need != Need::not_;
      has_must = has_must || word.need == Need::must;
      for (std::size_t i = 0; i < documents.size(); ++i) {
        if (word.need == Need::must && !has_all[i]) is_out[i] = true;
        if (word.need == Need::not_ && has_all[i]) is_out[i] = true;
      }
    }
    const bool has_filters = !query.filters.empty() || conversations;
    std::vector<Match> out;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const bool matches = has_positive ? has_any[i] || has_must : has_filters;
      if (!matches || is_out[i] || !passes(documents[i], query.filters, conversations)) continue;
      out.push_back(found[i]);
    }
    std::ranges::sort(out, [](const Match& a, const Match& b) {
      if (std::abs(a.score - b.score) > 1e-9) return a.score > b.score;
      return std::pair(a.time, a.order) > std::pair(b.time, b.order);
    });
    return out;
  }

 private:
  // What is counted by itself: each term of a word, a phrase as a whole.
  static std::vector<std::vector<std::string>> units(const search::Word& word) {
    if (word.kind == search::Word::Kind::phrase) return {word.terms};
    std::vector<std::vector<std::string>> out;
    for (const std::string& term : word.terms) out.push_back({term});
    return out;
  }

  // What must be may be part of something larger.
  static bool is_whole(const search::Word& word, const std::string& term) {
    return word.need == search::Word::Need::must && word.kind == search::Word::Kind::word &&
           word.terms.size() > 1 && term == word.terms[0] && term.contains(word.terms[1]);
  }

  static double length_of(const SlowDocument& document, std::size_t layers) {
    double length = 0;
    for (std::size_t i = 0; i < layers; ++i) length += document.lengths[i];
    return std::min(length, 65535.0);
  }

  static double times(const search::Word& word, const std::vector<std::string>& unit,
                      const SlowDocument& document, std::size_t layers) {
    const bool is_prefix = word.kind == search::Word::Kind::prefix;
    const bool is_stop_phrase =
        word.kind == search::Word::Kind::phrase &&
        std::ranges::all_of(unit, [](const std::string& term) { return slow_length(term) == 0; });
    double count = 0;
    // Neither reaches sealed text.
    for (std::size_t layer = 0; layer < (is_prefix || is_stop_phrase ? 1 : layers); ++layer) {
      const SlowText& text = document.texts[layer];
      for (std::size_t at = 0; at < text.size(); ++at) {
        bool stands = at + unit.size() <= text.size();
        for (std::size_t i = 0; stands && i < unit.size(); ++i) {
          stands = std::ranges::any_of(text[at + i], [&](const std::string& term) {
            return is_prefix ? term.starts_with(unit[i]) : term == unit[i];
          });
        }
        count += stands ? 1 : 0;
      }
    }
    return count;
  }

  static bool passes(const SlowDocument& document, const search::Filters& filters,
                     const std::optional<std::vector<Cid>>& conversations) {
    const auto is_among = [](const auto& wanted, const auto&... values) {
      return ((std::ranges::find(wanted, values) != wanted.end()) || ...);
    };
    const std::string kind = document.type.substr(document.type.find('/') + 1);
    return (!conversations || is_among(*conversations, document.conversation)) &&
           (filters.types.empty() || is_among(filters.types, document.type, kind)) &&
           (filters.roles.empty() || is_among(filters.roles, document.role)) &&
           (filters.tools.empty() || is_among(filters.tools, document.tool)) &&
           (!filters.since || document.time >= *filters.since) &&
           (!filters.until || document.time <= *filters.until);
  }
};

}  // namespace weft::store
