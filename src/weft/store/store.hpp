// A store of thoughts. Implementation: SQLite. The contract suite (store_contract_for_test.hpp,
// store_*_test.cpp) states what every implementation must do; docs/design.md, "Store".
//
// Thoughts are written once and never change. A commit is all or nothing: thoughts,
// edges both ways, places, checkpoints. Reads may come from any thread and see the last
// commit; several processes may read while one writes; a second writer waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/forget.hpp"
#include "weft/store/search.hpp"
#include "weft/store/source.hpp"
#include "weft/weave/commit_unit.hpp"
#include "weft/weave/known_web.hpp"

namespace weft::store {

// When a commit is on the disk itself. Either survives the end of this process at any moment; `now`
// survives the loss of power, too, and costs a flush of the disk.
enum class Sync { later, now };

// What one commit adds: any number of conversations at once.
struct Batch {
  std::vector<weave::CommitUnit> units{};
  // Made by pack(): for each of `woven`, for each of its thoughts. A commit makes those
  // that are missing.
  std::vector<std::vector<std::string>> bodies{};
  // Likewise: what each is found by; empty for what nothing finds. Those that a commit makes
  // are of clear text alone, for it has no keys.
  std::vector<std::vector<std::optional<ThoughtTerms>>> terms{};
  IndexKeys index_keys{};
  // How far the files are taken in with this. conflict if one is no longer at the
  // revision that was read.
  std::vector<SourceUpdate> sources{};
  Sync sync = Sync::later;
};

// What a thought says to who holds the keys: the canonical JSON of its content, of its metadata
// layer and of its content layer, one after the other; without those that the keyring does not
// open.
std::string plaintext_of(const thought::Thought& thought, const crypto::Keyring* keyring);
// For each of a batch's `woven`, of each of its thoughts.
using Plaintexts = std::vector<std::vector<std::string>>;

// Does ahead, on any thread, what a commit would do without the store: compresses bodies and
// makes terms, a third of its time. What they say comes with it, as far as the indexer's keyring
// opens it.
Plaintexts prepare(Batch& batch, const Indexer& indexer);

// What a commit did. Counts leave out checkpoints and facts.
struct Committed {
  std::uint64_t new_thoughts = 0;
  std::vector<std::uint64_t> new_by_unit;  // in the order of Batch::woven
};

enum class Direction { from, to, both };

// A conversation as lists show it.
struct ConversationRow {
  Cid cid;
  std::string format, session_id, source;
  Millis created_at = 0;
  std::optional<Cid> facts{};       // the newest conversation_facts
  std::uint64_t turn_count = 0;     // turns
  std::uint64_t thought_count = 0;  // all that it holds, without checkpoints and facts
  std::uint64_t block_count = 0;    // places
};

// A block where it stands: in a turn, at a position.
struct PlacedBlock {
  std::uint64_t mark = 0;  // later ones have larger marks, in this store and in no other
  Cid turn, block;
  std::uint64_t position = 0;
};

// What was added to since some checkpoint.
struct ChangesSince {
  std::vector<Cid> conversations{};  // each once, in the order of their last commit
  std::optional<Cid> checkpoint{};   // the newest there is; empty in an empty store
};

struct ConversationFilter {
  std::optional<std::string> format{};
  std::optional<std::string> session_id{};
};

// A thought as far as checking it takes: with the canonical form that is hashed, made from
// the stored bytes; its content is there for identities and checkpoints alone, of what others
// are checked by.
struct CanonicalThought {
  thought::Thought thought{};
  std::string canonical{};
};

// A piece of the store, some thousand rows or less; only the store knows which.
struct ScanRange {
  std::int64_t first = 0, last = 0;
};

// Who is told of each row of a stretch. What they are given holds until they return.
struct Inspector {
  std::function<void(const CanonicalThought& form)> thought;
  // Without a name where only its own columns say it: then whoever checks hashes them, and
  // the tree that signs it tells whether they are those that were stored.
  std::function<void(const std::optional<Cid>& name, const thought::Connection& connection)>
      connection;
  std::function<void(const Cid& name)> dangling;  // something refers to it, and it is not there
  std::function<void(const Cid& name, const std::string& reason)> broken;  // cannot be read back
};

class Store {
 public:
  virtual ~Store() = default;

  // What weaving looks up. Lives as long as the store.
  virtual const weave::KnownWeb& known_web() const = 0;

