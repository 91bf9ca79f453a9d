// ForgetPlan, in one transaction: first what is new is written, so that its ids are higher
// than any that go; then edges that stay get new signatures; then rows go.
#include <algorithm>
#include <deque>
#include <memory>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/tree.hpp"

namespace weft::store::sql {
namespace {

Blob blob_of(const weave::PlaceKey& key) {
  return {{reinterpret_cast<const char*>(key.data()), key.size()}};
}

}  // namespace

Result<ForgetResult> RowWriter::forget(const ForgetRequest& forget, const ReadThoughts& read) {
  std::vector<Cid> conversations;
  conversations.reserve(forget.plan.conversations.size());
  for (const ForgetPlan::Conversation& told : forget.plan.conversations) {
    conversations.push_back(told.cid);
  }
  // What goes is wiped where it lay, page by page.
  WEFT_TRY(database_.backend().overwrite_deleted());
  WEFT_TRY_VALUE(auto transaction, begin());
  WEFT_TRY_VALUE(auto removal, plan_removal(database_, conversations, forget.owner.cid));
  if (removal.told != forget.plan || forget.checkpoints.size() != removal.adopted.size()) {
    return fail(ErrorCode::conflict,
                "cannot forget: another process changed the store meanwhile; plan again");
  }
  WEFT_TRY_VALUE(const auto dependent, depend_on(removal.conversations));
  Job job{.from = From::import};
  Status status = write_signed(forget, removal, job);
  if (status) status = sign_again(forget, removal, job);
  if (status) status = unindex(removal.thoughts, forget.indexer, read);
  if (status) status = remove_rows(removal);
  Result<ForgetResult> forgotten = ForgetResult{};
  if (status) status = remove_sources(removal, *forgotten);
  LateContext with = late(forget.indexer.keyring);
  if (status) status = refill_late_tables(with, dependent);
  if (status) status = finish(transaction);
  words_.forget();
  if (!status) return fail(std::move(status).error());
  return forgotten;
}

// The tombstone, who signed it, and the checkpoints for what others share.
Status RowWriter::write_signed(const ForgetRequest& forget, const RowsToForget& removal, Job& job) {
  std::vector<std::string> bodies;
  bodies.reserve(2 + forget.checkpoints.size());
  std::deque<std::vector<Cid>> leaves;
  std::vector<Addition> additions;
  const auto add = [&](const thought::Thought& thought) -> Addition& {
    bodies.push_back(pack_body(thought.content));
    return additions.emplace_back(Addition{
        .thoughts = {&thought}, .bodies = {std::string_view(bodies.back())}, .terms = {nullptr}});
  };
  add(forget.owner);
  for (std::size_t i = 0; i < forget.checkpoints.size(); ++i) {
    if (!forget.checkpoints[i]) continue;
    Addition& addition = add(*forget.checkpoints[i]);
    addition.leaves = leaves.emplace_back(removal.told.orphans[i].leaves());
    addition.checkpoint = forget.checkpoints[i]->cid;
    addition.checked = removal.told.orphans[i].conversation;
  }
  add(forget.tombstone);
  if (Result<Committed> written = write(additions, job); !written) {
    return fail(std::move(written).error());
  }
  const Id tombstone = job.commit_names.id(forget.tombstone.cid);
  // One that was stored before speaks of what was here then. Were the ids of what goes higher, they
  // would be given out again, and mislead whoever remembers them.
  Id last = 0;
  for (const std::vector<Id>* ids : {&removal.names, &removal.thoughts, &removal.connections}) {
    for (const Id id : *ids) last = std::max(last, id);
  }
  if (tombstone < last) {
    return fail(ErrorCode::invalid_input,
                "the tombstone is older than what it would remove: sign another one");
  }
  Status status = note_tombstone(forget.tombstone, tombstone);
  // The log goes over it, so that a head kept from now on knows of it.
  if (status) {
    status = database_.run(
        "INSERT INTO checkpoints (id, conversation) VALUES (?, 0) ON CONFLICT DO NOTHING",
        tombstone);
  }
  if (status)
    status =
        database_.run("INSERT INTO wipes (tombstone) VALUES (?) ON CONFLICT DO NOTHING", tombstone);
  for (const weave::PlaceKey& key : forget.headings) {
    if (!status) break;
    status = database_.run(
        "INSERT INTO forgotten (key, tombstone) VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET tombstone = excluded.tombstone",
        blob_of(key), tombstone);
  }
  return status;
}

// Tombstones of others came by import, and decide nothing here.
Result<bool> RowWriter::was_forgotten(const Cid& conversation) const {
  Rows rows = database_.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM tombstones WHERE cid = ? AND tombstone IN "
      "(SELECT tombstone FROM forgotten)) AS INTEGER)",
      blob(conversation.digest()));
  const bool found = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return found;
}

