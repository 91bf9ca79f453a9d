// Reader: every question that a store answers, as SQL on one connection, with its caches. For one
// thread at a time; reader_pool.hpp keeps several.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "weft/store/audit.hpp"
#include "weft/store/conversations.hpp"
#include "weft/store/derived.hpp"
#include "weft/store/forgetting.hpp"
#include "weft/store/graph.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/postings/ranking.hpp"
#include "weft/store/sources.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/sql/read/conversation_trees.hpp"
#include "weft/store/sql/read/row_seeker.hpp"
#include "weft/store/sql/read/table_cursor.hpp"
#include "weft/store/sql/read/thought_columns.hpp"
#include "weft/store/sql/read/tree_leaves.hpp"
#include "weft/store/tables/filling.hpp"
#include "weft/store/tables/tables.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/known_web.hpp"

namespace weft::store::sql {

struct CatalogueNames;
struct LateContext;
struct ReadTally;

using Visit = std::function<bool(thought::Thought)>;

// A place of a block, by the edge that leads to it.
struct Holder {
  Id place;
  Cid conversation;
};

class Reader final : public Postings {
 public:
  explicit Reader(Database database);
  Reader(Reader&&) = delete;  // its parts point at its connection

  // While the transaction lives, everything is read from one state of the store.
  Result<Transaction> look() { return Transaction::begin(database_, Transaction::Kind::deferred); }

  // --- reader.cpp: single thoughts -------------------------------------------------
  Result<bool> has(const Cid& cid);
  Result<bool> is_stored(Id id);
  Result<thought::Thought> get(const Cid& cid) { return read(cid, WithPaths::yes); }
  Result<thought::Thought> get_without_path(const Cid& cid) { return read(cid, WithPaths::no); }
  Result<std::vector<Cid>> find_by_prefix(std::string_view hex, std::size_t limit);
  Result<std::optional<Cid>> find_place(const Cid& conversation, const weave::PlaceKey& key);

  // --- reader_edges.cpp --------------------------------------------------------------
  Result<std::vector<thought::Connection>> connections(const Cid& cid,
                                                       std::optional<std::string_view> relation,
                                                       Direction direction);
  Result<std::vector<Cid>> neighbours(const Cid& cid, std::string_view relation,
                                      Direction direction);
  Result<std::vector<Cid>> neighbours_by(const Cid& creator, const Cid& cid,
                                         std::string_view relation, Direction direction);
  // The `contains` edges out of a turn that its creator made.
  Result<std::vector<thought::Connection>> contents(const Cid& turn);
  Result<std::vector<Cid>> effects(const Cid& cid);
  Result<std::vector<Cid>> usage_of(const Cid& conversation);
  Result<std::vector<Cid>> find_blocks(const Cid& conversation, std::string_view kind,
                                       std::size_t limit);

  // --- reader_conversations.cpp --------------------------------------------------------
  Result<std::vector<ConversationRow>> conversations(const ConversationFilter& filter);
  Result<ConversationRow> conversation(const Cid& cid);
  Result<std::vector<Cid>> conversations_of(const Cid& thought);
  // The next few places of a block after `after`, oldest first.
  Result<std::vector<Holder>> holders(const Cid& block, Id after);
  Result<std::optional<weave::KnownConversation>> find_conversation(
      const transcript::Heading& heading, const Cid& creator);
  Status each_of(const std::vector<Cid>& conversations, const Visit& visit);
  Result<std::optional<Cid>> owner();

  // --- reader_changes.cpp: what is new ------------------------------------------------
  Result<std::vector<PlacedBlock>> placed_blocks(const Cid& conversation, std::uint64_t mark,
                                                 std::size_t limit);
  Result<Cid> standing_block(Id block);
  Result<ChangesSince> changes_since(const std::optional<Cid>& checkpoint);

  // --- reader_outline.cpp --------------------------------------------------------------
  Result<ConversationOutline> outline(const Cid& conversation);
  Status each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                    const std::function<void(BlockFacts)>& visit);
  Status outline_facts(const ConversationOutline& outline, std::span<const OutlineEntry> entries,
                       const crypto::Keyring* keyring,
                       const std::function<void(BlockFacts)>& visit);

