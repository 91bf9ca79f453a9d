#include "weft/base/utf8.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/search_results.hpp"
#include "weft/query/search_scope.hpp"

namespace weft::query {
namespace {

std::string_view note_on_keys(const crypto::Keyring* keyring) {
  if (keyring == nullptr) {
    return "Sealed text was not searched: there is no keyring here. The owner's opens it, and so "
           "does one that weft keys export --layer content makes.";
  }
  if (keyring->layer(crypto::Layer::content) == nullptr) {
    return "Not all sealed text was searched: this keyring opens the metadata layer alone. The "
           "owner's opens the rest, and so does one that weft keys export --layer content makes.";
  }
  return "Not all sealed text was searched: some is sealed with other keys than this keyring's.";
}

// What was left out, a sentence for each reason.
void add_notes(json::object& document, const store::Unsearched& unsearched,
               const SearchScope& scope, const crypto::Keyring* keyring) {
  json::array notes;
  if (unsearched.without_key) notes.emplace_back(note_on_keys(keyring));
  if (unsearched.by_prefix) {
    notes.emplace_back(
        "Sealed text was not searched for what ends in *: only whole words are found there.");
  }
  if (unsearched.by_stop_phrase) {
    notes.emplace_back(
        "Sealed text was not searched for a phrase of nothing but very common words: give it a "
        "rarer one.");
  }
  if (scope.has_sealed_projects) {
    notes.emplace_back(
        "Of some conversations the keys at hand do not tell the project: they were left out.");
  }
  if (!notes.empty()) document["sealed_not_searched"] = true;
  if (unsearched.not_indexed) {
    notes.emplace_back("Not all that was taken in is in the index: weft reindex puts it there.");
  }
  if (!notes.empty()) document["notes"] = std::move(notes);
}

// `ask` puts the question to the store, by blocks or by turns.
template <class Ask>
Result<json::object> answer(const Library& library, const SearchOptions& asked, const Ask& ask) {
  SearchOptions options = asked;
  std::string repaired;
  std::size_t repairs = 0;
  options.query = std::string(repair_utf8(asked.query, repaired, repairs));
  Result<SearchScope> scope = scope_of(library, options);
  if (!scope) return fail(std::move(scope).error());
  auto found = decltype(ask(store::SearchRequest{}))();
  if (!scope->is_empty) {
    found = ask({.query = scope->query,
                 .keyring = library.keyring,
                 .conversations = scope->conversations,
                 .limit = options.limit,
                 .offset = options.offset});
    if (!found) return fail(std::move(found).error());
  }
  SearchResults teller(library, *scope, found->weights);
  json::array results;
  for (const auto& hit : found->found) {
    Result<json::object> result = teller.tell(hit);
    if (result) {
      results.push_back(*std::move(result));
    } else if (result.error().code != ErrorCode::not_found) {  // else: forgotten this moment
      return fail(std::move(result).error());
    }
  }
  json::object document{
      {"query", options.query}, {"total", found->total}, {"results", std::move(results)}};
  add_notes(document, found->unsearched, *scope, library.keyring);
  return document;
}

}  // namespace

Result<json::object> search(const Library& library, const SearchOptions& options) {
  return answer(library, options,
                [&](const store::SearchRequest& request) { return library.store.search(request); });
}

Result<json::object> search_turns(const Library& library, const SearchOptions& options) {
  return answer(library, options, [&](const store::SearchRequest& request) {
    return library.store.search_turns(request);
  });
}

}  // namespace weft::query
