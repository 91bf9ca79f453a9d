#include "weft/store/postings/ranking.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/postings/unsearched.hpp"

namespace weft::store::sql {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"human", "assistant", "system"};

// Borrowed for one request.
class BorrowedScores {
 public:
  BorrowedScores(ScorePool& pool, std::size_t documents)
      : pool_(pool), scores_(pool.take(documents)) {}
  BorrowedScores(const BorrowedScores&) = delete;
  BorrowedScores& operator=(const BorrowedScores&) = delete;
  ~BorrowedScores() { pool_.give_back(std::move(scores_)); }
  Scores& operator*() { return scores_; }

 private:
  ScorePool& pool_;
  Scores scores_;
};

// The properties that a document must have beside the words. An empty set allows anything.
struct Sieve {
  std::vector<bool> types{};      // by word
  std::vector<bool> documents{};  // in one of the requested conversations
  std::vector<bool> tools{};
  std::array<bool, 4> roles{true, true, true, true};
  std::optional<Millis> since{}, until{};
  std::int64_t last = 0;  // document

  bool passes(const Documents& all, Document at) const {
    if (all.thought(at) == 0 || !roles[all.role(at)] || at > last) return false;
    const auto has = [](const std::vector<bool>& set, auto index) {
      return set.empty() ||
             (static_cast<std::size_t>(index) < set.size() && set[static_cast<std::size_t>(index)]);
    };
    if (!has(types, all.type(at)) || !has(documents, at) || !has(tools, at)) return false;
    return (!since || all.time(at) >= *since) && (!until || all.time(at) <= *until);
  }
};

Statistics statistics_of(const IndexPoint& point) {
  const auto texts = static_cast<double>(point.texts);
  return {.texts = texts,
          // A caller may pass on any point: no length is divided by zero.
          .average =
              point.texts == 0 || point.length == 0 ? 1 : static_cast<double>(point.length) / texts,
          .last = static_cast<Document>(point.documents)};
}

// One request while it is answered.
class Search {
 public:
  Search(Postings& postings, const Documents& documents, ScorePool& pool,
         const SearchRequest& request)
      : postings_(postings),
        documents_(documents),
        request_(request),
        scores_(pool, documents.size()) {}

  // Finds the matches, in no order.
  Status run();

  std::vector<Document>& matches() { return matches_; }
  // Higher scores first, then the newest, then the one stored last.
  bool is_better(Document a, Document b) {
    if (const double x = score(a), y = score(b); x != y) return x > y;
    if (documents_.time(a) != documents_.time(b)) return documents_.time(a) > documents_.time(b);
    return documents_.thought(a) > documents_.thought(b);
  }
  Result<Found> to_found(Document document) {
    WEFT_TRY_VALUE(auto cid, postings_.name_of(documents_.thought(document)));
    return Found{cid, score(document), documents_.time(document)};
  }
  // Everything but the results themselves. `total` of them are sorted as far as the requested page.
  template <class Answer>
  Answer answer_of(std::size_t total) const {
    return {.total = total, .weights = weights_, .unsearched = unsearched_, .as_of = as_of_};
  }
  // By document: whether it is in one of the conversations.
  Result<std::vector<bool>> documents_of(const std::vector<Cid>& conversations);
  // The conversation in which it was found; empty if it is in none.
  Result<std::optional<Cid>> conversation_of(Document document);

 private:
  double score(Document document) { return (*scores_).of[document]; }
  Status sift(const Matching& matching);

  Postings& postings_;
  const Documents& documents_;
  const SearchRequest& request_;
  BorrowedScores scores_;
  std::vector<Document> matches_;
  std::vector<double> weights_;
  Unsearched unsearched_;
  IndexPoint as_of_;
};

