// RowWriter: writes commits, imports and forgets as rows, on one connection. For one thread at a
// time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "weft/store/derived.hpp"
#include "weft/store/import/import_grouping.hpp"
#include "weft/store/replacing.hpp"
#include "weft/store/sealing.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"
#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/sql/names/commit_names.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/sql/sums/sums.hpp"
#include "weft/store/sql/write/addition.hpp"
#include "weft/store/sql/write/prepared.hpp"
#include "weft/store/writer.hpp"

namespace weft::store::sql {

struct Derivation;
class ImportedTurns;

class RowWriter {
 public:
  explicit RowWriter(Database database)
      : database_(std::move(database)),
        sums_(database_.sums()),
        edges_(database_.edges()),
        words_(database_) {
    sums_.follow();
  }
  RowWriter(RowWriter&&) = delete;  // its parts point at its connection

  Result<Committed> commit(const Batch& batch);
  Result<Committed> import(const ThoughtsToImport& thoughts, const Indexer& indexer);
  // Reads the thoughts that the index is made of, on another connection: as they were before this
  // write.
  using ReadThoughts =
      std::function<Status(const std::function<Status(Id, const thought::Thought&)>&)>;
  Result<ForgetResult> forget(const ForgetRequest& forget, const ReadThoughts& read);
  Status drop(const DropRequest& request, const ReadThoughts& read);
  Status replace(const ReplaceRequest& request, const ReadThoughts& read);
  Status seal(const SealRequest& request, const ReadThoughts& read);
  Status reindex(const Indexer& indexer, const ReadThoughts& read,
                 const std::function<void(std::uint64_t done)>& progress);

  // See Filling.
  Result<bool> fill(const crypto::Keyring& keyring, std::chrono::milliseconds work);

  // See Derived.
  Result<Rebuilt> rebuild(const Indexer& indexer, const ReadThoughts& read,
                          const std::function<void(std::uint64_t, std::uint64_t)>& progress);
  Status accept();

  const Database& database() const { return database_; }
  const NameFilter& filter() const { return filter_; }

 private:
  enum class From { weaving, import };
  // A thought whose row was written, and what it is found by.
  struct NewDocument {
    Id id;
    const thought::Thought* thought;
    const ThoughtTerms* terms;
    std::uint32_t addition;
  };
  // The entries of a connection and its ends in Job::commit_names.
  struct EdgeNames {
    std::uint32_t name, from, to;
  };
  // What one write has in common.
  struct Job {
    From from;
    std::vector<NewDocument> documents{};
    IndexKeys index_keys{};
    const crypto::Keyring* keyring = nullptr;  // for what tables say of sealed layers
    CommitNames commit_names{};
    std::vector<std::vector<EdgeNames>> edges{};  // of each addition
    std::vector<Range> runs{};                    // of each addition
    std::int64_t touched = 0;
    const ImportedTurns* turns = nullptr;  // of the import whose thoughts are indexed
    // Where indexing stands: in which addition, and the turn of the document before.
    std::uint32_t indexed_addition = CommitNames::kNobody;
    Id indexed_turn = 0;
  };
  // What an addition did.
  struct Counts {
    std::int64_t turns = 0, blocks = 0, thoughts = 0;  // newly held by the conversation
    std::uint64_t stored = 0;                          // new to the store
  };
  // A row to be written.
  struct Item {
    Id id;
    std::size_t index;
    bool is_edge;
  };

  // Begins a write: in the version of the store that this weft knows, with caches that are true.
  Result<Transaction> begin(Transaction::Kind kind = Transaction::Kind::immediate);
  // Clears the caches of words and names if another process wrote since.
  Status recall();
  // Ends a write: with the sums of the tables that it changed.
  Status finish(Transaction& transaction);
  // All rows of `additions`, and the index, in the transaction that the caller has begun.
  Result<Committed> write(std::span<const Addition> additions, Job& job);
  Result<Committed> write_without_index(std::span<const Addition> additions, Job& job);
  Status name_all(std::span<const Addition> additions, Job& job);
  Status give_ids(const Addition& addition, std::uint32_t number, Job& job);
  static void leave_nameless(const Addition& addition, std::uint32_t number, Job& job);
  Result<bool> is_stored(Id id) const;

