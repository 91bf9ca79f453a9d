// Searching: words are matched, filters applied, and the best are taken.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/store/postings/matching.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"human", "assistant", "system"};

Reach reach_with(const crypto::Keyring* keyring) {
  Reach reach = reach_of(Index::clear);
  if (keyring == nullptr) return reach;
  if (keyring->layer(crypto::Layer::metadata) != nullptr) reach |= reach_of(Index::metadata);
  if (keyring->layer(crypto::Layer::content) != nullptr) reach |= reach_of(Index::content);
  return reach;
}

// Lent for one question.
class LentScores {
 public:
  LentScores(ScorePool& pool, std::size_t documents) : pool_(pool), scores_(pool.take(documents)) {}
  LentScores(const LentScores&) = delete;
  LentScores& operator=(const LentScores&) = delete;
  ~LentScores() { pool_.give_back(std::move(scores_)); }
  Scores& operator*() { return scores_; }

 private:
  ScorePool& pool_;
  Scores scores_;
};

// What a document must be, beside having the words. Each is empty where it may be anything.
struct Sieve {
  std::vector<bool> types{};      // by word
  std::vector<bool> documents{};  // stand in a conversation that was asked for
  std::vector<bool> tools{};
  std::array<bool, 4> roles{true, true, true, true};
  std::optional<Millis> since{}, until{};

  bool passes(const Documents& all, Document at) const {
    if (all.thought(at) == 0 || !roles[all.role(at)]) return false;
    const auto has = [](const std::vector<bool>& set, auto index) {
      return set.empty() ||
             (static_cast<std::size_t>(index) < set.size() && set[static_cast<std::size_t>(index)]);
    };
    if (!has(types, all.type(at)) || !has(documents, at) || !has(tools, at)) return false;
    return (!since || all.time(at) >= *since) && (!until || all.time(at) <= *until);
  }
};

}  // namespace

// One question while it is answered.
struct Reader::Search {
  SharedDocuments::View documents;
  LentScores scores;
  std::vector<Document> matches{};
  std::vector<double> weights{};
  Unsearched unsearched{};

  double score(Document document) { return (*scores).of[document]; }
  // Better ones first: by score, then the newest, then what was stored last.
  bool is_better(Document a, Document b) {
    if (const double x = score(a), y = score(b); x != y) return x > y;
    if (documents->time(a) != documents->time(b)) return documents->time(a) > documents->time(b);
    return documents->thought(a) > documents->thought(b);
  }
};

Result<std::vector<bool>> Reader::types_like(const std::vector<std::string>& wanted) {
  std::vector<bool> types(1);
  sqlite::Rows rows = database_.query("SELECT id, text FROM words");
  while (rows.next()) {
    const std::string_view text = rows.bytes(1);
    const bool is_like = std::ranges::any_of(wanted, [text](const std::string& type) {
      return text == type || thought::kind_of(text) == type;
    });
    const auto id = static_cast<std::size_t>(rows.integer(0));
    if (!is_like) continue;
    if (types.size() <= id) types.resize(id + 1);
    types[id] = true;
  }
  WEFT_TRY(rows.status());
  return types;
}

// What stands in the conversations, by their runs and shares.
Result<std::vector<bool>> Reader::documents_of(const std::vector<Cid>& conversations,
                                               const Documents& documents) {
  std::vector<bool> out(documents.size());
  for (const Cid& cid : conversations) {
    WEFT_TRY_VALUE(auto id, names_.find_id(cid));
    if (!id) continue;
    sqlite::Rows runs = database_.query("SELECT first, last FROM runs WHERE conversation = ?", *id);
    while (runs.next()) {
      documents.each_between(runs.integer(0), runs.integer(1),
                             [&out](Document document) { out[document] = true; });
    }
    WEFT_TRY(runs.status());
    sqlite::Rows shares = database_.query("SELECT thought FROM shares WHERE conversation = ?", *id);
    while (shares.next()) {
      if (const auto document = documents.find(shares.integer(0))) out[*document] = true;
    }
    WEFT_TRY(shares.status());
  }
  return out;
}

