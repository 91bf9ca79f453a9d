// Builds the results of a search: each thought found, its place, and the matching words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/search/search_scope.hpp"
#include "weft/query/secrets/secret_mask.hpp"
#include "weft/query/sessions/exchanges.hpp"

namespace weft::query {

// Looks up each conversation once: for one answer.
class SearchResults {
 public:
  // All three outlive it. `weights` are those of the scope's words.
  SearchResults(const Library& library, const SearchScope& scope,
                const std::vector<double>& weights)
      : library_(library), foreigners_(library), scope_(scope), weights_(weights) {}

  // The results of query::search and query::search_turns. not_found if the thought was forgotten
  // meanwhile.
  Result<json::object> build(const store::Found& found) { return build(found, std::nullopt); }
  Result<json::object> build(const store::FoundSession& found);
  Result<json::object> build(const store::FoundTurn& found);

  // The place of an exchange.
  struct Place {
    Cid conversation;
    std::uint64_t number = 0;  // among the exchanges there
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  Result<Place> place_of(const store::FoundTurn& found);

 private:
  // With its place in a conversation, if one is given and it has one.
  Result<json::object> build(const store::Found& found, const std::optional<Cid>& conversation);
  // A conversation as results name it.
  struct Named {
    store::ConversationRow row;
    std::string session;  // its name (sessions.hpp)
    std::optional<std::string> title{}, project{};
    std::optional<Exchanges> exchanges{};  // read on demand
  };

  Result<Named*> named(const Cid& conversation);
  Result<const Exchanges*> exchanges_of(const Cid& conversation);
  Result<std::vector<store::ThoughtPlace>> own_places(const Cid& thought);
  // The newest place among those that were searched; null if there is none.
  const store::ThoughtPlace* shown_place(const std::vector<store::ThoughtPlace>& places_of) const;
  // The sequence of the turn of an exchange that has the block.
  Result<std::uint64_t> turn_with(const Cid& block, const Exchange& exchange) const;
  bool is_in_scope(const Cid& conversation) const;
  void add_snippet(const thought::Thought& thought, json::object& result) const;

  const Library& library_;
  const SecretMask mask_{library_.keyring};
  Foreigners foreigners_;
  const SearchScope& scope_;
  const std::vector<double>& weights_;
  std::map<Cid, Named> named_;
};

}  // namespace weft::query
