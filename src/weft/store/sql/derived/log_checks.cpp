// The log: `checkpoints` and `tombstones`, from the thoughts that they list.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/sums/sums.hpp"
#include "weft/thought/statements/joining.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kLog = "checkpoints";

struct LogRow {
  std::int64_t seq = 0;
  Id id = 0, conversation = 0;
};

Result<std::vector<LogRow>> read_log(Derivation& from) {
  Rows rows = from.database.query("SELECT seq, id, conversation FROM checkpoints ORDER BY seq");
  std::vector<LogRow> log;
  while (rows.next()) log.push_back({rows.integer(0), rows.integer(1), rows.integer(2)});
  WEFT_TRY(rows.status());
  return log;
}

Result<std::vector<Id>> thoughts_of_type(Derivation& from, std::string_view type) {
  std::vector<Id> ids;
  WEFT_TRY_VALUE(auto word, from.words.find_id(type));
  if (!word) return ids;
  Rows rows = from.database.query("SELECT id FROM thoughts WHERE type = ?", *word);
  while (rows.next()) ids.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return ids;
}

std::optional<thought::Thought> find_bare(Derivation& from, Id id) {
  Rows rows = from.database.query("SELECT type, body FROM thoughts WHERE id = ?", id);
  if (!rows.next()) return std::nullopt;
  const Result<std::string_view> type = from.words.text(rows.integer(0));
  Result<json::object> content = unpack_body(rows.bytes(1));
  if (!type || !content) return std::nullopt;
  thought::Thought thought;
  thought.type = *type;
  thought.content = *std::move(content);
  return thought;
}

// The conversation that a row of the log should have: 0 for a tombstone. Empty if it does not
// follow, because its thought cannot be read.
Result<std::optional<Id>> conversation_of(Derivation& from, Id id) {
  const std::optional<thought::Thought> thought = find_bare(from, id);
  if (!thought) return std::nullopt;
  if (thought->type == thought::kTombstoneType) return 0;
  const Result<thought::Checkpoint> checkpoint = to_checkpoint(*thought);
  if (!checkpoint) return std::nullopt;
  return find_id(from.database, from.words, checkpoint->conversation);
}

// Whether a row of the log is a checkpoint that was given up, as a joining says: it stands under no
// conversation.
Result<bool> is_given_up(Derivation& from, const LogRow& row) {
  if (row.conversation != 0 || !find_checkpoint(from, row.id)) return false;
  WEFT_TRY_VALUE(const auto cid, get_cid(from.database, from.words, row.id));
  WEFT_TRY_VALUE(const auto joinings, thoughts_of_type(from, thought::kJoiningType));
  return std::ranges::any_of(joinings, [&](Id id) {
    const std::optional<thought::Thought> thought = find_bare(from, id);
    const auto given_up = thought ? find_array(thought->content, "given_up") : nullptr;
    return given_up != nullptr &&
           std::ranges::find(*given_up, json::value(cid.str())) != given_up->end();
  });
}

// Which thoughts should be in the log and are not.
Result<std::vector<Id>> missing_in_log(Derivation& from, const std::vector<LogRow>& log) {
  std::set<Id> there;
  for (const LogRow& row : log) there.insert(row.id);
  WEFT_TRY_VALUE(auto checkpoints, thoughts_of_type(from, thought::kCheckpointType));
  std::vector<Id> missing;
  for (const Id id : checkpoints) {
    if (!there.contains(id) && find_checkpoint(from, id)) missing.push_back(id);
  }
  // Tombstones by which this store forgot; those of others came by import, and are in no log.
  Rows rows = from.database.query(
      "SELECT DISTINCT tombstone FROM forgotten WHERE tombstone IN (SELECT id FROM thoughts)");
  while (rows.next()) {
    if (!there.contains(rows.integer(0))) missing.push_back(rows.integer(0));
  }
  WEFT_TRY(rows.status());
  return missing;
}

using Listed = std::pair<std::string, Id>;  // the bytes of a CID, and the tombstone
Result<std::set<Listed>> derive_tombstones(Derivation& from) {
  std::set<Listed> listed;
  WEFT_TRY_VALUE(auto ids, thoughts_of_type(from, thought::kTombstoneType));
  for (const Id id : ids) {
    const std::optional<thought::Thought> thought = find_bare(from, id);
    if (!thought) continue;
    const Result<thought::Tombstone> tombstone = to_tombstone(*thought);
    if (!tombstone) continue;  // of no meaning to us
    for (const std::vector<Cid>* list : {&tombstone->conversations, &tombstone->forgotten}) {
      for (const Cid& cid : *list) listed.emplace(blob(cid.digest()).bytes, id);
    }
  }
  return listed;
}