  // --- reader_sources.cpp: files, and how conversations find each other ---------------
  Result<std::optional<Source>> find_source(const SourceKey& key);
  Result<std::vector<Source>> find_file(std::uint64_t device, std::uint64_t inode);
  Result<std::vector<Source>> sources();
  Result<std::vector<Cid>> conversations_in(const SourceKey& key);
  Result<std::vector<Source>> sources_of(const Cid& conversation);
  Status each_segment(const SourceKey& key, std::uint64_t generation,
                      const std::function<bool(Segment)>& visit);
  Result<std::optional<Segment>> last_segment(const SourceKey& key, std::uint64_t generation);
  Result<std::optional<weave::Mark>> find_mark(const weave::PlaceKey& key);
  Result<std::vector<weave::Waiting>> find_waiting(const weave::PlaceKey& key);
  Result<std::optional<weave::TimedThought>> find_conversation_at(std::string_view format,
                                                                  const Cid& creator,
                                                                  const weave::PlaceKey& place);
  Result<std::vector<weave::Wait>> waiting_summaries();
  Result<std::optional<weave::TimedThought>> find_response(const Cid& conversation, Millis until);
  Result<bool> is_forgotten(const weave::PlaceKey& heading);

  // --- reader_forgotten.cpp ------------------------------------------------------------
  Result<ForgetPlan> plan_forget(const std::vector<Cid>& conversations, const Cid& owner);
  Result<DropPlan> plan_key_drop(const Cid& identity);
  Result<std::vector<Cid>> tombstones();
  Result<std::vector<Cid>> tombstones_of(const Cid& cid);
  // See Forgetting::holders.
  Result<std::vector<Cid>> all_holders(const Cid& thought);
  // See KnownWeb and Thoughts.
  Result<std::optional<Cid>> sealed_as(const Cid& owner, const Cid& clear);
  Result<std::optional<Cid>> sealed_as_by_anyone(const Cid& clear);

  // --- reader_search.cpp ---------------------------------------------------------------
  Result<IndexState> index_state() override;
  Status each_document_page(std::int64_t first, const VisitPage& visit) override;
  Result<std::vector<Posting>> find_postings(Index index, const Sought& sought) override;
  Status each_clear_term(std::string_view prefix, const VisitTerm& visit) override;
  Result<std::vector<NearTerm>> near_terms(const std::string& term, std::size_t max_edits);
  Result<std::vector<std::string>> index_keys(Index index) override;
  Status each_word(const VisitWord& visit) override;
  Result<std::vector<IdRange>> thoughts_in(const Cid& conversation) override;
  Result<thought::Thought> get_thought(Id id) override;
  Result<Cid> name_of(Id id) override { return names_.cid(id); }
  Result<std::optional<Id>> find_id(const Cid& cid) { return names_.find_id(cid); }

  // Where a thought is contained.
  Result<std::vector<ThoughtPlace>> places_of(const Cid& thought);
  // The conversations that contain the turn of a thought; `documents` has the turn.
  Result<std::vector<ThoughtPlace>> places_beside(const Cid& thought, const Documents& documents);
  // All thoughts that can be read, in the order of their ids.
  Status each_searched(const std::function<Status(Id, const thought::Thought&)>& visit);
  Result<std::uint64_t> count_thoughts();

  // --- reader_tables.cpp ---------------------------------------------------------------
  Result<Catalogue> catalogue(const std::optional<std::string>& format,
                              const crypto::Keyring* keyring);
  Result<TallySum> sum_tallies(const TallyRequest& request);
  // --- reader_requests.cpp
  Result<RowsRead> each_requests(const RequestsRequest& request, ModelNames& models,
                                 const std::function<Status(ConversationRequests&)>& visit);
  // --- reader_edits.cpp
  Result<EditList> edits(const EditsRequest& request);
  // --- reader_secrets.cpp
  Result<SecretTable> secrets(const SecretsRequest& request);