Status RowWriter::note_tombstone(const thought::Thought& thought, Id id) const {
  const Result<thought::Tombstone> tombstone = thought::to_tombstone(thought);
  if (!tombstone) return {};  // of no meaning to us
  for (const std::vector<Cid>* list : {&tombstone->conversations, &tombstone->forgotten}) {
    for (const Cid& cid : *list) {
      WEFT_TRY(database_.run(
          "INSERT INTO tombstones (cid, tombstone) VALUES (?, ?) ON CONFLICT DO NOTHING",
          blob(cid.digest()), id));
    }
  }
  return {};
}

// Edges that stay, through other trees that have them, or through the checkpoints that were just
// written.
Status RowWriter::sign_again(const ForgetRequest& forget, const RowsToForget& removal, Job& job) {
  std::unordered_set<Id> done;
  for (const RowsToForget::Orphan& edge : removal.resigned) {
    WEFT_TRY(write_signature(edge, {}, Paths::derived));
    done.insert(edge.id);
  }
  for (std::size_t i = 0; i < forget.checkpoints.size(); ++i) {
    if (!forget.checkpoints[i]) continue;
    const Id checkpoint = job.commit_names.id(forget.checkpoints[i]->cid);
    const Id conversation = job.commit_names.id(removal.told.orphans[i].conversation);
    Status status =
        database_.run("INSERT INTO runs (first, last, conversation) VALUES (?1, ?1, ?2)",
                      checkpoint, conversation);
    if (status) {
      status = database_.run("UPDATE conversations SET checkpoint = ? WHERE id = ?", checkpoint,
                             conversation);
    }
    const RowsToForget::Adopted& adopted = removal.adopted[i];
    for (std::size_t at = 0; status && at < adopted.edges.size(); ++at) {
      const RowsToForget::Orphan edge{
          .id = adopted.edges[at], .checkpoint = checkpoint, .leaf = adopted.thoughts.size() + at};
      status = write_signature(edge, {}, Paths::derived);
      done.insert(edge.id);
    }
    if (!status) return status;
  }
  return keep_paths(removal, done);
}

// What is not ours to sign keeps its path, which could be made from the leaves before.
Status RowWriter::keep_paths(const RowsToForget& removal, const std::unordered_set<Id>& done) {
  const Names names(database_, words_);
  Id tree_of = 0;
  std::unique_ptr<thought::Tree> tree;
  for (const RowsToForget::Orphan& orphan : removal.orphans) {
    if (done.contains(orphan.id)) continue;
    if (tree_of != orphan.checkpoint) {
      WEFT_TRY_VALUE(auto leaves, read_leaves(database_, edges_, names, words_, orphan.checkpoint));
      const bool whole = !leaves.empty() && std::ranges::find(leaves, Cid()) == leaves.end();
      tree = whole ? std::make_unique<thought::Tree>(leaves) : nullptr;
      tree_of = orphan.checkpoint;
    }
    if (tree == nullptr || orphan.leaf >= tree->size()) {
      return fail(ErrorCode::corrupt, "the checkpoint that signs it does not have its leaf");
    }
    WEFT_TRY(write_signature(orphan, tree->path(orphan.leaf), Paths::kept));
  }
  return {};
}

Status RowWriter::write_signature(const RowsToForget::Orphan& orphan, std::vector<Digest> path,
                                  Paths paths) {
  signature_.clear();
  pack_signature(signature_, thought::TreeSignature{.index = orphan.leaf, .path = std::move(path)},
                 orphan.checkpoint, paths);
  return orphan.is_edge ? database_.run("UPDATE connections SET signature = ? WHERE id = ?",
                                        Blob{signature_}, orphan.id)
                        : database_.run("UPDATE thoughts SET signature = ? WHERE id = ?",
                                        Blob{signature_}, orphan.id);
}

