// Late tables (late_table.hpp): what a commit adds to them, and what is filled afterwards.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/sql/full_text.hpp"
#include "weft/store/sql/late/places.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {

Status RowWriter::add_late(const Addition& addition, std::uint32_t number, const Added& rows,
                           bool is_new, Job& job) {
  std::vector<LateAddition::NewThought> thoughts;
  thoughts.reserve(rows.items.size() - rows.edges.size());
  for (const Item& item : rows.items) {
    if (item.is_edge) continue;
    const thought::Thought& thought = *addition.thoughts[item.index];
    LateAddition::NewThought& added = thoughts.emplace_back();
    added.id = item.id;
    added.author = job.commit_names.id(thought.created_by);
    for (const thought::ContentRef& ref : thought.because) {
      const Id cause = job.commit_names.id(ref.thought);
      const bool is_known = std::ranges::find(added.causes, cause) != added.causes.end();
      if (!is_known) added.causes.push_back(cause);
    }
    if (!added.causes.empty()) added.first_cause = added.causes.front();
    added.thought = &thought;
    added.tally = addition.tallies[item.index];
    added.statement = addition.statements[item.index];
    added.call = addition.calls[item.index];
    added.secrets = addition.secrets[item.index];
  }
  LateContext with = late(job.keyring);
  const Id conversation = job.commit_names.id(*addition.conversation);
  WEFT_TRY_VALUE(const auto known_creator, creator_of(with, conversation));
  const Id creator = known_creator.value_or(0);
  WEFT_TRY(add_to_late_tables(with, {.conversation = conversation,
                                     .creator = creator,
                                     .is_new = is_new,
                                     .thoughts = thoughts,
                                     .edges = rows.edges,
                                     .shared = rows.shared}));
  // A thought that others placed before it came has an id of before, and counts there now.
  std::vector<Id> others;
  Places places(with, conversation);
  for (const LateAddition::NewThought& added : thoughts) {
    if (added.id >= job.runs[number].first) break;
    WEFT_TRY_VALUE(const auto stood, places.places_of(added.id, creator));
    for (const auto& place : stood) {
      const bool is_old = place.edge < job.runs[number].first;
      if (place.conversation != conversation || is_old) others.push_back(place.conversation);
    }
  }
  return refill_late_tables(with, others);
}

// What is read without the lock is written only if nobody wrote meanwhile; where somebody always
// does, the lock is taken first.
Result<bool> RowWriter::fill(const crypto::Keyring& keyring, std::chrono::milliseconds work) {
  const auto end = std::chrono::steady_clock::now() + work;
  const auto is_over = [&] { return std::chrono::steady_clock::now() >= end; };
  const auto attempt = [&](Transaction::Kind kind) -> Result<bool> {
    WEFT_TRY_VALUE(auto transaction, begin(kind));
    LateContext with = late(&keyring);
    WEFT_TRY_VALUE(bool more, fill_late_tables(with, is_over));
    FullText& text = database_.full_text();
    if (!more) {
      WEFT_TRY_VALUE(more, text.upgrade(is_over));
    }
    if (!more) {
      WEFT_TRY_VALUE(more, text.merge(InvertedIndex::kMergePiece));
    }
    WEFT_TRY(finish(transaction));
    return more;
  };
  const bool can_upgrade = database_.backend().can_write_after_reading();
  Result<bool> more =
      attempt(can_upgrade ? Transaction::Kind::deferred : Transaction::Kind::immediate);
  if (can_upgrade && !more && more.error().code == ErrorCode::unavailable) {
    more = attempt(Transaction::Kind::immediate);
  }
  if (!more) words_.forget();
  return more;
}

Status RowWriter::note_changed(Id conversation, std::vector<Id>& found) const {
  Rows rows = database_.query(
      "WITH ends AS (SELECT DISTINCT to_id AS id, created_by AS author FROM runs "
      "CROSS JOIN connections WHERE runs.conversation = ? AND "
      "connections.id BETWEEN first AND last AND "
      "relation IN (SELECT id FROM words WHERE text IN ('supersedes', 'rework'))), "
      "held AS (SELECT (SELECT conversation FROM runs WHERE first <= ends.id "
      "ORDER BY first DESC LIMIT 1) AS conversation, author FROM ends "
      "UNION SELECT conversation, author FROM ends JOIN shares ON shares.thought = ends.id) "
      // What a stranger says of it changes nothing.
      "SELECT conversation FROM held "
      "WHERE author = (SELECT created_by FROM thoughts WHERE id = conversation)",
      conversation);
  while (rows.next()) found.push_back(rows.integer(0));
  return rows.status();
}

// Those that share something with them: their copies may count from then on. And those that they
// spawned or summarized, or whose blocks they changed.
Result<std::vector<Id>> RowWriter::depend_on(const std::vector<Id>& conversations) const {
  std::vector<Id> found;
  const auto note = [&](Rows rows) -> Status {
    while (rows.next()) found.push_back(rows.integer(0));
    return rows.status();
  };
  for (const Id id : conversations) {
    WEFT_TRY(
        note(database_.query("SELECT DISTINCT shares.conversation FROM runs JOIN shares "
                             "ON shares.thought BETWEEN first AND last WHERE runs.conversation = ?",
                             id)));
    WEFT_TRY(note(
        database_.query("SELECT DISTINCT other.conversation FROM shares mine JOIN shares other "
                        "ON other.thought = mine.thought WHERE mine.conversation = ?",
                        id)));
    WEFT_TRY(note(database_.query("SELECT conversation FROM catalogue WHERE parent = ?", id)));
    WEFT_TRY(note(database_.query(
        "SELECT DISTINCT to_id FROM runs CROSS JOIN connections WHERE runs.conversation = ? AND "
        "connections.id BETWEEN first AND last AND "
        "relation = (SELECT id FROM words WHERE text = 'summarizes')",
        id)));
    WEFT_TRY(note_changed(id, found));
    // Those in whose runs the thoughts are that it shares.
    WEFT_TRY(note(
        database_.query("SELECT DISTINCT (SELECT conversation FROM runs WHERE first <= thought "
                        "ORDER BY first DESC LIMIT 1) FROM shares WHERE conversation = ?",
                        id)));
  }
  std::ranges::sort(found);
  const auto twice = std::ranges::unique(found);
  found.erase(twice.begin(), twice.end());
  std::erase_if(found, [&](Id id) {
    return id == 0 || std::ranges::find(conversations, id) != conversations.end();
  });
  return found;
}

}  // namespace weft::store::sql
