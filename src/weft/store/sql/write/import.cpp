// Thoughts of another store: sorted into conversations, then written like woven ones.
#include "weft/base/try.hpp"
#include "weft/store/import/import_grouping.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::store::sql {
namespace {

// The end of the chain that `now` is in, or of the one that came where there was none. A
// chain that does not continue ours stays aside: what is woven next goes on with ours.
std::optional<Cid> newest_checkpoint(const ImportGrouping& sorting,
                                     const ImportGrouping::Group& group, std::optional<Cid> now) {
  for (const std::size_t index : group.checkpoints) {
    if (!now || sorting.checkpoint(index).previous == now) now = sorting.thought(index).cid;
  }
  return now;
}

}  // namespace

Status RowWriter::set_newest(const Cid& conversation, const ImportGrouping& sorting,
                             const ImportGrouping::Group& group, Job& job) const {
  const Id id = job.commit_names.id(conversation);
  WEFT_TRY_VALUE(auto newest, newest_of(database_, id));
  std::optional<Cid> before;
  if (newest.checkpoint) {
    WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, *newest.checkpoint));
    before = cid;
  }
  const std::optional<Cid> now = newest_checkpoint(sorting, group, before);
  if (now) {
    // It may be one that we had and that did not come again.
    WEFT_TRY_VALUE(auto found, find_id(database_, words_, *now));
    newest.checkpoint = found;
  }
  newest.facts = newest_facts(sorting, group, newest.facts, now != before, job);
  return database_.run("UPDATE conversations SET checkpoint = ?, facts = ? WHERE id = ?",
                       newest.checkpoint, newest.facts, id);
}

// By the order of commits, which is that of the import; never by the clocks that facts state. The
// facts that the store has stay the newest unless the import continues them: it adds to the chain
// of checkpoints, or has facts behind the ones that are here.
std::optional<Id> RowWriter::newest_facts(const ImportGrouping& sorting,
                                          const ImportGrouping::Group& group,
                                          std::optional<Id> before, bool has_grown, Job& job) {
  std::optional<Id> newest = before;
  bool is_behind = !before || has_grown;
  for (const std::size_t index : group.facts) {
    const CommitNames::Entry& entry = job.commit_names.at(sorting.thought(index).cid);
    if (entry.id == before) is_behind = true;
    const bool is_new = entry.owner != CommitNames::kNobody;
    if (is_behind && is_new) newest = entry.id;
  }
  return newest;
}

Result<std::optional<Cid>> RowWriter::find_creator(const Cid& conversation) const {
  WEFT_TRY_VALUE(auto id, find_id(database_, words_, conversation));
  if (!id) return std::nullopt;
  WEFT_TRY_VALUE(auto newest, newest_of(database_, *id));
  if (!newest.creator) return std::nullopt;
  WEFT_TRY_VALUE(auto creator, get_cid(database_, words_, *newest.creator));
  return creator;
}

Result<Committed> RowWriter::import(const std::vector<thought::Thought>& thoughts,
                                    const Indexer& indexer) {
  WEFT_TRY_VALUE(auto transaction,
                 sqlite::Transaction::begin(database_, sqlite::Transaction::Kind::immediate));
  WEFT_TRY(recall());
  Status looked_up;
  const auto creator_of = [&](const Cid& conversation) -> std::optional<Cid> {
    Result<std::optional<Cid>> creator = find_creator(conversation);
    if (creator) return *creator;
    looked_up = fail(std::move(creator).error());
    return std::nullopt;
  };
  Result<ImportGrouping> sorting = ImportGrouping::sort(thoughts, creator_of);
  if (!looked_up) return fail(std::move(looked_up).error());
  if (!sorting) return fail(std::move(sorting).error());

  for (const auto& [conversation, group] : sorting->groups()) {
    WEFT_TRY_VALUE(auto forgotten, was_forgotten(conversation));
    if (forgotten) {
      return fail(ErrorCode::invalid_input,
                  "conversation " + conversation.str() +
                      " was forgotten in this store and is not imported again");
    }
  }
  Job job{.from = From::import, .index_keys = keys_of(indexer)};
  std::vector<Addition> additions = sorting->additions();
  std::unordered_map<const thought::Thought*, std::optional<ThoughtTerms>> made;
  for (Addition& addition : additions) {
    for (const thought::Thought* thought : addition.thoughts) {
      const auto [at, is_new] = made.try_emplace(thought);
      if (is_new) at->second = terms_of(*thought, indexer);
      addition.terms.push_back(at->second ? &*at->second : nullptr);
    }
  }
  Result<Committed> committed = write(additions, job);
  Status status = committed ? Status() : fail(committed.error());
  for (const auto& [conversation, group] : sorting->groups()) {
    if (status) status = set_newest(conversation, *sorting, group, job);
  }
  for (const thought::Thought& thought : thoughts) {
    if (status && thought.type == thought::kTombstoneType) {
      status = note_tombstone(thought, job.commit_names.id(thought.cid));
    }
  }
  if (status) status = transaction.commit();
  if (!status) {
    words_.forget();
    return fail(std::move(status).error());
  }
  committed->new_by_unit = {committed->new_thoughts};
  return committed;
}

}  // namespace weft::store::sql