Status Reader::match(const SearchRequest& request, Search& search) {
  const Documents& documents = *search.documents;
  const Reach reach = reach_with(request.keyring);
  const auto read = [&](Document document) -> Result<Searchable> {
    WEFT_TRY_VALUE(auto thought, get_thought(documents.thought(document)));
    return searchable(thought, request.keyring);
  };
  Matching matching(database_, documents, *documents.lengths(reach), reach, request.keyring, read,
                    *search.scores);
  WEFT_TRY(matching.run(request.query.words));
  search.weights = matching.weights();
  search.unsearched = matching.unsearched();
  search.unsearched.not_indexed = documents.state().is_behind;
  for (const Index index : {Index::metadata, Index::content}) {
    if (!documents.has_any(index)) continue;
    WEFT_TRY_VALUE(auto keys, read_keys(database_, index));
    const IndexKeys held = keys_of({.keyring = request.keyring});
    const std::string& mine = index == Index::metadata ? held.metadata : held.content;
    const bool is_closed =
        std::ranges::any_of(keys, [&mine](const std::string& key) { return key != mine; });
    search.unsearched.without_key = search.unsearched.without_key || is_closed;
  }

  const bool has_filters = !request.query.filters.empty() || request.conversations.has_value();
  if (matching.has_words()) {
    search.matches = matching.matches();
  } else if (has_filters) {
    search.matches.resize(documents.size() - 1);
    std::iota(search.matches.begin(), search.matches.end(), Document{1});
    matching.leave_out(search.matches);
  }
  return has_filters ? sift(request, matching, search) : Status();
}

Status Reader::sift(const SearchRequest& request, const Matching& matching, Search& search) {
  const Documents& documents = *search.documents;
  const search::Filters& filters = request.query.filters;
  Sieve sieve{.since = filters.since, .until = filters.until};
  if (!filters.types.empty()) {
    WEFT_TRY_VALUE(auto types, types_like(filters.types));
    sieve.types = std::move(types);
  }
  if (request.conversations) {
    WEFT_TRY_VALUE(auto held, documents_of(*request.conversations, documents));
    sieve.documents = std::move(held);
  }
  if (!filters.tools.empty()) {
    sieve.tools.resize(documents.size());
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
  std::erase_if(search.matches,
                [&](Document document) { return !sieve.passes(documents, document); });
  return {};
}

// In one moment of the store, with the documents of that moment.
template <class Answer, class Use>
Result<Answer> Reader::with_search(const SearchRequest& request, SearchRoom& room, const Use& use) {
  constexpr int kMaxTries = 100;  // while others commit and search
  for (int tries = 0; tries < kMaxTries; ++tries) {
    WEFT_TRY_VALUE(auto snapshot,
                   sqlite::Transaction::begin(database_, sqlite::Transaction::Kind::deferred));
    WEFT_TRY_VALUE(auto view, room.documents.view(database_, reach_with(request.keyring)));
    if (!view) continue;
    const std::size_t documents = (*view)->size();
    Search search{.documents = *std::move(view), .scores = {room.scores, documents}};
    WEFT_TRY(match(request, search));
    return use(search);
  }
  return fail(ErrorCode::unavailable, "the store changes too fast to be searched");
}

Result<store::Found> Reader::to_found(Search& search, Document document) {
  WEFT_TRY_VALUE(auto cid, names_.cid(search.documents->thought(document)));
  return store::Found{cid, search.score(document), search.documents->time(document)};
}

Result<SearchAnswer> Reader::search(const SearchRequest& request, SearchRoom& room) {
  return with_search<SearchAnswer>(request, room, [&](Search& search) -> Result<SearchAnswer> {
    std::vector<Document>& all = search.matches;
    SearchAnswer answer{
        .total = all.size(), .weights = search.weights, .unsearched = search.unsearched};
    const std::size_t from = std::min<std::uint64_t>(request.offset, all.size());
    const std::size_t to = from + std::min<std::uint64_t>(request.limit, all.size() - from);
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(to),
                              [&](Document a, Document b) { return search.is_better(a, b); });
    for (std::size_t i = from; i < to; ++i) {
      WEFT_TRY_VALUE(auto found, to_found(search, all[i]));
      answer.found.push_back(std::move(found));
    }
    return answer;
  });
}