Result<std::set<Listed>> read_tombstones(Derivation& from) {
  std::set<Listed> listed;
  Rows rows = from.database.query("SELECT cid, tombstone FROM tombstones");
  while (rows.next()) listed.emplace(rows.bytes(0), rows.integer(1));
  WEFT_TRY(rows.status());
  return listed;
}

// The leaves of a commit's checkpoint: what stands after it in its run and is signed by the tree.
// From version 2 on also what stands before it, unless the commit carried something that was stored
// before: then the leaves do not follow, and the sum of the table tells.
Result<std::vector<Id>> derive_leaves(Derivation& from, Id checkpoint, std::uint64_t version) {
  std::vector<Id> ids;
  Rows rows = from.database.query(
      "SELECT id FROM (SELECT id, signature FROM thoughts UNION ALL SELECT id, signature FROM "
      "connections) AS stored, "
      "(SELECT first, last FROM runs WHERE first <= ?1 ORDER BY first DESC LIMIT 1) AS run "
      "WHERE id BETWEEN first AND last AND id <> ?1 AND "
      "(CAST(?2 AS BIGINT) > 1 OR (id > ?1 AND length(signature) = 0)) ORDER BY id",
      checkpoint, static_cast<std::int64_t>(version));
  while (rows.next()) ids.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return ids;
}

// The leaves that say themselves which checkpoint they are of and where they stand, as those of an
// import do. Empty if one of them is not there.
Result<std::vector<Id>> stated_leaves(Derivation& from, Id checkpoint, std::uint64_t count) {
  std::vector<Id> ids(count);
  std::uint64_t found = 0;
  for (const auto kind : {PackedSignature::Kind::tree, PackedSignature::Kind::tree_with_path}) {
    std::string beginning(1, static_cast<char>(kind));
    append_varint(beginning, static_cast<std::uint64_t>(checkpoint));
    Rows rows = from.database.query(
        "SELECT id, signature FROM (SELECT id, signature FROM thoughts UNION ALL "
        "SELECT id, signature FROM connections) AS stored "
        "WHERE substr(signature, 1, CAST(?1 AS INTEGER)) = ?2",
        static_cast<std::int64_t>(beginning.size()), Blob{beginning});
    while (rows.next()) {
      const Result<PackedSignature> signature = unpack_signature(rows.bytes(1));
      const bool is_one = signature && signature->kind == kind &&
                          signature->checkpoint == checkpoint && signature->leaf < count;
      if (!is_one) continue;
      Id& id = ids[signature->leaf];
      if (id == 0) ++found;
      id = rows.integer(0);
    }
    WEFT_TRY(rows.status());
  }
  if (found < count) ids.clear();
  return ids;
}

// Of a row of the log that is gone. Others than those that the checkpoint counts would make every
// leaf look false.
Result<std::optional<std::string>> find_leaves(Derivation& from, Id id) {
  const std::optional<thought::Checkpoint> content = find_checkpoint(from, id);
  if (!content) return std::nullopt;  // a tombstone
  constexpr std::uint64_t kMostLeaves = 1u << 28;
  if (content->leaves == 0 || content->leaves > kMostLeaves) return std::nullopt;
  WEFT_TRY_VALUE(auto ids, stated_leaves(from, id, content->leaves));
  if (ids.empty()) {
    WEFT_TRY_VALUE(ids, derive_leaves(from, id, content->version));
  }
  if (ids.size() != content->leaves) return std::nullopt;
  return pack_leaves(ids);
}

// Where the only row that is gone stood in the log, if the sum of the table confirms it.
Result<std::optional<std::int64_t>> find_seq(Derivation& from, const LogRow& gone,
                                             const std::optional<std::string>& leaves) {
  WEFT_TRY_VALUE(auto stored, from.database.sums().find(kLog));
  if (!stored) return std::nullopt;
  WEFT_TRY_VALUE(auto now, from.database.sums().compute(kLog));
  if (stored->rows != now.rows + 1) return std::nullopt;
  RowHasher hasher;
  for (std::int64_t seq = stored->rows * 2 + 1; seq >= 0; --seq) {
    for (const Id column : {seq, gone.id, gone.conversation}) hasher.add_integer(column);
    leaves ? hasher.add_blob(*leaves) : hasher.add_null();
    if (hasher.finish() == stored->sum - now.sum) return seq;
  }
  return std::nullopt;
}

// Without sums: a number that is missing between its neighbours, which the order of ids tells,
// since ids are counted up from commit to commit. Empty if it comes last, or nothing is missing
// there.
std::optional<std::int64_t> find_gap(Id id, const std::vector<LogRow>& log) {
  std::int64_t before = 0;
  std::optional<std::int64_t> after;
  for (const LogRow& row : log) {
    if (row.id < id) before = row.seq;
    else if (!after) after = row.seq;
  }
  if (!after || before + 1 >= *after) return std::nullopt;
  return before + 1;
}