  static Job job_of(const Batch& batch);
  Status check_unsealed(const Addition& addition, const Cid& cid, Job& job) const;
  Status check_previous(const Addition& addition, Job& job) const;
  Status check_joins(const Addition& addition, Job& job) const;
  Result<Counts> write_addition(const Addition& addition, std::uint32_t number, Job& job);
  // Notes what is held; true if its row is still to be written.
  Result<bool> hold(const Addition& addition, CommitNames::Entry& entry, std::uint32_t number,
                    Id before, Job& job, bool& newly_held) const;
  // Returns the connections among them, in the order of their ids.
  Result<std::vector<Edge>> write_rows(const Addition& addition, std::uint32_t number,
                                       std::span<const Item> items, Job& job);
  Status write_thought(const thought::Thought& thought, std::string_view body,
                       const Addition& addition, Job& job);
  Result<Edge> to_edge(const Addition::Edge& edge, const EdgeNames& names, const Addition& addition,
                       Job& job);
  Status set_signature(const thought::Signature& signature, const CommitNames::Entry& entry,
                       const Addition& addition, Job& job);
  Status write_places(const Addition& addition, Job& job) const;
  Status write_joins(const Addition& addition, Job& job) const;
  Status write_source(const SourceUpdate& update, Job& job) const;
  Status write_segment(Id source, std::uint64_t generation, const Segment& segment, Job& job) const;
  Result<Id> write_source_row(const Source& source) const;
  Status write_checkpoint(const Addition& addition, Job& job) const;
  // Whether the conversation is new.
  Result<bool> write_conversation(const Addition& addition, const Counts& counts, Job& job) const;
  Result<bool> write_heading(const Addition& addition, Job& job) const;

  // --- import.cpp ----------------------------------------------------------------------
  // A thought that was written and is to be indexed.
  struct ImportedDocument {
    Id id;
    std::uint32_t thought;   // number of its outline
    std::uint32_t addition;  // counted over the whole import
  };
  // All rows of an import, in the transaction that the caller has begun. Returns how many thoughts
  // are new.
  Result<std::uint64_t> import_rows(const ThoughtsToImport& thoughts, const Indexer& indexer);
  Result<ImportGrouping> sort_import(const Outlines& outlines) const;
  Result<std::uint64_t> write_parts(const ThoughtsToImport& thoughts, const ImportGrouping& sorting,
                                    std::vector<ImportedDocument>& documents, ImportedTurns& turns);
  Status index_imported(const ThoughtsToImport& thoughts,
                        std::span<const ImportedDocument> documents, const ImportedTurns& turns,
                        const Indexer& indexer);
  // The creator of a conversation that is stored; empty if there is none.
  Result<std::optional<Cid>> find_creator(const Cid& conversation) const;
  // The newest checkpoint and facts that a conversation will have, before an import is written.
  struct NewestCids {
    Cid conversation;
    std::optional<Cid> checkpoint{}, facts{};
  };
  Result<NewestCids> newest_after(const ImportGrouping& sorting,
                                  const ImportGrouping::Group& group) const;
  Status set_newest(const NewestCids& newest) const;
  Status note_tombstones(const ThoughtsToImport& thoughts) const;
  Status refill_imported(const std::vector<NewestCids>& imported, const Indexer& indexer);

  // --- writer_index.cpp ----------------------------------------------------------------
  // Indexes job.documents; those of a number beyond `additions` are looked up in the store alone.
  Status index_new(std::span<const Addition> additions, Job& job);
  // Precondition: the rows of `thoughts` are still to be read.
  Status unindex(const std::vector<Id>& thoughts, const Indexer& indexer, const ReadThoughts& read);
  Status index_all(const Indexer& indexer, const ReadThoughts& read,
                   const std::unordered_set<Id>& without,
                   const std::function<void(std::uint64_t done)>& progress);
  // After a commit: merges in proportion to what it added to the index.
  void merge_index();
  Result<bool> merge_piece(std::uint64_t bytes, Transaction::Kind kind);