  // --- reader_inspect.cpp: the store as a whole ----------------------------------------
  Result<std::vector<ScanRange>> scan_ranges();
  Status inspect(const ScanRange& range, const Inspector& inspector);
  Result<std::vector<Cid>> checkpoint_log();
  Result<std::vector<Cid>> leaves(const Cid& checkpoint);
  // See Derived.
  Result<std::vector<StoreCheck>> list_checks(CheckDepth depth);
  Result<std::vector<StoreFinding>> run_check(const StoreCheck& check,
                                              const crypto::Keyring* keyring);
  Result<bool> has_sums();
  // See Filling.
  Result<FillProgress> fill_progress();

  // --- reader_rows.cpp: from columns, stored or not, to thoughts; for mending too -------
  enum class WithPaths { no, yes };
  // Without its content.
  Result<thought::Thought> to_bare_thought(const ThoughtColumns& row, const Cid& cid,
                                           WithPaths paths);
  // The clear content, which may be in `room`.
  Result<std::string_view> to_text(const ThoughtColumns& row, std::string& room);
  Result<thought::Signature> to_signature(Id id, std::string_view bytes, WithPaths paths);
  Result<thought::Connection> to_connection(const Edge& edge, WithPaths paths);
  Result<std::vector<Cid>> leaves_of(Id checkpoint);
  const Database& database() const { return database_; }
  // Clears all caches: call it after stored rows were changed.
  void forget();

 private:
  Result<thought::Thought> to_thought(const ThoughtColumns& row, const Cid& cid, WithPaths paths);
  // A name of a range, and whether a row has it.
  struct NamedId {
    Id id = 0;
    Result<Cid> cid;
    bool taken = false;
  };
  class NamesBeside;
  Status inspect_thoughts(const ScanRange& range, std::vector<NamedId>& names,
                          const Inspector& inspector);
  Status read_form(const ThoughtColumns& row, const Cid& cid, std::string& room,
                   CanonicalThought& form);
  // Visits the edges with ids from `first` to `last`, in order, until `visit` returns false;
  // reports each page that cannot be read.
  Status each_edge(Id first, Id last, const std::function<bool(const Edge&)>& visit,
                   const std::function<void(Id page, const Error&)>& damaged);
  Result<thought::Signature> to_signature(PackedSignature packed, WithPaths paths);
  // Signed through one of `trees`, if it is a leaf there.
  Result<thought::Connection> to_own_connection(const Edge& edge, const ConversationTrees& trees);
  // Sets `covered`: the leaves that it is of `trees`, beside the one that signs it.
  Status set_covered(Id id, const ConversationTrees& trees, thought::Thought& thought);
  Result<json::object> to_content(const ThoughtColumns& row);
  Result<std::vector<thought::ContentRef>> to_because(std::string_view bytes, Id self);
  // Reads a row with the columns seq, size, sealed, leans_on.
  Result<Segment> to_segment(const Rows& row) const;

  Result<std::vector<ThoughtPlace>> to_places(Rows rows);

  Result<thought::Thought> read(const Cid& cid, WithPaths paths);
  Result<std::optional<thought::Thought>> find_thought(Id id, const Cid& cid, WithPaths paths);
  Result<std::optional<thought::Connection>> find_connection(Id id, WithPaths paths);
  // Finds a thought or a connection by id. Empty if it is referred to but not stored.
  Result<std::optional<thought::Thought>> find(Id id, const Cid& cid, WithPaths paths);