// At its place if that is known, else last.
Status write_log_row(Derivation& from, Id id, const std::vector<LogRow>& log) {
  WEFT_TRY_VALUE(auto conversation, conversation_of(from, id));
  LogRow row{.id = id, .conversation = conversation.value_or(0)};
  WEFT_TRY_VALUE(const auto leaves, find_leaves(from, id));
  WEFT_TRY_VALUE(auto seq, find_seq(from, row, leaves));
  if (!seq) seq = find_gap(id, log);
  std::optional<Blob> packed;
  if (leaves) packed = Blob{*leaves};
  if (!seq) {
    return from.database.run("INSERT INTO checkpoints (id, conversation, leaves) VALUES (?, ?, ?)",
                             row.id, row.conversation, packed);
  }
  return from.database.run(
      "INSERT INTO checkpoints (seq, id, conversation, leaves) VALUES (?, ?, ?, ?)", *seq, row.id,
      row.conversation, packed);
}

}  // namespace

std::optional<thought::Checkpoint> find_checkpoint(Derivation& from, Id id) {
  const std::optional<thought::Thought> thought = find_bare(from, id);
  if (!thought) return std::nullopt;
  Result<thought::Checkpoint> checkpoint = to_checkpoint(*thought);
  return checkpoint ? std::optional(*std::move(checkpoint)) : std::nullopt;
}

Status check_log(Derivation& from, FindingList& out) {
  WEFT_TRY_VALUE(const auto log, read_log(from));
  std::unordered_map<Cid, Id> logged;    // so far, with their ids
  std::unordered_map<Cid, Id> expected;  // previous ones that did not come yet
  for (const LogRow& row : log) {
    WEFT_TRY_VALUE(auto conversation, conversation_of(from, row.id));
    if (!conversation) {
      out.add(kLog, "the log lists something that is no checkpoint", row.id);
      continue;
    }
    WEFT_TRY_VALUE(const bool is_aside, is_given_up(from, row));
    if (*conversation != row.conversation && !is_aside) {
      out.add(kLog, "the log lists a checkpoint under another conversation", row.id);
    }
    const Result<Cid> cid = get_cid(from.database, from.words, row.id);
    if (!cid) continue;
    if (const auto late = expected.find(*cid); late != expected.end()) {
      out.add(kLog, "the log lists a checkpoint before the one that it follows", late->second);
    }
    logged.emplace(*cid, row.id);
    const std::optional<thought::Checkpoint> checkpoint = find_checkpoint(from, row.id);
    if (checkpoint && checkpoint->previous && !logged.contains(*checkpoint->previous)) {
      expected.emplace(*checkpoint->previous, row.id);
    }
  }
  WEFT_TRY_VALUE(const auto missing, missing_in_log(from, log));
  for (const Id id : missing) out.add(kLog, "a checkpoint or tombstone is not in the log", id);
  return {};
}

Status rebuild_log(Derivation& from) {
  WEFT_TRY_VALUE(const auto log, read_log(from));
  for (const LogRow& row : log) {
    WEFT_TRY_VALUE(auto conversation, conversation_of(from, row.id));
    WEFT_TRY_VALUE(const bool is_aside, is_given_up(from, row));
    if (!conversation || *conversation == row.conversation || is_aside) continue;
    WEFT_TRY(from.database.run("UPDATE checkpoints SET conversation = ? WHERE seq = ?",
                               *conversation, row.seq));
  }
  WEFT_TRY_VALUE(const auto missing, missing_in_log(from, log));
  for (const Id id : missing) {
    WEFT_TRY_VALUE(const auto now, read_log(from));
    WEFT_TRY(write_log_row(from, id, now));
  }
  return {};
}

Status check_tombstones(Derivation& from, FindingList& out) {
  WEFT_TRY_VALUE(const auto derived, derive_tombstones(from));
  WEFT_TRY_VALUE(const auto stored, read_tombstones(from));
  for (const Listed& listed : derived) {
    if (!stored.contains(listed)) {
      out.add("tombstones", "something that this tombstone forgets is not listed", listed.second);
    }
  }
  for (const Listed& listed : stored) {
    if (!derived.contains(listed)) {
      out.add("tombstones", "something is listed as forgotten by this tombstone and is not",
              listed.second);
    }
  }
  return {};
}

Status rebuild_tombstones(Derivation& from) {
  WEFT_TRY_VALUE(const auto derived, derive_tombstones(from));
  WEFT_TRY(from.database.run("DELETE FROM tombstones"));
  for (const auto& [cid, tombstone] : derived) {
    WEFT_TRY(from.database.run("INSERT INTO tombstones (cid, tombstone) VALUES (?, ?)", Blob{cid},
                               tombstone));
  }
  return {};
}

}  // namespace weft::store::sql
