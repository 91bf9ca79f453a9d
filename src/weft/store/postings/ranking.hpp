// Ranking: answers a search request from the postings of one state of a store (docs/design.md,
// "Search").
#pragma once

#include "weft/store/postings/documents.hpp"
#include "weft/store/postings/matching.hpp"
#include "weft/store/search_index.hpp"

namespace weft::store::sql {

// What the readers of one store share for searching.
struct SearchRoom {
  SharedDocuments documents;
  ScorePool scores;
};

// The indexes whose text the keyring opens; always the clear one.
Reach reach_with(const crypto::Keyring* keyring);

// By id of a word: whether it is one of the wanted types, or a type of one of the wanted kinds.
Result<std::vector<bool>> types_like(Postings& postings, const std::vector<std::string>& wanted);

// `documents` are those of the same state, with lengths for reach_with(request.keyring). corrupt if
// the index is damaged.
Result<SearchAnswer> rank_thoughts(Postings& postings, const Documents& documents,
                                   ScorePool& scores, const SearchRequest& request);
// The same by conversations, each with its best thought. The cost grows with the conversations that
// are asked for, not with those that match.
Result<SessionAnswer> rank_sessions(Postings& postings, const Documents& documents,
                                    ScorePool& scores, const SearchRequest& request);
// The same by exchanges, each with its best thought.
Result<TurnAnswer> rank_exchanges(Postings& postings, const Documents& documents, ScorePool& scores,
                                  const SearchRequest& request);

}  // namespace weft::store::sql