Status Search::run() {
  if (request_.as_of && request_.as_of->epoch != documents_.state().epoch) {
    return fail(ErrorCode::invalid_input,
                "the index has changed since this search began; search again from the start");
  }
  const Reach reach = reach_with(request_.keyring);
  WEFT_TRY_VALUE(const auto keys, keys_in(postings_, request_.keyring));
  const auto read = [&](Document document) -> Result<Searchable> {
    WEFT_TRY_VALUE(auto thought, postings_.get_thought(documents_.thought(document)));
    return searchable(thought, request_.keyring);
  };
  const Lengths& lengths = *documents_.lengths(reach);
  as_of_ = request_.as_of.value_or(IndexPoint{.epoch = documents_.state().epoch,
                                              .documents = documents_.state().documents,
                                              .texts = lengths.texts,
                                              .length = lengths.sum});
  Matching matching(postings_, documents_, lengths, statistics_of(as_of_), reach, keys, read,
                    *scores_);
  WEFT_TRY(matching.run(request_.query.words));
  weights_ = matching.weights();
  unsearched_ = matching.unsearched();
  unsearched_.not_indexed = documents_.state().is_behind;
  WEFT_TRY(find_unsearched(postings_, documents_, request_.keyring, unsearched_));

  const bool has_filters = !request_.query.filters.empty() || request_.conversations.has_value();
  const bool is_partial = as_of_.documents < documents_.state().documents;
  if (matching.has_words()) {
    matches_ = matching.matches();
  } else if (has_filters) {
    matches_.resize(documents_.size() - 1);
    std::iota(matches_.begin(), matches_.end(), Document{1});
    matching.leave_out(matches_);
  }
  return has_filters || is_partial ? sift(matching) : Status();
}

Status Search::sift(const Matching& matching) {
  const search::Filters& filters = request_.query.filters;
  Sieve sieve{.since = filters.since, .until = filters.until};
  sieve.last = as_of_.documents;
  if (!filters.types.empty()) {
    WEFT_TRY_VALUE(sieve.types, types_like(postings_, filters.types));
  }
  if (request_.conversations) {
    WEFT_TRY_VALUE(sieve.documents, documents_of(*request_.conversations));
  }
  if (!filters.tools.empty()) {
    sieve.tools.resize(documents_.size());
    for (const std::string& tool : filters.tools) {
      WEFT_TRY_VALUE(auto found, matching.of_tool(tool));
      for (const Document document : found) sieve.tools[document] = true;
    }
  }
  if (!filters.roles.empty()) {
    for (std::size_t i = 0; i < sieve.roles.size(); ++i) {
      sieve.roles[i] =
          i < kRoles.size() && std::ranges::find(filters.roles, kRoles[i]) != filters.roles.end();
    }
  }
  std::erase_if(matches_, [&](Document document) { return !sieve.passes(documents_, document); });
  return {};
}

Result<std::vector<bool>> Search::documents_of(const std::vector<Cid>& conversations) {
  std::vector<bool> out(documents_.size());
  for (const Cid& cid : conversations) {
    WEFT_TRY_VALUE(auto ranges, postings_.thoughts_in(cid));
    for (const auto& [first, last] : ranges) {
      documents_.each_between(first, last, [&out](Document document) { out[document] = true; });
    }
  }
  return out;
}

// The conversation of the turn that the index has for it. A block that a fork shares may have been
// found in another one.
Result<std::optional<Cid>> Search::conversation_of(Document document) {
  if (documents_.turn(document) == 0) return std::nullopt;
  WEFT_TRY_VALUE(auto turn, postings_.get_thought(documents_.turn(document)));
  WEFT_TRY_VALUE(auto cid, Cid::parse(find_string(turn.content, "conversation").value_or("")));
  if (!request_.conversations) return cid;
  if (std::ranges::find(*request_.conversations, cid) != request_.conversations->end()) return cid;
  for (const Cid& searched : *request_.conversations) {
    WEFT_TRY_VALUE(auto inside, documents_of({searched}));
    if (inside[document]) return searched;
  }
  return std::nullopt;
}

// Sorts `all` as far as the requested page reaches, and returns that page.
template <class T, class Better>
std::span<const T> page_of(std::vector<T>& all, const SearchRequest& request,
                           const Better& is_better) {
  const std::size_t from = std::min<std::uint64_t>(request.offset, all.size());
  const std::size_t size = std::min<std::uint64_t>(request.limit, all.size() - from);
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(from + size), is_better);
  return std::span<const T>(all).subspan(from, size);
}

}  // namespace

