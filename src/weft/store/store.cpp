#include "weft/store/store.hpp"

namespace weft::store {

Result<bool> Store::has(const Cid& cid) const { return snapshot()->has(cid); }
Result<thought::Thought> Store::get(const Cid& cid) const { return snapshot()->get(cid); }
Result<thought::Thought> Store::get_without_path(const Cid& cid) const {
  return snapshot()->get_without_path(cid);
}
Result<std::optional<Cid>> Store::sealed_as(const Cid& clear) const {
  return snapshot()->sealed_as(clear);
}
Result<std::vector<Cid>> Store::find_by_prefix(std::string_view hex, std::size_t limit) const {
  return snapshot()->find_by_prefix(hex, limit);
}

Result<std::vector<thought::Connection>> Store::connections(
    const Cid& cid, std::optional<std::string_view> relation, Direction direction) const {
  return snapshot()->connections(cid, relation, direction);
}
Result<std::vector<Cid>> Store::neighbours(const Cid& cid, std::string_view relation,
                                           Direction direction) const {
  return snapshot()->neighbours(cid, relation, direction);
}
Result<std::vector<Cid>> Store::neighbours_by(const Cid& creator, const Cid& cid,
                                              std::string_view relation,
                                              Direction direction) const {
  return snapshot()->neighbours_by(creator, cid, relation, direction);
}
Result<std::vector<Cid>> Store::effects(const Cid& cid) const { return snapshot()->effects(cid); }

Result<std::vector<ConversationRow>> Store::conversations(const ConversationFilter& filter) const {
  return snapshot()->conversations(filter);
}
Result<ConversationRow> Store::conversation(const Cid& cid) const {
  return snapshot()->conversation(cid);
}
Result<std::vector<Cid>> Store::conversations_of(const Cid& thought) const {
  return snapshot()->conversations_of(thought);
}
Result<std::vector<Cid>> Store::usage_of(const Cid& conversation) const {
  return snapshot()->usage_of(conversation);
}

Result<std::vector<Cid>> Store::find_blocks(const Cid& conversation, std::string_view kind,
                                            std::size_t limit) const {
  return snapshot()->find_blocks(conversation, kind, limit);
}
Result<std::vector<PlacedBlock>> Store::placed_blocks(const Cid& conversation, std::uint64_t mark,
                                                      std::size_t limit) const {
  return snapshot()->placed_blocks(conversation, mark, limit);
}
Result<ConversationOutline> Store::outline(const Cid& conversation) const {
  return snapshot()->outline(conversation);
}
Status Store::each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                         const std::function<void(BlockFacts)>& visit) const {
  return snapshot()->each_facts(blocks, keyring, visit);
}
Status Store::outline_facts(const ConversationOutline& outline,
                            std::span<const OutlineEntry> entries, const crypto::Keyring* keyring,
                            const std::function<void(BlockFacts)>& visit) const {
  return snapshot()->outline_facts(outline, entries, keyring, visit);
}
Result<Cid> Store::cid_of(Handle handle) const { return snapshot()->cid_of(handle); }
Result<std::optional<Handle>> Store::find_handle(const Cid& cid) const {
  return snapshot()->find_handle(cid);
}
Result<ChangesSince> Store::changes_since(const std::optional<Cid>& checkpoint) const {
  return snapshot()->changes_since(checkpoint);
}
Status Store::each_of(const std::vector<Cid>& conversations,
                      const std::function<bool(thought::Thought)>& visit) const {
  return snapshot()->each_of(conversations, visit);
}

Result<Catalogue> Store::catalogue(const std::optional<std::string>& format,
                                   const crypto::Keyring* keyring) const {
  return snapshot()->catalogue(format, keyring);
}
Result<TallySum> Store::sum_tallies(const TallyRequest& request) const {
  return snapshot()->sum_tallies(request);
}
Result<RowsRead> Store::each_requests(
    const RequestsRequest& request, ModelNames& models,
    const std::function<Status(ConversationRequests&)>& visit) const {
  return snapshot()->each_requests(request, models, visit);
}
Result<EditList> Store::edits(const EditsRequest& request) const {
  return snapshot()->edits(request);
}
Result<SecretTable> Store::secrets(const SecretsRequest& request) const {
  return snapshot()->secrets(request);
}
Result<SearchAnswer> Store::search(const SearchRequest& request) const {
  return snapshot()->search(request);
}
Result<SessionAnswer> Store::search_sessions(const SearchRequest& request) const {
  return snapshot()->search_sessions(request);
}
Result<TurnAnswer> Store::search_turns(const SearchRequest& request) const {
  return snapshot()->search_turns(request);
}
Result<std::vector<NearTerm>> Store::near_terms(const std::string& term,
                                                std::size_t max_edits) const {
  return snapshot()->near_terms(term, max_edits);
}
Result<std::vector<ThoughtPlace>> Store::places_of(const Cid& thought) const {
  return snapshot()->places_of(thought);
}

}  // namespace weft::store
