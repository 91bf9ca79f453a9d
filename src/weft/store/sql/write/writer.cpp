// A commit, from values to rows: name everything, then write addition by addition.
#include "weft/store/sql/write/writer.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/forget/sealed.hpp"
#include "weft/store/sql/full_text.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sql/write/batch_additions.hpp"
#include "weft/store/sql/write/counted.hpp"
#include "weft/thought/structure.hpp"

namespace weft::store::sql {
namespace {

bool is_by_tree(const thought::Signature& signature) {
  return std::holds_alternative<thought::TreeSignature>(signature);
}

bool stands_at_its_leaf(const Addition::Edge& edge, const Addition& addition) {
  const auto* tree = std::get_if<thought::TreeSignature>(&edge.connection->signature);
  return tree != nullptr && addition.checkpoint == tree->checkpoint &&
         tree->index < addition.leaves.size() && addition.leaves[tree->index] == edge.name;
}

template <class EdgeNames>
void enter_all(const Addition& addition, CommitNames& commit_names, std::vector<EdgeNames>& edges) {
  for (const std::optional<Cid>& cid :
       {addition.conversation, addition.checkpoint, addition.checked, addition.previous}) {
    if (cid) commit_names.enter(*cid);
  }
  const auto enter_signature = [&commit_names](const thought::Signature& signature) {
    if (const auto* tree = std::get_if<thought::TreeSignature>(&signature)) {
      commit_names.enter(tree->checkpoint);
    }
  };
  for (const thought::Thought* thought : addition.thoughts) {
    commit_names.enter(thought->cid);
    commit_names.enter(thought->created_by);
    if (thought->source) commit_names.enter(*thought->source);
    for (const thought::ContentRef& ref : thought->because) commit_names.enter(ref.thought);
    enter_signature(thought->signature);
  }
  edges.reserve(addition.edges.size());
  for (const Addition::Edge& edge : addition.edges) {
    commit_names.enter(edge.connection->created_by);
    enter_signature(edge.connection->signature);
    const std::uint32_t name = commit_names.enter_index(edge.name);
    commit_names.entry(name).is_edge = true;
    edges.push_back({name, commit_names.enter_index(edge.connection->from),
                     commit_names.enter_index(edge.connection->to)});
  }
  for (const Cid& leaf : addition.leaves) commit_names.enter(leaf);
  for (const weave::Place& place : addition.places) commit_names.enter(place.thought);
  for (const weave::Mark& mark : addition.marks) commit_names.enter(mark.call);
  for (const Cid& child : addition.joined) commit_names.enter(child);
  for (const weave::Wait& wait : addition.met) commit_names.enter(wait.conversation);
}

// Commits are on the disk before they return as long as this lives. Use it outside of transactions
// only.
class FlushingCommits {
 public:
  static Result<FlushingCommits> begin(const Database& database) {
    WEFT_TRY(database.backend().set_sync(Sync::now));
    return FlushingCommits(database);
  }
  FlushingCommits(FlushingCommits&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  FlushingCommits& operator=(FlushingCommits&&) = delete;
  ~FlushingCommits() {
    if (database_ != nullptr) std::ignore = database_->backend().set_sync(Sync::later);
  }

 private:
  explicit FlushingCommits(const Database& database) : database_(&database) {}
  const Database* database_;
};

}  // namespace

Result<Committed> RowWriter::commit(const Batch& batch) {
  const BatchAdditions batched(batch);
  std::optional<FlushingCommits> flushing;
  if (batch.sync == Sync::now) {
    WEFT_TRY_VALUE(auto begun, FlushingCommits::begin(database_));
    flushing.emplace(std::move(begun));
  }
  WEFT_TRY_VALUE(auto transaction, begin());
  Job job = job_of(batch);
  Result<Committed> committed = write(batched.additions(), job);
  for (const SourceUpdate& update : batch.sources) {
    if (!committed) break;
    Status status = write_source(update, job);
    if (!status) committed = fail(std::move(status).error());
  }
  if (committed) {
    if (Status status = finish(transaction); !status) committed = fail(std::move(status).error());
  }
  if (!committed) {
    words_.forget();
    return committed;
  }
  flushing.reset();
  merge_index();
  return committed;
}

RowWriter::Job RowWriter::job_of(const Batch& batch) {
  Job job{.from = From::weaving};
  if (const PreparedUnits* prepared = find_prepared(batch)) {
    job.index_keys = prepared->index_keys;
    job.keyring = prepared->keyring;
  }
  return job;
}

Status RowWriter::finish(Transaction& transaction) {
  WEFT_TRY(sums_.flush());
  return transaction.commit();
}

Result<Transaction> RowWriter::begin(Transaction::Kind kind) {
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database_, kind));
  WEFT_TRY(database_.backend().check_current());
  WEFT_TRY(recall());
  database_.full_text().discard();
  return transaction;
}

Status RowWriter::recall() {
  WEFT_TRY_VALUE(const auto commits, database_.backend().count_foreign_commits());
  if (commits != foreign_commits_) {
    words_.forget();
    WEFT_TRY(words_.read_common());
    filter_.turn_off();
  }
  foreign_commits_ = commits;
  return {};
}

