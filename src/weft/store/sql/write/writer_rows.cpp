// The rows of an addition, each written once.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {
namespace {

std::unexpected<Error> broken_promise(const Cid& cid, std::string_view what) {
  return fail(ErrorCode::internal, "storing " + cid.brief() + ": " + std::string(what));
}

Result<std::optional<std::string>> prepare(const std::optional<crypto::Box>& box) {
  if (!box) return std::nullopt;
  WEFT_TRY_VALUE(auto packed, pack_box(*box));
  return packed;
}

std::optional<Blob> to_blob(const std::optional<std::string>& bytes) {
  if (!bytes) return std::nullopt;
  return Blob{*bytes};
}

// The newest facts that an addition brings.
std::optional<Cid> facts_in(const Addition& addition) {
  for (auto at = addition.thoughts.rbegin(); at != addition.thoughts.rend(); ++at) {
    if (thought::kind_of((*at)->type) == "conversation_facts") return (*at)->cid;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Edge>> RowWriter::write_rows(const Addition& addition, std::uint32_t number,
                                                std::span<const Item> items, Job& job) {
  std::vector<Edge> edges;
  edges.reserve(addition.edges.size());
  for (const Item& item : items) {
    if (item.is_edge) {
      const EdgeNames& names = job.edges[number][item.index];
      WEFT_TRY_VALUE(auto edge, to_edge(addition.edges[item.index], names, addition, job));
      edges.push_back(std::move(edge));
      continue;
    }
    if (addition.terms[item.index] != nullptr) {
      job.documents.push_back(
          {item.id, addition.thoughts[item.index], addition.terms[item.index], number});
    }
    WEFT_TRY(
        write_thought(*addition.thoughts[item.index], addition.bodies[item.index], addition, job));
  }
  WEFT_TRY(edges_.add(edges));
  return edges;
}

// Leaves signature_ set to what is stored. A path that follows from the leaves is not, nor a
// leaf that follows from where the row stands.
Status RowWriter::set_signature(const thought::Signature& signature,
                                const CommitNames::Entry& entry, const Addition& addition,
                                Job& job) {
  const Cid& cid = entry.cid;
  const auto* tree = std::get_if<thought::TreeSignature>(&signature);
  if (tree == nullptr) {
    const auto& bytes = std::get<crypto::SignatureBytes>(signature);
    const bool is_signed = std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; });
    // CommitUnit as one that is here, and here no more.
    if (!is_signed && job.from == From::weaving) {
      return fail(ErrorCode::conflict,
                  "thought " + cid.brief() + " was removed meanwhile; weave again");
    }
    pack_signature(signature_, signature, 0, Paths::kept);
    return {};
  }
  const bool derived = addition.checkpoint == tree->checkpoint &&
                       tree->index < addition.leaves.size() && addition.leaves[tree->index] == cid;
  if (!derived && job.from == From::weaving) {
    return broken_promise(cid, "it is not at its leaf of the tree");
  }
  const CommitNames::Entry& checkpoint = job.commit_names.at(tree->checkpoint);
  // Of one run: no other checkpoint stands between the two.
  const bool in_place = derived && job.from == From::weaving &&
                        checkpoint.owner != CommitNames::kNobody && entry.owner == checkpoint.owner;
  if (in_place) {
    signature_.clear();
  } else {
    pack_signature(signature_, signature, checkpoint.id, derived ? Paths::derived : Paths::kept);
  }
  return {};
}

Status RowWriter::write_thought(const thought::Thought& thought, std::string_view body,
                                const Addition& addition, Job& job) {
  const CommitNames::Entry& entry = job.commit_names.at(thought.cid);
  const Id id = entry.id;
  WEFT_TRY_VALUE(auto type, words_.id(thought.type));
  because_.clear();
  for (const thought::ContentRef& ref : thought.because) {
    const Id cause = job.commit_names.id(ref.thought);
    const std::string extra = pack_extra(ref);
    append_ref(because_, id, {cause, extra});
    WEFT_TRY(database_.run(
        "INSERT INTO effects (cause, thought) VALUES (?, ?) ON CONFLICT DO NOTHING", cause, id));
  }
  WEFT_TRY(set_signature(thought.signature, entry, addition, job));
  WEFT_TRY_VALUE(auto metadata, prepare(thought.layers.metadata));
  WEFT_TRY_VALUE(auto content, prepare(thought.layers.content));
  std::optional<Id> source;
  if (thought.source) source = job.commit_names.id(*thought.source);
  std::optional<Blob> because;
  if (!because_.empty()) because = Blob{because_};
  std::optional<std::string> turn;
  if (thought::kind_of(thought.type) == "turn") {
    if (addition.conversation) {
      turn =
          pack_turn(body, id, *addition.conversation, job.commit_names.id(*addition.conversation));
    }
    if (!turn) turn = pack_body(thought.content);
  }
  return database_.run(
      "INSERT INTO thoughts (id, type, created_by, created_at, source, because, signature, "
      "metadata, content, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id, type, job.commit_names.id(thought.created_by), thought.created_at, source, because,
      Blob{signature_}, to_blob(metadata), to_blob(content), Blob{turn ? *turn : body});
}

Result<Edge> RowWriter::to_edge(const Addition::Edge& added, const EdgeNames& names,
                                const Addition& addition, Job& job) {
  const thought::Connection& connection = *added.connection;
  WEFT_TRY_VALUE(auto relation, words_.id(connection.relation));
  const CommitNames::Entry& entry = job.commit_names.entry(names.name);
  WEFT_TRY(set_signature(connection.signature, entry, addition, job));
  Edge edge{.id = entry.id,
            .relation = relation,
            .from = job.commit_names.entry(names.from).id,
            .to = job.commit_names.entry(names.to).id,
            .created_by = job.commit_names.id(connection.created_by),
            .created_at = connection.created_at,
            .signature = signature_};
  if (connection.index) edge.position = static_cast<std::int64_t>(*connection.index);
  if (connection.label) {
    WEFT_TRY_VALUE(auto word, words_.id(*connection.label));
    edge.label = word;
  }
  return edge;
}

Status RowWriter::write_places(const Addition& addition, Job& job) const {
  for (const weave::Place& place : addition.places) {
    Status status = database_.run(
        "INSERT INTO places (conversation, key, thought) VALUES (?, ?, ?) "
        "ON CONFLICT (conversation, key) DO UPDATE SET thought = excluded.thought",
        job.commit_names.id(*addition.conversation),
        Blob{{reinterpret_cast<const char*>(place.key.data()), place.key.size()}},
        job.commit_names.id(place.thought));
    if (!status) return status;
  }
  return {};
}

Status RowWriter::write_checkpoint(const Addition& addition, Job& job) const {
  if (!addition.checkpoint) return {};
  std::vector<Id> ids;
  ids.reserve(addition.leaves.size());
  for (const Cid& leaf : addition.leaves) ids.push_back(job.commit_names.id(leaf));
  const std::string packed = pack_leaves(ids);
  std::optional<Blob> leaves;
  if (!ids.empty()) leaves = Blob{packed};
  // An import may bring the rest of a tree that came in part before. Leaves that are there are
  // never written again: a writer to a server may not.
  return database_.run(
      "INSERT INTO checkpoints (id, conversation, leaves) VALUES (?, ?, ?) "
      "ON CONFLICT (id) DO UPDATE SET leaves = excluded.leaves WHERE checkpoints.leaves IS NULL",
      job.commit_names.id(*addition.checkpoint), job.commit_names.id(*addition.checked), leaves);
}

Result<bool> RowWriter::write_conversation(const Addition& addition, const Counts& counts,
                                           Job& job) const {
  ++job.touched;
  WEFT_TRY_VALUE(const bool is_new, write_heading(addition, job));
  std::optional<Id> facts, checkpoint;
  if (job.from == From::weaving) {  // an import decides which is the newest
    if (const auto cid = facts_in(addition)) facts = job.commit_names.id(*cid);
    if (addition.checkpoint) checkpoint = job.commit_names.id(*addition.checkpoint);
  }
  WEFT_TRY(database_.run(
      "UPDATE conversations SET facts = coalesce(?, facts), checkpoint = coalesce(?, checkpoint), "
      "turns = turns + ?, blocks = blocks + ?, thoughts = thoughts + ?, touched = ? WHERE id = ?",
      facts, checkpoint, counts.turns, counts.blocks, counts.thoughts, job.touched,
      job.commit_names.id(*addition.conversation)));
  return is_new;
}

// What the conversation's own thought says; it comes with the first addition.
Result<bool> RowWriter::write_heading(const Addition& addition, Job& job) const {
  const Id id = job.commit_names.id(*addition.conversation);
  for (const thought::Thought* thought : addition.thoughts) {
    if (thought->cid != addition.conversation) continue;
    const auto member = [&](std::string_view key) {
      return find_string(thought->content, key).value_or("");
    };
    WEFT_TRY(
        database_.run("INSERT INTO conversations "
                      "(id, format, session_id, source, created_at, touched, adopted) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                      id, member("format"), member("session_id"), member("source"),
                      thought->created_at, job.touched, std::int64_t{job.from == From::import}));
    return database_.changes() > 0;
  }
  Rows rows = database_.query("SELECT 1 FROM conversations WHERE id = ?", id);
  const bool known = rows.next();
  WEFT_TRY(rows.status());
  if (!known) return broken_promise(*addition.conversation, "a conversation without its thought");
  return false;
}

}  // namespace weft::store::sql
