#include <limits>
#include <set>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/search/search_cursor.hpp"
#include "weft/query/search/search_results.hpp"
#include "weft/query/search/search_scope.hpp"
#include "weft/query/search/similar_query.hpp"

namespace weft::query {
namespace {

std::string_view note_on_keys(const crypto::Keyring* keyring) {
  if (keyring == nullptr) {
    return "Sealed text was not searched: there is no keyring. The owner's keyring opens it, or "
           "one made by weft keys export --layer content.";
  }
  if (keyring->keys_of(crypto::Layer::content).empty()) {
    return "Not all sealed text was searched: this keyring opens only the metadata layer. The "
           "owner's keyring opens the rest, or one made by weft keys export --layer content.";
  }
  return "Not all sealed text was searched: some is sealed with keys that this keyring does not "
         "have; weft keys add adds one that somebody exported.";
}

// A sentence for each reason why something was not searched.
void add_notes(json::object& document, const store::Unsearched& unsearched,
               const SearchScope& scope, const crypto::Keyring* keyring) {
  json::array notes;
  if (unsearched.without_key) notes.emplace_back(note_on_keys(keyring));
  if (unsearched.before_key) {
    notes.emplace_back(
        "Some sealed text was not searched: it was stored before the keyring had its key. weft "
        "reindex makes it searchable.");
  }
  if (unsearched.by_prefix) {
    notes.emplace_back(
        "Sealed text was not searched for words that end in *: only whole words can be found "
        "there.");
  }
  if (unsearched.by_stop_phrase) {
    notes.emplace_back(
        "Sealed text was not searched for a phrase of very common words only: add a rarer one.");
  }
  if (scope.has_sealed_projects) {
    notes.emplace_back(
        "Some conversations were left out: this keyring does not open the name of their project.");
  }
  if (!notes.empty()) document["sealed_not_searched"] = true;
  const bool lacks_keys = unsearched.without_key || unsearched.before_key;
  if (lacks_keys && unsearched.sealed_thoughts) {
    const std::uint64_t left_out = *unsearched.sealed_thoughts;
    document["not_searched"] = left_out;
    notes.emplace_back("Left out for that: sealed text of " + std::to_string(left_out) +
                       (left_out == 1 ? " thought." : " thoughts."));
  }
  const std::vector<std::string>& on_query = scope.query.notes;
  notes.insert(notes.begin(), on_query.begin(), on_query.end());
  if (unsearched.not_indexed) {
    notes.emplace_back("The index is incomplete: run weft reindex.");
  }
  if (!notes.empty()) document["notes"] = std::move(notes);
}

// The thought was forgotten just now, or is a result already.
template <class Hit>
Status add_result(SearchResults& builder, const Hit& hit, json::array& results) {
  Result<json::object> result = builder.build(hit);
  if (result) {
    results.push_back(*std::move(result));
  } else if (result.error().code != ErrorCode::not_found) {
    return fail(std::move(result).error());
  }
  return {};
}

using Asked = std::pair<SearchOptions, SearchScope>;
Result<Asked> read_question(const Library& library, const SearchOptions& question) {
  SearchOptions options = question;
  std::string repaired;
  std::size_t repairs = 0;
  options.query = std::string(repair_utf8(question.query, repaired, repairs));
  WEFT_TRY_VALUE(auto scope, scope_of(library, options));
  return Asked{std::move(options), std::move(scope)};
}

store::SearchRequest to_request(const Library& library, const Asked& question) {
  return {.query = question.second.query,
          .keyring = library.keyring,
          .conversations = question.second.conversations,
          .limit = question.first.limit,
          .offset = question.first.offset};
}

// Where the next page begins, if there is one.
void add_cursor(json::object& document, const Asked& question, const store::SearchRequest& request,
                const store::IndexPoint& searched, std::size_t shown, bool has_more) {
  if (!has_more || shown == 0) return;
  const search::Filters& filters = question.second.query.filters;
  const bool has_times = filters.since || filters.until;
  document["next_cursor"] = to_cursor({.offset = request.offset + shown,
                                       .asked_at = has_times ? question.first.clock.now : 0,
                                       .as_of = request.as_of.value_or(searched)},
                                      question.first);
}

// The page that the cursor names.
Status apply_cursor(const SearchOptions& options, store::SearchRequest& request) {
  if (options.cursor.empty()) return {};
  WEFT_TRY_VALUE(auto cursor, parse_cursor(options.cursor, options));
  request.offset = cursor.offset;
  request.as_of = cursor.as_of;
  return {};
}

template <class Found>
json::object to_document(const Library& library, const Asked& question, const Found& found,
                         std::uint64_t total, json::array results) {
  json::object document{
      {"query", question.first.query}, {"total", total}, {"results", std::move(results)}};
  add_notes(document, found.unsearched, question.second, library.keyring);
  return document;
}

// The store counts a command (exchanges.hpp) as a person's text: hits in one exchange are joined
// into one result, the best. The total is exact only for the hits that were examined.
class TurnSearch {
 public:
  TurnSearch(const Library& library, const Asked& question)
      : library_(library), question_(question) {}