Result<Committed> RowWriter::write(std::span<const Addition> additions, Job& job) {
  Result<Committed> committed = write_without_index(additions, job);
  if (!committed) return committed;
  WEFT_TRY(index_new(additions, job));
  return committed;
}

Result<Committed> RowWriter::write_without_index(std::span<const Addition> additions, Job& job) {
  WEFT_TRY(name_all(additions, job));
  Rows newest = database_.query("SELECT max(touched) FROM conversations");
  if (newest.next()) job.touched = newest.integer(0);
  WEFT_TRY(newest.status());

  Committed committed;
  for (std::uint32_t number = 0; number < additions.size(); ++number) {
    WEFT_TRY_VALUE(auto counts, write_addition(additions[number], number, job));
    committed.new_thoughts += counts.stored;
    committed.new_by_unit.push_back(counts.stored);
  }
  return committed;
}

Status RowWriter::name_all(std::span<const Addition> additions, Job& job) {
  std::size_t expected = 0;
  for (const Addition& addition : additions) {
    expected += 2 * addition.thoughts.size() + addition.edges.size();
  }
  job.commit_names.reserve(expected);
  job.edges.assign(additions.size(), {});
  for (std::size_t i = 0; i < additions.size(); ++i) {
    enter_all(additions[i], job.commit_names, job.edges[i]);
  }
  WEFT_TRY(job.commit_names.look_up(database_, words_, filter_));
  for (std::uint32_t number = 0; number < additions.size(); ++number) {
    WEFT_TRY(give_ids(additions[number], number, job));
  }
  return job.commit_names.write(database_, filter_);
}

// In a run: thoughts signed on their own in the order woven, then what the tree signs,
// leaf by leaf. So what is read together lies together, and leaves are a range.
Status RowWriter::give_ids(const Addition& addition, std::uint32_t number, Job& job) {
  const Id first = job.commit_names.next_id();
  std::vector<Cid> by_tree;
  const auto give = [&](const Cid& cid) -> Status {
    CommitNames::Entry& entry = job.commit_names.at(cid);
    if (entry.id == 0) {
      job.commit_names.give_id(entry, number);
    } else if (entry.owner == CommitNames::kNobody && !entry.stored) {
      WEFT_TRY_VALUE(auto stored, is_stored(entry.id));
      entry.stored = stored;
    }
    return {};
  };
  for (const thought::Thought* thought : addition.thoughts) {
    if (is_by_tree(thought->signature)) {
      by_tree.push_back(thought->cid);
    } else if (Status status = give(thought->cid); !status) {
      return status;
    }
  }
  for (const Addition::Edge& edge : addition.edges) {
    if (is_by_tree(edge.connection->signature)) {
      by_tree.push_back(edge.name);
    } else if (Status status = give(edge.name); !status) {
      return status;
    }
  }
  for (const Cid& leaf : addition.leaves) {
    WEFT_TRY(give(leaf));
  }
  if (job.from == From::import) {  // where the tree is not known
    for (const Cid& cid : by_tree) WEFT_TRY(give(cid));
  }
  leave_nameless(addition, number, job);
  job.runs.push_back({first, static_cast<std::uint64_t>(job.commit_names.next_id() - first)});
  return {};
}

// Edges of this tree need no name but their columns. Not those between edges: whoever makes a
// name of columns finds the names of both ends.
void RowWriter::leave_nameless(const Addition& addition, std::uint32_t number, Job& job) {
  if (job.from != From::weaving || !addition.checkpoint) return;
  for (std::size_t i = 0; i < addition.edges.size(); ++i) {
    const EdgeNames& names = job.edges[number][i];
    CommitNames::Entry& entry = job.commit_names.entry(names.name);
    entry.is_nameless = entry.owner == number && stands_at_its_leaf(addition.edges[i], addition) &&
                        !job.commit_names.entry(names.from).is_edge &&
                        !job.commit_names.entry(names.to).is_edge;
  }
}

Result<bool> RowWriter::is_stored(Id id) const {
  Rows rows = database_.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM thoughts WHERE id = ?1) OR "
      "EXISTS (SELECT 1 FROM connections WHERE id = ?1) AS INTEGER)",
      id);
  const bool stored = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return stored;
}

Status RowWriter::check_previous(const Addition& addition, Job& job) const {
  WEFT_TRY_VALUE(auto newest, newest_of(database_, job.commit_names.id(*addition.conversation)));
  std::optional<Id> expected;
  if (addition.previous) expected = job.commit_names.id(*addition.previous);
  WEFT_TRY_VALUE(auto forgotten, was_forgotten(*addition.conversation));
  if (newest.checkpoint == expected && !forgotten) return {};
  return fail(ErrorCode::conflict, "conversation " + addition.conversation->brief() +
                                       " was changed by another process meanwhile; weave it again");
}