  Result<std::vector<Digest>> path_of(Id checkpoint, std::uint64_t leaf);
  Result<std::vector<Cid>> to_cids(Rows rows);
  Status append_edges(Rows rows, std::vector<thought::Connection>& out);
  // The other ends of connections; those of all creators if `creator` is empty.
  Result<std::vector<Cid>> ends_of(Id id, Id relation, Direction direction,
                                   std::optional<Id> creator);
  // Empty if the thought is not stored.
  Result<std::optional<Id>> creator_of(Id thought);
  LateContext late(const crypto::Keyring* keyring);
  // The conversations that pass, by id; their rows without cid and created_by, which name_row()
  // sets, from the row of the catalogue if it is known.
  struct ListedRow {
    Id id = 0;
    std::int64_t touched = 0;
    ConversationRow row{};
  };
  Result<std::vector<ListedRow>> list_rows(const ConversationFilter& filter);
  static std::vector<std::size_t> newest_first(const std::vector<ListedRow>& rows);
  // By the moment of their creation; of the same moment, by CID.
  Result<std::vector<std::size_t>> oldest_first(const std::vector<ListedRow>& rows) const;
  class UsableSums;
  Result<UsableSums> read_sums(const RequestsRequest& request, const std::vector<ListedRow>& listed,
                               ModelNames& models);
  Status name_row(Id conversation, const CatalogueNames* known, ConversationRow& row);
  // The rows of conversations from `first` to `last`; none of tables that the store does not have.
  struct FigureTables {
    TableCursor tallies{}, days{}, catalogue{};
    Status status() const;
  };
  Result<FigureTables> open_tables(Id first, Id last, bool with_days);
  Result<TableCursor> open_catalogue(Id first, Id last);
  // They set `was_there` to false if they had to compute it.
  Status add_tally(Id conversation, const TallyRequest& request, FigureTables& tables,
                   ReadTally& sum, bool& was_there);
  // `catalogue` is null if the conversation has no row there.
  Result<std::optional<transcript::Usage>> read_usage(Id conversation,
                                                      const crypto::Keyring* keyring,
                                                      const Rows* catalogue, bool& was_there);
  Result<RowSeeker> seek_catalogue();
  Result<ConversationRow> to_conversation(const Rows& row);
  // The members of a conversation: thoughts by part, in the order woven; connections as ranges of
  // ids, because there are many.
  struct Members {
    std::vector<Id> speakers{}, conversation{}, blocks{}, turns{}, facts{};
    std::vector<Range> connections{};
    Id creator = 0;
    // Others who made structure about it: what an older weft imported as members of it.
    std::set<Id> strangers{};
  };
  Result<Members> members_of(Id conversation);
  // --- reader_strangers.cpp
  Result<bool> has_strangers(Id conversation);
  // Sets the counts of a row to those of the creator's structure, where it counts others' too.
  Status count_own(Id conversation, ConversationRow& row);
  // Keeps what the strangers made out of the members.
  Status leave_out_strangers(Members& members);
  Result<std::vector<Id>> checkpoints_of(Id conversation, Id creator, std::vector<Cid> signers);
  Result<std::vector<Id>> conversations_beside(Id conversation, const std::vector<Cid>& pointed_at,
                                               const std::vector<Id>& checkpoints);
  // Tombstones that list something that `members` refer to.
  Result<std::vector<Id>> tombstones_beside(const Members& members);
  std::unexpected<Error> not_here(const Cid& cid);
  // The state of each_of().
  struct Visiting {
    ConversationTrees trees;
    bool are_several = false;       // conversations, which may share thoughts
    std::unordered_set<Id> seen{};  // empty if there is only one
    bool go_on = true;
    bool is_first(Id id) { return !are_several || seen.insert(id).second; }
  };
  Status visit_members(Id conversation, const Members& members, const Visit& visit,
                       Visiting& state);
  Status visit_thoughts(const std::vector<Id>& ids, const Visit& visit, Visiting& state);
  // Leaves of the trees whose thoughts were sealed.
  Status visit_gone_leaves(const Visit& visit, Visiting& state);
  Status visit_connections(const Range& range, const std::set<Id>& strangers, const Visit& visit,
                           Visiting& state);

  Database database_;
  Edges& edges_;  // of database_
  Words words_;
  Names names_;
  std::pair<Id, Cid> last_creator_{};  // of name_row()
  Signatures signatures_;
  // The tree of the checkpoint asked for last: structure is mostly read in its order.
  Id tree_of_ = 0;
  std::unique_ptr<thought::Tree> tree_;
};

}  // namespace weft::store::sql