Status RowWriter::remove_rows(const RowsToForget& removal) {
  std::unordered_set<Id> words;
  const auto note_words = [&words](Rows rows) -> Status {
    while (rows.next()) {
      words.insert(rows.integer(0));
      if (const auto label = rows.find_integer(1)) words.insert(*label);
    }
    return rows.status();
  };
  // First, for they are made of what goes.
  Status status = keep_spoken_of(removal);
  for (const Id id : removal.names) {
    if (status) status = remove_from_index(id);
  }
  if (!status) return status;
  for (const Id id : removal.thoughts) {
    if (status) status = remove_effects(id);
    if (status) {
      status =
          note_words(database_.query("DELETE FROM thoughts WHERE id = ? RETURNING type, NULL", id));
    }
    if (status) status = database_.run("DELETE FROM marks WHERE call = ?", id);
    if (!status) return status;
  }
  for (const Id id : removal.connections) {
    status =
        note_words(database_.query("SELECT relation, label FROM connections WHERE id = ?", id));
    if (!status) return status;
  }
  if (status = edges_.remove(removal.connections); !status) return status;
  if (!removal.comes_back) WEFT_TRY(remove_words(words));
  for (const Id id : removal.bared) {
    status = database_.run("UPDATE checkpoints SET leaves = NULL WHERE id = ?", id);
    if (!status) return status;
  }
  for (const Id id : removal.names) {
    if (status = database_.run("DELETE FROM names WHERE id = ?", id); !status) return status;
  }
  LateContext with = late(nullptr);
  if (status = remove_from_late_tables(with, removal.conversations); !status) return status;
  for (const Id id : removal.conversations) {
    status = database_.run("DELETE FROM places WHERE conversation = ?", id);
    if (status) status = database_.run("DELETE FROM runs WHERE conversation = ?", id);
    if (status) status = database_.run("DELETE FROM shares WHERE conversation = ?", id);
    if (status) status = database_.run("DELETE FROM waits WHERE conversation = ?", id);
    if (status)
      status = database_.run("DELETE FROM source_conversations WHERE conversation = ?", id);
    if (status) status = database_.run("DELETE FROM conversations WHERE id = ?", id);
    if (!status) return status;
  }
  return {};
}

// Types and labels are ours, but in what came by import they may say anything. The number of
// such a word is not given out again: others may remember what it stood for.
Status RowWriter::remove_words(const std::unordered_set<Id>& words) {
  for (const Id word : words) {
    Rows rows = database_.query(
        "SELECT CAST(EXISTS (SELECT 1 FROM connections WHERE label = ?1) OR "
        "EXISTS (SELECT 1 FROM connections WHERE relation = ?1) OR "
        "EXISTS (SELECT 1 FROM thoughts WHERE type = ?1) AS INTEGER)",
        word);
    const bool is_used = rows.next() && rows.integer(0) != 0;
    WEFT_TRY(rows.status());
    if (is_used) continue;
    WEFT_TRY(database_.run("UPDATE words SET text = '~' || id WHERE id = ?", word));
  }
  return {};
}

Status RowWriter::remove_effects(Id id) {
  std::vector<Id> causes;
  Rows row = database_.query("SELECT because FROM thoughts WHERE id = ?", id);
  if (row.next()) {
    const Result<std::vector<PackedRef>> refs = unpack_refs(row.bytes(0), id);
    if (!refs) return fail(Error(refs.error()));
    for (const PackedRef& ref : *refs) causes.push_back(ref.thought);
  }
  WEFT_TRY(row.status());
  for (const Id cause : causes) {
    WEFT_TRY(database_.run("DELETE FROM effects WHERE cause = ? AND thought = ?", cause, id));
  }
  return {};
}

// An edge that goes, and of which something that stays still speaks, gets its name back.
Status RowWriter::keep_spoken_of(const RowsToForget& removal) const {
  for (const Cid& cid : removal.told.spoken_of) {
    WEFT_TRY_VALUE(auto found, find_name(database_, words_, cid));
    if (!found || !found->is_nameless) continue;
    WEFT_TRY(
        database_.run("INSERT INTO names (id, cid) VALUES (?, ?)", found->id, blob(cid.digest())));
  }
  return {};
}

Status RowWriter::remove_from_index(Id id) const {
  WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, id));
  return database_.name_index().remove({hash_of(cid), id});
}

// The rows stay, so that a file that did not change is not read again; `size` without
// `archived` says that nothing of it is to be kept.
Status RowWriter::remove_sources(const RowsToForget& removal, ForgetResult& forgotten) const {
  for (const Id id : removal.sources) {
    Status status = database_.run("DELETE FROM archive WHERE source = ?", id);
    forgotten.archives += database_.changes() > 0 ? 1 : 0;
    if (status) {
      status = database_.run(
          "UPDATE sources SET revision = revision + 1, woven = 0, lines = 0, archived = 0, "
          "state = ? WHERE id = ?",
          Blob{""}, id);
    }
    if (!status) return status;
  }
  // These are read again, and archived if they contain nothing forgotten.
  for (const Id id : removal.unfinished) {
    Status status = database_.run("DELETE FROM archive WHERE source = ?", id);
    if (status) {
      status = database_.run(
          "UPDATE sources SET revision = revision + 1, size = 0, woven = 0, lines = 0, "
          "archived = 0, print = ?1, state = ?1 WHERE id = ?2",
          Blob{""}, id);
    }
    if (!status) return status;
  }
  return {};
}

}  // namespace weft::store::sql
