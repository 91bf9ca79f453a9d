// ReplaceRequest, in one transaction: a name that is higher than all that go; then the rows of the
// conversation go, as in a forget; then the other chain is written, as in an import; then what only
// this store knew of the conversation comes back. Thoughts that come back get their ids back, for
// the archive and other conversations speak of them.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {

Status RowWriter::replace(const ReplaceRequest& request, const ReadThoughts& read) {
  WEFT_TRY_VALUE(auto transaction, begin());
  Status status = replace_rows(request, read);
  if (status) status = finish(transaction);
  words_.forget();
  return status;
}

Status RowWriter::replace_rows(const ReplaceRequest& request, const ReadThoughts& read) {
  std::vector<Cid> conversations;
  for (const ForgetPlan::Conversation& told : request.plan.conversations) {
    conversations.push_back(told.cid);
  }
  WEFT_TRY_VALUE(auto removal, plan_removal(database_, conversations, request.creator));
  if (removal.told != request.plan || removal.conversations.size() != 1) {
    return fail(ErrorCode::conflict,
                "cannot replace the conversation: another process changed it meanwhile; try again");
  }
  removal.comes_back = true;
  WEFT_TRY_VALUE(const auto names, keep_names(removal));
  WEFT_TRY_VALUE(const auto dependent, depend_on(removal.conversations));
  WEFT_TRY_VALUE(const LocalRows local, read_local(removal));
  WEFT_TRY(write_tip(request));
  WEFT_TRY(resign_orphans(removal));
  WEFT_TRY(unindex(removal.thoughts, request.indexer, read));
  WEFT_TRY(remove_rows(removal));
  WEFT_TRY(import_rows(request.thoughts, request.indexer));
  WEFT_TRY(write_local(local, request.turns));
  WEFT_TRY(set_aside(removal, request.thoughts.outlines));
  WEFT_TRY(remove_names(names, request.thoughts.outlines));
  LateContext with = late(request.indexer.keyring);
  return refill_late_tables(with, dependent);
}

// Names in rows stay until it is known which come back: returns them. A connection without one is
// written under a new id.
Result<std::vector<Id>> RowWriter::keep_names(RowsToForget& removal) const {
  std::vector<Id> named, nameless;
  for (const Id id : removal.names) {
    Rows row = database_.query("SELECT 1 FROM names WHERE id = ?", id);
    const bool has_row = row.next();
    WEFT_TRY(row.status());
    (has_row ? named : nameless).push_back(id);
  }
  removal.names = std::move(nameless);
  return named;
}

// Of what did not come back, and of which nothing that came speaks.
Status RowWriter::remove_names(const std::vector<Id>& names, const Outlines& outlines) const {
  for (const Id id : names) {
    WEFT_TRY_VALUE(const auto cid, get_cid(database_, words_, id));
    if (outlines.find_cid(cid)) continue;
    WEFT_TRY_VALUE(const bool is_here, is_stored(id));
    if (is_here) continue;
    WEFT_TRY(remove_from_index(id));
    WEFT_TRY(database_.run("DELETE FROM names WHERE id = ?", id));
  }
  return {};
}

// The newest checkpoint of what comes: its id is never given out again.
Status RowWriter::write_tip(const ReplaceRequest& request) {
  const Outlines& outlines = request.thoughts.outlines;
  const auto cid = outlines.find_cid(request.tip);
  if (!cid || outlines.thought_at(*cid) == kNoNumber) {
    return fail(ErrorCode::invalid_input, "the newest checkpoint is not among the thoughts");
  }
  WEFT_TRY_VALUE(const auto tip, request.thoughts.read(outlines.thought_at(*cid)));
  const std::string body = pack_body(tip.content);
  const std::vector<Addition> additions = {
      {.thoughts = {&tip}, .bodies = {std::string_view(body)}, .terms = {nullptr}}};
  Job job{.from = From::import};
  WEFT_TRY(write_without_index(additions, job));
  return {};
}

