// Thoughts of another store: sorted into conversations, then written like woven ones.
#include "weft/base/try.hpp"
#include "weft/store/import/import_grouping.hpp"
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
  sqlite::Rows row = database_.query(
      "SELECT checkpoint, facts, (SELECT created_at FROM thoughts WHERE id = facts) "
      "FROM conversations WHERE id = ?",
      id);
  if (!row.next()) return row.status();
  std::optional<Id> checkpoint = row.find_integer(0), facts = row.find_integer(1);
  const std::optional<Millis> facts_at = row.find_integer(2);

  std::optional<Cid> now;
  if (checkpoint) {
    WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, *checkpoint));
    now = cid;
  }
  now = newest_checkpoint(sorting, group, now);
  if (now) {
    // It may be one that we had and that did not come again.
    WEFT_TRY_VALUE(auto found, find_id(database_, words_, *now));
    checkpoint = found;
  }
  if (group.facts && (!facts_at || sorting.thought(*group.facts).created_at > *facts_at)) {
    facts = job.commit_names.id(sorting.thought(*group.facts).cid);
  }
  return database_.run("UPDATE conversations SET checkpoint = ?, facts = ? WHERE id = ?",
                       checkpoint, facts, id);
}

Result<Committed> RowWriter::import(const std::vector<thought::Thought>& thoughts,
                                    const Indexer& indexer) {
  WEFT_TRY_VALUE(auto transaction,
                 sqlite::Transaction::begin(database_, sqlite::Transaction::Kind::immediate));
  WEFT_TRY(recall());
  Status looked_up;
  const auto is_known = [&](const Cid& conversation) {
    Result<std::optional<Id>> id = find_id(database_, words_, conversation);
    if (!id) {
      looked_up = fail(std::move(id).error());
      return false;
    }
    if (!*id) return false;
    sqlite::Rows rows = database_.query("SELECT 1 FROM conversations WHERE id = ?", **id);
    const bool known = rows.next();
    if (Status status = rows.status(); !status) looked_up = std::move(status);
    return known;
  };
  Result<ImportGrouping> sorting = ImportGrouping::sort(thoughts, is_known);
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
  if (status) status = finish(transaction);
  if (!status) {
    words_.forget();
    return fail(std::move(status).error());
  }
  committed->new_by_unit = {committed->new_thoughts};
  return committed;
}

}  // namespace weft::store::sql