  // All of `batch`, or nothing. A thought that is there already is not an error.
  // conflict if a conversation was added to since its weaving began, or if a leaf was
  // signed by another checkpoint meanwhile: weave again on the new state. unavailable, with the
  // file and the reason, on a full disk, or if another process held the store for 30 seconds.
  [[nodiscard]] virtual Result<Committed> commit(const Batch& batch) = 0;

  virtual Result<bool> has(const Cid& cid) const = 0;
  // Any thought, connections too, as sealed as it is stored and with its signature,
  // tree paths included. not_found if it was never stored. corrupt if its bytes cannot
  // be read back; whether they still hash to `cid` is for whoever checks.
  virtual Result<thought::Thought> get(const Cid& cid) const = 0;

  // The same without tree paths, for whoever does not check signatures: a path is made of all
  // the leaves beside it, of which a checkpoint may have thousands.
  virtual Result<thought::Thought> get_pathless(const Cid& cid) const = 0;

  // Up to `limit` names of stored thoughts that begin with these hex digits, in order.
  virtual Result<std::vector<Cid>> find_by_prefix(std::string_view hex,
                                                  std::size_t limit) const = 0;

  // Edges at `cid`: by relation if one is given. Those from it come first, each side by
  // index, then in the order woven.
  virtual Result<std::vector<thought::Connection>> connections(
      const Cid& cid, std::optional<std::string_view> relation, Direction direction) const = 0;
  // The other end of edges alone, for walking: no signatures are made.
  virtual Result<std::vector<Cid>> neighbours(const Cid& cid, std::string_view relation,
                                              Direction direction) const = 0;

  // Thoughts that exist because of `cid`, in the order stored.
  virtual Result<std::vector<Cid>> effects(const Cid& cid) const = 0;

  // In the order of their last commit, newest first.
  virtual Result<std::vector<ConversationRow>> conversations(
      const ConversationFilter& filter) const = 0;
  // not_found
  virtual Result<ConversationRow> conversation(const Cid& cid) const = 0;
  // The conversations in which a block or turn stands, newest place first.
  virtual Result<std::vector<Cid>> conversations_of(const Cid& thought) const = 0;

  // The first `limit` blocks of a kind ("human_input") in its turns, in their order, without those
  // that were superseded. What is of another kind is not read.
  virtual Result<std::vector<Cid>> find_blocks(const Cid& conversation, std::string_view kind,
                                               std::size_t limit) const = 0;

  // What came to stand in a conversation's turns after `mark` (0: from the beginning), in the
  // order woven, at most `limit`; superseded blocks too. What came before is not read. None if
  // there is no such conversation.
  virtual Result<std::vector<PlacedBlock>> placed_blocks(const Cid& conversation,
                                                         std::uint64_t mark,
                                                         std::size_t limit) const = 0;
  // The conversations that were added to after this checkpoint was; all of them without one.
  // not_found if it is no checkpoint of this store.
  virtual Result<ChangesSince> changes_since(const std::optional<Cid>& checkpoint) const = 0;

  // Every thought that a conversation holds, checkpoints and facts included: identities
  // and schemas first, then the conversation, its blocks in the order woven, turns,
  // connections, facts, checkpoints by their chain; before these, the checkpoints of other
  // conversations that sign what it shares with them, and the thoughts of other conversations
  // that any of this speaks of; last, tombstones that list something it leads to. Stops when
  // `visit` returns false. not_found.
  virtual Status each_of(const Cid& conversation,
                         const std::function<bool(thought::Thought)>& visit) const = 0;

  // --- search --------------------------------------------------------------------------
  // What is committed can be found; what is found is committed. An empty query, or one of
  // nothing but what must not be, finds nothing; filters alone find all that passes them.
  virtual Result<SearchAnswer> search(const SearchRequest& request) const = 0;
  virtual Result<TurnAnswer> search_turns(const SearchRequest& request) const = 0;
  // Where a thought stands, or the block that it hangs on, the newest place first.
  virtual Result<std::vector<ThoughtPlace>> places_of(const Cid& thought) const = 0;
  // Makes the index anew from the thoughts, as `indexer` reads them. `progress` is told how many of
  // how many are done. All or nothing: until it is through, what was found before is found.
  [[nodiscard]] virtual Status reindex(
      const Indexer& indexer,
      const std::function<void(std::uint64_t done, std::uint64_t all)>& progress) = 0;