Result<TurnAnswer> Reader::search_turns(const SearchRequest& request, SearchRoom& room) {
  return with_search<TurnAnswer>(request, room, [&](Search& search) -> Result<TurnAnswer> {
    std::unordered_map<Id, Document> best;
    for (const Document document : search.matches) {
      const Id exchange = search.documents->exchange(document);
      if (exchange == 0) continue;
      const auto [at, is_new] = best.try_emplace(exchange, document);
      if (!is_new && search.is_better(document, at->second)) at->second = document;
    }
    std::vector<std::pair<Id, Document>> all(best.begin(), best.end());
    TurnAnswer answer{
        .total = all.size(), .weights = search.weights, .unsearched = search.unsearched};
    const std::size_t from = std::min<std::uint64_t>(request.offset, all.size());
    const std::size_t to = from + std::min<std::uint64_t>(request.limit, all.size() - from);
    std::ranges::partial_sort(
        all, all.begin() + static_cast<std::ptrdiff_t>(to),
        [&](const auto& a, const auto& b) { return search.is_better(a.second, b.second); });
    for (std::size_t i = from; i < to; ++i) {
      WEFT_TRY_VALUE(auto turn, names_.cid(all[i].first));
      WEFT_TRY_VALUE(auto found, to_found(search, all[i].second));
      answer.found.push_back({turn, std::move(found)});
    }
    return answer;
  });
}

// Where the thought is contained; else where the document that it is says.
Result<std::vector<ThoughtPlace>> Reader::places_of(const Cid& thought, SearchRoom& room) {
  WEFT_TRY_VALUE(auto id, names_.find_id(thought));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  std::vector<ThoughtPlace> out;
  if (!id || !contains) return out;
  const auto add = [&](sqlite::Rows rows) -> Status {
    while (rows.next()) {
      WEFT_TRY_VALUE(auto conversation, names_.cid(rows.integer(0)));
      WEFT_TRY_VALUE(auto turn, names_.cid(rows.integer(1)));
      out.push_back({conversation, turn});
    }
    return rows.status();
  };
  WEFT_TRY(
      add(database_.query("SELECT turn.from_id, turn.to_id FROM connections block "
                          "JOIN connections turn ON turn.to_id = block.from_id "
                          "AND turn.relation = ?2 WHERE block.to_id = ?1 AND block.relation = ?2 "
                          "AND turn.from_id IN (SELECT id FROM conversations) "
                          "ORDER BY block.id DESC, turn.id DESC",
                          *id, *contains)));
  if (!out.empty()) return out;
  Result<std::optional<SharedDocuments::View>> view = std::optional<SharedDocuments::View>();
  while (!*view) {
    view = room.documents.view(database_, reach_of(Index::clear));
    if (!view) return fail(std::move(view).error());
  }
  const std::optional<Document> document = (**view)->find(*id);
  if (!document) return out;
  WEFT_TRY(
      add(database_.query("SELECT from_id, to_id FROM connections WHERE to_id = ? AND relation = ? "
                          "AND from_id IN (SELECT id FROM conversations) ORDER BY id DESC",
                          (**view)->turn(*document), *contains)));
  return out;
}

Result<thought::Thought> Reader::get_thought(Id id) {
  WEFT_TRY_VALUE(auto cid, names_.cid(id));
  sqlite::Rows rows = database_.query("SELECT * FROM thoughts WHERE id = ?", id);
  if (rows.next()) return to_thought(rows, cid, WithPaths::no);
  WEFT_TRY(rows.status());
  return not_here(cid);
}

// Damaged rows are passed over: verify tells of them.
Status Reader::each_searched(const std::function<Status(Id, const thought::Thought&)>& visit) {
  sqlite::Rows rows = database_.query(
      "SELECT thoughts.*, names.cid FROM thoughts JOIN names ON names.id = thoughts.id "
      "ORDER BY thoughts.id");
  constexpr int kName = 10;
  while (rows.next()) {
    const Result<Cid> cid = to_cid(rows.bytes(kName));
    if (!cid) continue;
    const Result<thought::Thought> thought = to_thought(rows, *cid, WithPaths::no);
    if (!thought) continue;
    WEFT_TRY(visit(rows.integer(0), *thought));
  }
  return rows.status();
}

Result<std::uint64_t> Reader::count_thoughts() {
  sqlite::Rows rows = database_.query("SELECT count(*) FROM thoughts");
  const std::uint64_t count = rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
  WEFT_TRY(rows.status());
  return count;
}

}  // namespace weft::store::sql
