// Store: the stored web of thoughts, and the parts that read, write, check and forget it.
// Implementation: SQLite (store/sqlite). Open one with open_store (open.hpp).
//
// Thoughts are written once and never change. A commit is all or nothing: thoughts, connections,
// places, checkpoints, index. Every part may be used from any thread and sees the last commit;
// several processes may read while one writes. The contract tests (contract_for_test.hpp) state
// what each part must do, on every backend.
#pragma once

#include <memory>
#include <optional>

#include "weft/store/audit.hpp"
#include "weft/store/changes.hpp"
#include "weft/store/derived.hpp"
#include "weft/store/forgetting.hpp"
#include "weft/store/mending.hpp"
#include "weft/store/snapshot.hpp"
#include "weft/store/sources.hpp"
#include "weft/store/tables/filling.hpp"
#include "weft/store/writer.hpp"
#include "weft/weave/known_web.hpp"

namespace weft::store {

// As a Web it answers each question from the newest state. References to parts live as long as the
// store.
class Store : public Web {
 public:
  // One state of the web, for an answer that asks several questions.
  virtual std::unique_ptr<Snapshot> snapshot() const = 0;

  virtual const weave::KnownWeb& known_web() const = 0;
  virtual Writer& writer() = 0;
  virtual const Sources& sources() const = 0;
  virtual const Audit& audit() const = 0;
  virtual Derived& derived() = 0;
  virtual const Derived& derived() const = 0;
  virtual Filling& filling() = 0;
  virtual const Filling& filling() const = 0;
  virtual Forgetting& forgetting() = 0;
  virtual const Forgetting& forgetting() const = 0;
  virtual Mending& mending() = 0;
  // Each follower has its own.
  virtual std::unique_ptr<Changes> changes() const = 0;

  // The identity that wove the first conversation here or, if none was woven, that forgot one.
  // Imported conversations do not count. Empty in a store that has neither.
  [[nodiscard]] virtual Result<std::optional<Cid>> owner() const = 0;

  Result<bool> has(const Cid& cid) const final;
  Result<thought::Thought> get(const Cid& cid) const final;
  Result<thought::Thought> get_without_path(const Cid& cid) const final;
  Result<std::optional<Cid>> sealed_as(const Cid& clear) const final;
  Result<std::vector<Cid>> find_by_prefix(std::string_view hex, std::size_t limit) const final;
  Result<std::vector<thought::Connection>> connections(const Cid& cid,
                                                       std::optional<std::string_view> relation,
                                                       Direction direction) const final;
  Result<std::vector<Cid>> neighbours(const Cid& cid, std::string_view relation,
                                      Direction direction) const final;
  Result<std::vector<Cid>> neighbours_by(const Cid& creator, const Cid& cid,
                                         std::string_view relation,
                                         Direction direction) const final;
  Result<std::vector<Cid>> effects(const Cid& cid) const final;
  Result<std::vector<ConversationRow>> conversations(const ConversationFilter& filter) const final;
  Result<ConversationRow> conversation(const Cid& cid) const final;
  Result<std::vector<Cid>> conversations_of(const Cid& thought) const final;
  Result<std::vector<Cid>> usage_of(const Cid& conversation) const override;
  Result<std::vector<Cid>> find_blocks(const Cid& conversation, std::string_view kind,
                                       std::size_t limit) const final;
  Result<std::vector<PlacedBlock>> placed_blocks(const Cid& conversation, std::uint64_t mark,
                                                 std::size_t limit) const final;
  Result<ConversationOutline> outline(const Cid& conversation) const final;
  Status each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                    const std::function<void(BlockFacts)>& visit) const final;
  Status outline_facts(const ConversationOutline& outline, std::span<const OutlineEntry> entries,
                       const crypto::Keyring* keyring,
                       const std::function<void(BlockFacts)>& visit) const final;
  Result<Cid> cid_of(Handle handle) const final;
  Result<std::optional<Handle>> find_handle(const Cid& cid) const final;
  Result<ChangesSince> changes_since(const std::optional<Cid>& checkpoint) const final;
  using Conversations::each_of;
  Status each_of(const std::vector<Cid>& conversations,
                 const std::function<bool(thought::Thought)>& visit) const final;
  Result<Catalogue> catalogue(const std::optional<std::string>& format,
                              const crypto::Keyring* keyring) const final;
  Result<TallySum> sum_tallies(const TallyRequest& request) const final;
  Result<RowsRead> each_requests(
      const RequestsRequest& request, ModelNames& models,
      const std::function<Status(ConversationRequests&)>& visit) const final;
  Result<EditList> edits(const EditsRequest& request) const final;
  Result<SearchAnswer> search(const SearchRequest& request) const final;
  Result<SessionAnswer> search_sessions(const SearchRequest& request) const final;
  Result<TurnAnswer> search_turns(const SearchRequest& request) const final;
  Result<std::vector<NearTerm>> near_terms(const std::string& term,
                                           std::size_t max_edits) const final;
  Result<std::vector<ThoughtPlace>> places_of(const Cid& thought) const final;
  Result<SecretTable> secrets(const SecretsRequest& request) const final;
};

}  // namespace weft::store