  // --- sources -----------------------------------------------------------------------
  // Empty if nothing of that name was taken in.
  virtual Result<std::optional<Source>> find_source(const SourceKey& key) const = 0;
  // By the file itself, for one that was renamed.
  virtual Result<std::vector<Source>> find_file(std::uint64_t device,
                                                std::uint64_t inode) const = 0;
  // All, in the order first taken in.
  virtual Result<std::vector<Source>> sources() const = 0;
  // In which conversations a source's records stand, and the sources of a conversation.
  virtual Result<std::vector<Cid>> conversations_in(const SourceKey& key) const = 0;
  virtual Result<std::vector<Source>> sources_of(const Cid& conversation) const = 0;
  // The archived pieces of a generation, in order. Stops when `visit` returns false.
  virtual Status each_segment(const SourceKey& key, std::uint64_t generation,
                              const std::function<bool(Segment)>& visit) const = 0;
  // The last of them; empty if there is none.
  virtual Result<std::optional<Segment>> last_segment(const SourceKey& key,
                                                      std::uint64_t generation) const = 0;

  // The identity of whoever wove the first of the conversations here, or else of whoever forgot
  // them. What came by import has no say. Empty as long as nobody has done either.
  virtual Result<std::optional<Cid>> owner() const = 0;

  // --- for checking the store as a whole -------------------------------------------
  // Every stored thought that is no connection, in no order that matters; tree signatures
  // come without their paths, which follow from the leaves. A row that cannot be read back
  // is told to `broken`. Called from the calling thread.
  virtual Status each_thought(
      const std::function<bool(thought::Thought)>& visit,
      const std::function<void(const Cid&, const std::string& reason)>& broken) const = 0;
  // Connections likewise.
  virtual Status each_connection(
      const std::function<bool(const Cid& name, thought::Connection)>& visit,
      const std::function<void(const Cid&, const std::string& reason)>& broken) const = 0;
  // All that is stored, in pieces that may be inspected at the same time, each on a thread of
  // its own. What is committed later is in none of them.
  virtual Result<std::vector<ScanRange>> scan_ranges() const = 0;
  // Thoughts, connections and dangling names alike, tree signatures without their paths.
  virtual Status inspect(const ScanRange& range, const Inspector& inspector) const = 0;
  // Checkpoints in the order committed: the head of heads is their running hash.
  virtual Result<std::vector<Cid>> checkpoint_log() const = 0;
  // The leaves of a checkpoint's tree, as it was signed. Empty where only single
  // signatures through it are held (imports). A leaf that is gone, name and all, is Cid().
  virtual Result<std::vector<Cid>> leaves(const Cid& checkpoint) const = 0;
  // Names that something stored refers to and that are not there. A connection whose name
  // went with it shows in leaves().
  virtual Result<std::vector<Cid>> dangling() const = 0;

  // Thoughts of another store, checked by the caller, with their signatures as they are and
  // in any order. Which conversation holds what is read off the thoughts; what belongs to
  // none is stored all the same. invalid_input if a connection says more than one can.
  // invalid_input too if it brings a conversation that was forgotten here.
  // `indexer` says what of them can be found.
  [[nodiscard]] virtual Result<Committed> adopt(const std::vector<thought::Thought>& thoughts,
                                                const Indexer& indexer = {}) = 0;

  // --- forgetting ----------------------------------------------------------------------
  // What forgetting these would take away. `owner`, the identity of who forgets, stays.
  // not_found if one is no conversation here.
  virtual Result<ForgetPlan> plan_forget(const std::vector<Cid>& conversations,
                                         const Cid& owner) const = 0;
  // All of it, or nothing: the conversations, what no other holds, and what is kept of the
  // files in which they stand. Their checkpoints stay in the log, without leaves, and the
  // tombstone joins it. conflict if the store is not as `what` says any more.
  [[nodiscard]] virtual Result<ForgetResult> forget(const ForgetRequest& forget) = 0;
  // Makes sure that nothing of what was forgotten is left in the store's files. Nothing to do
  // is not an error. False if somebody still reads an older state: try again later. Also
  // after a forget that was cut off. unavailable on a full disk.
  [[nodiscard]] virtual Result<bool> scrub() = 0;
  // Tombstones that list this thought, by whomever; whether they hold is for whoever checks.
  virtual Result<std::vector<Cid>> tombstones_of(const Cid& cid) const = 0;
};

// `path` is the database file, made if it is not there and `create` says so; else
// not_found. A store made by a newer weft is refused as invalid_input; a file that is no
// store, as corrupt.
enum class Create { no, yes };
Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, Create create);

}  // namespace weft::store
