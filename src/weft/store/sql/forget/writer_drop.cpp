// DropRequest, in one transaction: the tombstone first, so that its id is higher than any that go.
#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/forget/rows_to_drop.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {

Status RowWriter::drop(const DropRequest& request, const ReadThoughts& read) {
  WEFT_TRY_VALUE(auto transaction,
                 sqlite::Transaction::begin(database_, sqlite::Transaction::Kind::immediate));
  WEFT_TRY(recall());
  WEFT_TRY_VALUE(const auto removal, plan_drop(database_, request.plan.identity));
  if (removal.told != request.plan) {
    return fail(ErrorCode::conflict,
                "cannot drop the key: another process changed the store meanwhile; plan again");
  }
  Status status;
  if (request.tombstone) status = write_tombstone(*request.tombstone, request.owner);
  if (status) status = unindex(removal.rows.thoughts, request.indexer, read);
  if (status) status = remove_rows(removal.rows);
  if (status) status = remove_traces(removal.rows);
  if (status) status = transaction.commit();
  words_.forget();
  return status;
}

Status RowWriter::write_tombstone(const thought::Thought& tombstone,
                                  const thought::Thought& owner) {
  const std::string owner_body = pack_body(owner.content), body = pack_body(tombstone.content);
  const std::vector<Addition> additions = {
      {.thoughts = {&owner}, .bodies = {std::string_view(owner_body)}, .terms = {nullptr}},
      {.thoughts = {&tombstone}, .bodies = {std::string_view(body)}, .terms = {nullptr}}};
  Job job{.from = From::import};
  if (Result<Committed> written = write(additions, job); !written) {
    return fail(std::move(written).error());
  }
  const Id id = job.commit_names.id(tombstone.cid);
  WEFT_TRY(note_tombstone(tombstone, id));
  return database_.run("INSERT OR IGNORE INTO checkpoints (id, conversation) VALUES (?, 0)", id);
}

// What a forget leaves in its place: checkpoints in the log, shares of other conversations, and the
// rows of sources.
Status RowWriter::remove_traces(const RowsToForget& removal) const {
  for (const std::vector<Id>* ids : {&removal.thoughts, &removal.connections}) {
    for (const Id id : *ids) {
      WEFT_TRY(database_.run("DELETE FROM shares WHERE thought = ?", id));
    }
  }
  for (const Id id : removal.thoughts) {
    WEFT_TRY(database_.run("DELETE FROM checkpoints WHERE id = ?", id));
    WEFT_TRY(database_.run("DELETE FROM tombstones WHERE tombstone = ?", id));
  }
  for (const Id id : removal.sources) {
    WEFT_TRY(database_.run("DELETE FROM archive WHERE source = ?", id));
    WEFT_TRY(database_.run("DELETE FROM source_conversations WHERE source = ?", id));
    WEFT_TRY(database_.run("DELETE FROM sources WHERE id = ?", id));
  }
  return {};
}

}  // namespace weft::store::sql