// Structure that other conversations share is signed through a tree of theirs from now on, or keeps
// the path that it has.
Status RowWriter::resign_orphans(const RowsToForget& removal) {
  std::unordered_set<Id> done;
  for (const RowsToForget::Orphan& edge : removal.resigned) {
    WEFT_TRY(write_signature(edge, {}, Paths::derived));
    done.insert(edge.id);
  }
  return keep_paths(removal, done);
}

Result<RowWriter::LocalRows> RowWriter::read_local(const RowsToForget& removal) const {
  LocalRows local{.conversation = removal.conversations.front()};
  const Id conversation = local.conversation;
  Rows row = database_.query("SELECT adopted FROM conversations WHERE id = ?", conversation);
  if (row.next()) local.adopted = row.integer(0);
  WEFT_TRY(row.status());
  const auto collect = [](Rows rows, std::vector<std::pair<std::string, Id>>& found) -> Status {
    while (rows.next()) found.emplace_back(rows.bytes(0), rows.integer(1));
    return rows.status();
  };
  WEFT_TRY(collect(
      database_.query("SELECT key, thought FROM places WHERE conversation = ?", conversation),
      local.places));
  WEFT_TRY(collect(
      database_.query("SELECT key, conversation FROM waits WHERE conversation = ?", conversation),
      local.waits));
  for (const Id id : removal.thoughts) {
    WEFT_TRY(
        collect(database_.query("SELECT key, call FROM marks WHERE call = ?", id), local.marks));
  }
  Rows sources = database_.query("SELECT source FROM source_conversations WHERE conversation = ?",
                                 conversation);
  while (sources.next()) local.sources.push_back(sources.integer(0));
  WEFT_TRY(sources.status());
  return local;
}

Status RowWriter::write_local(const LocalRows& local, const std::map<Cid, Cid>& turns) const {
  std::map<Id, Id> moved;
  for (const auto& [before, now] : turns) {
    WEFT_TRY_VALUE(const auto from, find_id(database_, words_, before));
    WEFT_TRY_VALUE(const auto to, find_id(database_, words_, now));
    if (from && to) moved[*from] = *to;
  }
  for (const auto& [key, thought] : local.places) {
    const auto other = moved.find(thought);
    const Id now = other == moved.end() ? thought : other->second;
    WEFT_TRY_VALUE(const bool is_here, is_stored(now));
    if (!is_here) continue;
    WEFT_TRY(database_.run("INSERT INTO places (conversation, key, thought) VALUES (?, ?, ?)",
                           local.conversation, Blob{key}, now));
  }
  for (const auto& [key, call] : local.marks) {
    WEFT_TRY_VALUE(const bool is_here, is_stored(call));
    if (!is_here) continue;
    WEFT_TRY(database_.run("INSERT INTO marks (key, call) VALUES (?, ?)", Blob{key}, call));
  }
  for (const auto& [key, conversation] : local.waits) {
    WEFT_TRY(database_.run("INSERT INTO waits (key, conversation) VALUES (?, ?)", Blob{key},
                           conversation));
  }
  for (const Id source : local.sources) {
    WEFT_TRY(database_.run("INSERT INTO source_conversations (source, conversation) VALUES (?, ?)",
                           source, local.conversation));
    WEFT_TRY(database_.run("UPDATE sources SET revision = revision + 1, state = ? WHERE id = ?",
                           Blob{""}, source));
  }
  return database_.run("UPDATE conversations SET adopted = ? WHERE id = ?", local.adopted,
                       local.conversation);
}

// The checkpoints that did not come back.
Status RowWriter::set_aside(const RowsToForget& removal, const Outlines& outlines) const {
  for (const Id id : removal.bared) {
    WEFT_TRY_VALUE(const auto cid, get_cid(database_, words_, id));
    const auto named = outlines.find_cid(cid);
    if (named && outlines.thought_at(*named) != kNoNumber) continue;
    WEFT_TRY(database_.run("UPDATE checkpoints SET conversation = 0 WHERE id = ?", id));
  }
  return {};
}

}  // namespace weft::store::sql