  Result<json::object> answer() {
    const SearchOptions& options = question_.first;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t wanted =
        options.limit > kMost - options.offset ? kMost : options.limit + options.offset;
    store::SearchRequest request = to_request(library_, question_);
    request.offset = 0;
    for (request.limit = wanted;; request.limit *= 2) {
      store::TurnAnswer found;
      if (!question_.second.is_empty) {
        WEFT_TRY_VALUE(auto answered, library_.web.search_turns(request));
        found = std::move(answered);
      }
      WEFT_TRY_VALUE(auto page, build_page(found));
      const bool is_all = found.found.size() >= found.total || request.limit > kMost / 2;
      if (page.places < wanted && !is_all) continue;
      return to_document(library_, question_, found, found.total - page.doubles,
                         std::move(page.results));
    }
  }

 private:
  struct Page {
    json::array results{};
    std::uint64_t places = 0, doubles = 0;
  };

  Result<Page> build_page(const store::TurnAnswer& found) const {
    const SearchOptions& options = question_.first;
    SearchResults builder(library_, question_.second, found.weights);
    std::set<SearchResults::Place> seen;
    Page page;
    for (const store::FoundTurn& hit : found.found) {
      Result<SearchResults::Place> place = builder.place_of(hit);
      if (!place && place.error().code == ErrorCode::not_found) continue;
      if (!place) return fail(std::move(place).error());
      if (!seen.insert(*place).second) {
        ++page.doubles;
        continue;
      }
      if (page.places++ < options.offset || page.results.size() >= options.limit) continue;
      WEFT_TRY(add_result(builder, hit, page.results));
    }
    return page;
  }

  const Library& library_;
  const Asked& question_;
};

// One result for each conversation.
Result<json::object> search_sessions(const Library& library, const Asked& question,
                                     const store::SearchRequest& request) {
  store::SessionAnswer found;
  if (!question.second.is_empty) {
    WEFT_TRY_VALUE(found, library.web.search_sessions(request));
  }
  SearchResults builder(library, question.second, found.weights);
  json::array results;
  for (const store::FoundSession& hit : found.found) {
    WEFT_TRY(add_result(builder, hit, results));
  }
  json::object document = to_document(library, question, found, found.total, std::move(results));
  add_cursor(document, question, request, found.as_of, found.found.size(), found.has_more);
  return document;
}

// Adds what similar words find to an answer that has nothing.
Status add_suggested(const Library& library, const Asked& question, json::object& document) {
  if (question.second.is_empty) return {};
  store::SearchRequest request = to_request(library, question);
  request.offset = 0;
  WEFT_TRY_VALUE(auto query, similar_query(library, request));
  if (!query) return {};
  Asked similar = question;
  similar.second.query = *std::move(query);
  request.query = similar.second.query;
  WEFT_TRY_VALUE(const auto found, library.web.search(request));
  if (found.total == 0) return {};
  SearchResults builder(library, similar.second, found.weights);
  json::array results;
  for (const store::Found& hit : found.found) {
    WEFT_TRY(add_result(builder, hit, results));
  }
  document["suggested"] = json::object{{"query", to_words(similar.second.query)},
                                       {"total", found.total},
                                       {"results", std::move(results)}};
  return {};
}

}  // namespace

Result<json::object> search(const Library& library, const SearchOptions& options) {
  WEFT_TRY_VALUE(auto question, read_question(library, options));
  store::SearchRequest request = to_request(library, question);
  WEFT_TRY(apply_cursor(question.first, request));
  if (options.group == SearchGroup::session) {
    WEFT_TRY_VALUE(auto grouped, search_sessions(library, question, request));
    if (count_or_zero(grouped, "total") == 0) {
      WEFT_TRY(add_suggested(library, question, grouped));
    }
    return grouped;
  }
  store::SearchAnswer found;
  if (!question.second.is_empty) {
    WEFT_TRY_VALUE(found, library.web.search(request));
  }
  SearchResults builder(library, question.second, found.weights);
  json::array results;
  for (const store::Found& hit : found.found) {
    WEFT_TRY(add_result(builder, hit, results));
  }
  json::object document = to_document(library, question, found, found.total, std::move(results));
  const std::size_t shown = found.found.size();
  add_cursor(document, question, request, found.as_of, shown, request.offset + shown < found.total);
  if (found.total == 0) WEFT_TRY(add_suggested(library, question, document));
  return document;
}

Result<json::object> search_turns(const Library& library, const SearchOptions& options) {
  WEFT_TRY_VALUE(auto question, read_question(library, options));
  return TurnSearch(library, question).answer();
}

}  // namespace weft::query