// What joins two conversations may have lost its other end meanwhile: that one was forgotten.
Status RowWriter::check_joins(const Addition& addition, Job& job) const {
  for (const Addition::Edge& edge : addition.edges) {
    if (!thought::joins_conversations(edge.connection->relation)) continue;
    for (const Cid& end : {edge.connection->from, edge.connection->to}) {
      const CommitNames::Entry& entry = job.commit_names.at(end);
      if (entry.stored || entry.owner != CommitNames::kNobody) continue;
      WEFT_TRY_VALUE(auto stored, is_stored(entry.id));
      if (stored) continue;
      return fail(ErrorCode::conflict,
                  "thought " + end.brief() + ", an end of a connection, was removed meanwhile");
    }
  }
  return {};
}

// The owner sealed this thought since it was woven.
Status RowWriter::check_unsealed(const Addition& addition, const Cid& cid, Job& job) const {
  const thought::Thought& last = *addition.thoughts.back();
  if (addition.checkpoint != last.cid) return {};
  WEFT_TRY_VALUE(const auto sealed,
                 find_sealed(database_, words_, cid, job.commit_names.id(last.created_by)));
  if (!sealed) return {};
  return fail(ErrorCode::conflict, "thought " + cid.brief() + " was sealed meanwhile; weave again");
}

Result<RowWriter::Counts> RowWriter::write_addition(const Addition& addition, std::uint32_t number,
                                                    Job& job) {
  if (job.from == From::weaving) {
    Status status = check_previous(addition, job);
    if (status) status = check_joins(addition, job);
    if (!status) return fail(std::move(status).error());
  }
  const Range& run = job.runs[number];
  if (run.count > 0 && addition.conversation) {
    WEFT_TRY(database_.run("INSERT INTO runs (first, last, conversation) VALUES (?, ?, ?)",
                           run.first, run.first + static_cast<Id>(run.count) - 1,
                           job.commit_names.id(*addition.conversation)));
  }

  Counts counts;
  std::vector<Item> items;
  std::vector<Id> shared;
  items.reserve(addition.thoughts.size() + addition.edges.size());
  Id before = run.first;  // what the next shared thought comes before
  for (std::size_t i = 0; i < addition.thoughts.size(); ++i) {
    const thought::Thought& thought = *addition.thoughts[i];
    bool newly_held = false;
    CommitNames::Entry& entry = job.commit_names.at(thought.cid);
    WEFT_TRY_VALUE(auto to_write, hold(addition, entry, number, before, job, newly_held));
    // A name without a row: it was forgotten, or sealed.
    const bool is_gone = to_write && entry.owner == CommitNames::kNobody;
    if (is_gone && job.from == From::weaving) WEFT_TRY(check_unsealed(addition, thought.cid, job));
    if (entry.owner == number && !is_by_tree(thought.signature)) before = entry.id + 1;
    if (to_write) items.push_back({entry.id, i, false});
    else if (newly_held) shared.push_back(entry.id);
    if (!is_counted(thought.type)) continue;
    counts.stored += to_write ? 1 : 0;
    counts.thoughts += newly_held ? 1 : 0;
  }
  for (std::size_t i = 0; i < addition.edges.size(); ++i) {
    const Addition::Edge& edge = addition.edges[i];
    CommitNames::Entry& entry = job.commit_names.entry(job.edges[number][i].name);
    bool newly_held = false;
    WEFT_TRY_VALUE(auto to_write, hold(addition, entry, number, before, job, newly_held));
    if (to_write) items.push_back({entry.id, i, true});
    counts.stored += to_write ? 1 : 0;
    if (!newly_held) continue;
    ++counts.thoughts;
    if (edge.connection->relation != "contains") continue;
    ++(edge.connection->from == addition.conversation ? counts.turns : counts.blocks);
  }
  std::ranges::sort(items, {}, &Item::id);
  WEFT_TRY_VALUE(const auto edges, write_rows(addition, number, items, job));
  Status status = write_places(addition, job);
  if (status) status = write_joins(addition, job);
  if (status) status = write_checkpoint(addition, job);
  if (!status) return fail(std::move(status).error());
  if (!addition.conversation) return counts;
  WEFT_TRY_VALUE(const bool is_new, write_conversation(addition, counts, job));
  if (job.from == From::weaving) {
    WEFT_TRY(add_late(addition, number, {.items = items, .edges = edges, .shared = shared}, is_new,
                      job));
  }
  return counts;
}

Result<bool> RowWriter::hold(const Addition& addition, CommitNames::Entry& entry,
                             std::uint32_t number, Id before, Job& job, bool& newly_held) const {
  const bool to_write = !entry.stored;
  entry.stored = true;
  if (entry.owner == number) {
    newly_held = to_write;  // not if it stands in this addition twice
    return to_write;
  }
  if (!addition.conversation) return to_write;
  WEFT_TRY(
      database_.run("INSERT INTO shares (conversation, thought, before) SELECT ?1, ?2, ?3 "
                    "WHERE coalesce((SELECT last FROM runs WHERE conversation = ?1 AND first <= ?2 "
                    "ORDER BY first DESC LIMIT 1), 0) < ?2 ON CONFLICT DO NOTHING",
                    job.commit_names.id(*addition.conversation), entry.id, before));
  newly_held = database_.changes() > 0;
  return to_write;
}

}  // namespace weft::store::sql