Reach reach_with(const crypto::Keyring* keyring) {
  Reach reach = reach_of(Index::clear);
  if (keyring == nullptr) return reach;
  if (!keyring->keys_of(crypto::Layer::metadata).empty()) reach |= reach_of(Index::metadata);
  if (!keyring->keys_of(crypto::Layer::content).empty()) reach |= reach_of(Index::content);
  return reach;
}

Result<std::vector<bool>> types_like(Postings& postings, const std::vector<std::string>& wanted) {
  std::vector<bool> types(1);
  WEFT_TRY(postings.each_word([&](Id word, std::string_view text) {
    const bool is_like = std::ranges::any_of(wanted, [text](const std::string& type) {
      return text == type || thought::kind_of(text) == type;
    });
    const auto id = static_cast<std::size_t>(word);
    if (!is_like) return;
    if (types.size() <= id) types.resize(id + 1);
    types[id] = true;
  }));
  return types;
}

Result<SearchAnswer> rank_thoughts(Postings& postings, const Documents& documents,
                                   ScorePool& scores, const SearchRequest& request) {
  Search search(postings, documents, scores, request);
  WEFT_TRY(search.run());
  std::vector<Document>& all = search.matches();
  auto answer = search.answer_of<SearchAnswer>(all.size());
  const auto is_better = [&](Document a, Document b) { return search.is_better(a, b); };
  for (const Document document : page_of(all, request, is_better)) {
    WEFT_TRY_VALUE(auto found, search.to_found(document));
    answer.found.push_back(std::move(found));
  }
  return answer;
}

Result<SessionAnswer> rank_sessions(Postings& postings, const Documents& documents,
                                    ScorePool& scores, const SearchRequest& request) {
  Search search(postings, documents, scores, request);
  WEFT_TRY(search.run());
  std::vector<Document>& left = search.matches();
  auto answer = search.answer_of<SessionAnswer>(left.size());
  const auto is_better = [&](Document a, Document b) { return search.is_better(a, b); };
  for (std::uint64_t at = 0; !left.empty(); ++at) {
    if (at >= request.offset && at - request.offset >= request.limit) {
      answer.has_more = true;
      break;
    }
    // The best of those that are left, and all that are in the same conversation.
    const Document best = *std::ranges::min_element(left, is_better);
    WEFT_TRY_VALUE(auto conversation, search.conversation_of(best));
    std::vector<bool> inside(documents.size());
    if (conversation) {
      WEFT_TRY_VALUE(inside, search.documents_of({*conversation}));
    }
    inside[best] = true;
    const std::size_t taken =
        std::erase_if(left, [&](Document document) { return inside[document]; });
    if (at < request.offset) continue;
    WEFT_TRY_VALUE(auto found, search.to_found(best));
    answer.found.push_back({std::move(found), conversation, taken - 1});
  }
  return answer;
}

Result<TurnAnswer> rank_exchanges(Postings& postings, const Documents& documents, ScorePool& scores,
                                  const SearchRequest& request) {
  Search search(postings, documents, scores, request);
  WEFT_TRY(search.run());
  std::unordered_map<Id, Document> best;
  for (const Document document : search.matches()) {
    const Id exchange = documents.exchange(document);
    if (exchange == 0) continue;
    const auto [at, is_new] = best.try_emplace(exchange, document);
    if (!is_new && search.is_better(document, at->second)) at->second = document;
  }
  std::vector<std::pair<Id, Document>> all(best.begin(), best.end());
  auto answer = search.answer_of<TurnAnswer>(all.size());
  const auto is_better = [&](const auto& a, const auto& b) {
    return search.is_better(a.second, b.second);
  };
  for (const auto& [exchange, document] : page_of(all, request, is_better)) {
    WEFT_TRY_VALUE(auto turn, postings.name_of(exchange));
    WEFT_TRY_VALUE(auto found, search.to_found(document));
    answer.found.push_back({turn, std::move(found)});
  }
  return answer;
}

}  // namespace weft::store::sql
