// DropRequest, in one transaction: the tombstone first, so that its id is higher than any that go.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/forget/rows_to_drop.hpp"
#include "weft/store/sql/write/counted.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {

Status RowWriter::drop(const DropRequest& request, const ReadThoughts& read) {
  WEFT_TRY_VALUE(auto transaction, begin());
  WEFT_TRY_VALUE(const auto removal, plan_drop(database_, request.plan.identity));
  if (removal.told != request.plan) {
    return fail(ErrorCode::conflict,
                "cannot drop the key: another process changed the store meanwhile; plan again");
  }
  WEFT_TRY_VALUE(auto dependent, depend_on(removal.rows.conversations));
  dependent.insert(dependent.end(), removal.elsewhere.begin(), removal.elsewhere.end());
  Status status;
  if (request.tombstone) status = write_tombstone(*request.tombstone, request.owner);
  if (status) status = unindex(removal.rows.thoughts, request.indexer, read);
  if (status) status = remove_rows(removal.rows);
  if (status) status = remove_traces(removal.rows);
  for (const Id conversation : removal.elsewhere) {
    if (status) status = count_again(conversation);
  }
  LateContext with = late(request.indexer.keyring);
  if (status) status = refill_late_tables(with, dependent);
  if (status) status = finish(transaction);
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
  return database_.run(
      "INSERT INTO checkpoints (id, conversation) VALUES (?, 0) ON CONFLICT DO NOTHING", id);
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

// The row of a conversation that lost something: its counts, and its creator's newest facts and
// checkpoint.
Status RowWriter::count_again(Id conversation) const {
  std::vector<std::pair<Id, Id>> held;
  Rows ranges = database_.query(
      "SELECT first, last FROM runs WHERE conversation = ?1 UNION ALL "
      "SELECT thought, thought FROM shares WHERE conversation = ?1",
      conversation);
  while (ranges.next()) held.emplace_back(ranges.integer(0), ranges.integer(1));
  WEFT_TRY(ranges.status());
  std::int64_t turns = 0, blocks = 0, thoughts = 0;
  std::optional<Id> facts, checkpoint;
  for (const auto& [first, last] : held) {
    Rows rows = database_.query(
        "SELECT thoughts.id, text, "
        "CAST(created_by = (SELECT created_by FROM thoughts WHERE id = ?3) AS INTEGER) "
        "FROM thoughts JOIN words ON words.id = type WHERE thoughts.id BETWEEN ?1 AND ?2",
        first, last, conversation);
    while (rows.next()) {
      thoughts += is_counted(rows.bytes(1)) ? 1 : 0;
      const bool is_facts = thought::kind_of(rows.bytes(1)) == "conversation_facts";
      if (is_facts && rows.integer(2) != 0) facts = std::max(facts.value_or(0), rows.integer(0));
    }
    WEFT_TRY(rows.status());
    Rows edges = database_.query(
        "SELECT from_id, text FROM connections JOIN words ON words.id = relation "
        "WHERE connections.id BETWEEN ? AND ?",
        first, last);
    while (edges.next()) {
      ++thoughts;
      if (edges.bytes(1) == "contains") ++(edges.integer(0) == conversation ? turns : blocks);
    }
    WEFT_TRY(edges.status());
  }
  Rows newest = database_.query(
      "SELECT checkpoints.id FROM checkpoints JOIN thoughts USING (id) WHERE conversation = ?1 AND "
      "created_by = (SELECT created_by FROM thoughts WHERE id = ?1) ORDER BY seq DESC LIMIT 1",
      conversation);
  if (newest.next()) checkpoint = newest.integer(0);
  WEFT_TRY(newest.status());
  return database_.run(
      "UPDATE conversations SET turns = ?, blocks = ?, thoughts = ?, facts = ?, checkpoint = ? "
      "WHERE id = ?",
      turns, blocks, thoughts, facts, checkpoint, conversation);
}

}  // namespace weft::store::sql