  // --- writer_rebuild.cpp --------------------------------------------------------------
  Status rebuild_tables(Derivation& from, const std::vector<StoreFinding>& before,
                        const Indexer& indexer, const ReadThoughts& read);

  // --- writer_late.cpp -----------------------------------------------------------------
  LateContext late(const crypto::Keyring* keyring) { return {database_, edges_, words_, keyring}; }
  // What an addition brought to its conversation.
  struct Added {
    std::span<const Item> items;  // the rows that it wrote
    std::span<const Edge> edges;  // the connections among them
    std::span<const Id> shared;   // thoughts that were stored before
  };
  Status add_late(const Addition& addition, std::uint32_t number, const Added& rows, bool is_new,
                  Job& job);
  // The conversations whose rows in late tables depend on those of `conversations`.
  Result<std::vector<Id>> depend_on(const std::vector<Id>& conversations) const;
  // Adds those that hold a block which a conversation superseded or summarized.
  Status note_changed(Id conversation, std::vector<Id>& found) const;

  // --- writer_forget.cpp ---------------------------------------------------------------
  // Whether we ourselves forgot this conversation.
  Result<bool> was_forgotten(const Cid& conversation) const;
  Status write_signed(const ForgetRequest& forget, const RowsToForget& removal, Job& job);
  Status note_tombstone(const thought::Thought& thought, Id id) const;
  Status sign_again(const ForgetRequest& forget, const RowsToForget& removal, Job& job);
  Status keep_paths(const RowsToForget& removal, const std::unordered_set<Id>& done);
  Status write_signature(const RowsToForget::Orphan& orphan, std::vector<Digest> path, Paths paths);
  Status remove_rows(const RowsToForget& removal);
  Status remove_words(const std::unordered_set<Id>& words);
  Status remove_effects(Id id);
  Status keep_spoken_of(const RowsToForget& removal) const;
  Status remove_from_index(Id id) const;
  Status remove_sources(const RowsToForget& removal, ForgetResult& forgotten) const;

  // --- writer_seal.cpp -----------------------------------------------------------------
  // The ids of one that is sealed.
  struct SealedIds {
    Id clear = 0, sealed = 0;
  };
  Status seal_rows(const SealRequest& request, std::span<const Addition> additions,
                   const ReadThoughts& read);
  Result<std::vector<Id>> find_clear(const SealRequest& request) const;
  Status replace_clear(const SealedIds& ids, const std::vector<Id>& conversations);
  Status write_repacked(const SealRequest::Source& source) const;
  Status check_archive_of(const std::vector<Id>& conversations, const std::vector<Id>& clear) const;

  // --- writer_replace.cpp --------------------------------------------------------------
  // What only this store knows of a conversation.
  struct LocalRows {
    Id conversation = 0;
    std::int64_t adopted = 0;
    std::vector<std::pair<std::string, Id>> places{}, marks{}, waits{};  // by key
    std::vector<Id> sources{};
  };
  Status replace_rows(const ReplaceRequest& request, const ReadThoughts& read);
  Result<std::vector<Id>> keep_names(RowsToForget& removal) const;
  Status remove_names(const std::vector<Id>& names, const Outlines& outlines) const;
  Status write_tip(const ReplaceRequest& request);
  Status resign_orphans(const RowsToForget& removal);
  Result<LocalRows> read_local(const RowsToForget& removal) const;
  Status write_local(const LocalRows& local, const std::map<Cid, Cid>& turns) const;
  Status set_aside(const RowsToForget& removal, const Outlines& outlines) const;

  // --- writer_drop.cpp -----------------------------------------------------------------
  Status write_tombstone(const thought::Thought& tombstone, const thought::Thought& owner);
  Status remove_traces(const RowsToForget& removal) const;
  Status count_again(Id conversation) const;

  Database database_;
  Sums& sums_;    // of database_
  Edges& edges_;  // of database_
  Words words_;
  NameFilter filter_;
  std::int64_t foreign_commits_ = 0;  // when the caches were filled
  std::string because_, signature_;   // reused from row to row
};

}  // namespace weft::store::sql
