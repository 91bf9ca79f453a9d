// RowSnapshot: one reader of a store and one read transaction, which pins the state.
#pragma once

#include <memory>
#include <optional>

#include "weft/store/snapshot.hpp"
#include "weft/store/sql/parts/connections.hpp"

namespace weft::store::sql {

class RowSnapshot final : public Snapshot {
 public:
  // Takes a reader with the first question. `connections` outlive it.
  explicit RowSnapshot(Connections& connections) : connections_(connections) {}
  RowSnapshot(const RowSnapshot&) = delete;
  RowSnapshot& operator=(const RowSnapshot&) = delete;

  Result<bool> has(const Cid& cid) const override;
  Result<thought::Thought> get(const Cid& cid) const override;
  Result<thought::Thought> get_without_path(const Cid& cid) const override;
  Result<std::optional<Cid>> sealed_as(const Cid& clear) const override;
  Result<std::vector<Cid>> find_by_prefix(std::string_view hex, std::size_t limit) const override;

  Result<std::vector<thought::Connection>> connections(const Cid& cid,
                                                       std::optional<std::string_view> relation,
                                                       Direction direction) const override;
  Result<std::vector<Cid>> neighbours(const Cid& cid, std::string_view relation,
                                      Direction direction) const override;
  Result<std::vector<Cid>> neighbours_by(const Cid& creator, const Cid& cid,
                                         std::string_view relation,
                                         Direction direction) const override;
  Result<std::vector<Cid>> effects(const Cid& cid) const override;

  Result<std::vector<ConversationRow>> conversations(
      const ConversationFilter& filter) const override;
  Result<ConversationRow> conversation(const Cid& cid) const override;
  Result<std::vector<Cid>> conversations_of(const Cid& thought) const override;
  Result<std::vector<Cid>> usage_of(const Cid& conversation) const override;
  Result<std::vector<Cid>> find_blocks(const Cid& conversation, std::string_view kind,
                                       std::size_t limit) const override;
  Result<std::vector<PlacedBlock>> placed_blocks(const Cid& conversation, std::uint64_t mark,
                                                 std::size_t limit) const override;
  Result<ConversationOutline> outline(const Cid& conversation) const override;
  Status each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                    const std::function<void(BlockFacts)>& visit) const override;
  Status outline_facts(const ConversationOutline& outline, std::span<const OutlineEntry> entries,
                       const crypto::Keyring* keyring,
                       const std::function<void(BlockFacts)>& visit) const override;
  Result<Cid> cid_of(Handle handle) const override;
  Result<std::optional<Handle>> find_handle(const Cid& cid) const override;
  Result<ChangesSince> changes_since(const std::optional<Cid>& checkpoint) const override;
  using Conversations::each_of;
  Status each_of(const std::vector<Cid>& conversations,
                 const std::function<bool(thought::Thought)>& visit) const override;

  Result<Catalogue> catalogue(const std::optional<std::string>& format,
                              const crypto::Keyring* keyring) const override;
  Result<TallySum> sum_tallies(const TallyRequest& request) const override;
  Result<RowsRead> each_requests(
      const RequestsRequest& request, ModelNames& models,
      const std::function<Status(ConversationRequests&)>& visit) const override;
  Result<EditList> edits(const EditsRequest& request) const override;
  Result<SecretTable> secrets(const SecretsRequest& request) const override;

  Result<SearchAnswer> search(const SearchRequest& request) const override;
  Result<SessionAnswer> search_sessions(const SearchRequest& request) const override;
  Result<TurnAnswer> search_turns(const SearchRequest& request) const override;
  Result<std::vector<NearTerm>> near_terms(const std::string& term,
                                           std::size_t max_edits) const override;
  Result<std::vector<ThoughtPlace>> places_of(const Cid& thought) const override;

 private:
  // The reader, in the transaction that pins the state.
  Result<Reader*> pin() const;
  template <class Answer, class... Params, class... Args>
  Answer ask(Answer (Reader::*question)(Params...), const Args&... args) const;
  // The documents of this state.
  Result<DocumentsView> documents(Reach reach) const;

  Connections& connections_;
  // All of it follows from the first question on; the transaction ends before the reader goes back.
  mutable std::optional<Readers::Lease> reader_;
  mutable std::optional<Transaction> state_;
  mutable bool has_read_ = false;     // the state can no longer be exchanged for a newer one
  mutable bool is_visiting_ = false;  // each_of() is running
  mutable std::unique_ptr<Documents> own_documents_;  // once others have read a later state
};

}  // namespace weft::store::sql
