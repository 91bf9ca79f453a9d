// The rows of `conversations`, from what they follow from: the heading from the conversation's
// thought, the counts and the newest facts from what it holds, the newest checkpoint from the log.
// `touched` and `adopted` follow from nothing: a row that is gone gets those back that its table's
// sum confirms.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/sums/sums.hpp"
#include "weft/store/sql/write/counted.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kConversations = "conversations";

struct Heading {
  std::string format{}, session_id{}, source{};
  Millis created_at = 0;
  Id created_by = 0;  // of the thought; no column of the row
  friend bool operator==(const Heading&, const Heading&) = default;
};
struct Held {
  std::int64_t turns = 0, blocks = 0, thoughts = 0;
  friend bool operator==(const Held&, const Held&) = default;
};
struct ConversationColumns {
  Heading heading{};
  std::optional<Id> facts{}, checkpoint{};
  Held held{};
};

struct StoredRow {
  ConversationColumns columns{};
  std::int64_t touched = 0, adopted = 0;
};

// Counts what conversations hold.
class Counting {
 public:
  // Facts of others than `creator` do not count.
  Counting(Derivation& from, Id conversation, Id creator)
      : from_(from), conversation_(conversation), creator_(creator) {}

  Status count(Id first, Id last) {
    WEFT_TRY(count_thoughts(first, last));
    return count_edges(first, last);
  }
  const Held& held() const { return held_; }
  // The newest. Which ones an import brought later follows from the chain that it continued, so any
  // that the conversation holds may be the stored ones; without, the last ones that were written.
  std::optional<Id> facts(std::optional<Id> stored) const {
    if (stored && facts_.contains(*stored)) return stored;
    const auto last = std::ranges::max_element(facts_);
    return last == facts_.end() ? std::nullopt : std::optional(*last);
  }

 private:
  Status count_thoughts(Id first, Id last) {
    Rows rows = from_.database.query(
        "SELECT id, type, created_by FROM thoughts WHERE id BETWEEN ? AND ?", first, last);
    while (rows.next()) {
      const Result<std::string_view> type = from_.words.text(rows.integer(1));
      if (!type) continue;  // verify reports it
      held_.thoughts += is_counted(*type) ? 1 : 0;
      const bool is_facts = thought::kind_of(*type) == "conversation_facts";
      if (is_facts && rows.integer(2) == creator_) facts_.insert(rows.integer(0));
    }
    return rows.status();
  }

  Status count_edges(Id first, Id last) {
    if (!contains_) {
      WEFT_TRY_VALUE(auto word, from_.words.find_id("contains"));
      contains_ = word.value_or(0);
    }
    Edges::Walk walk(from_.edges, {.low = first, .high = last});
    for (;;) {
      const Result<bool> more = walk.next(page_);
      if (!more && more.error().code == ErrorCode::corrupt) continue;  // verify reports it
      if (!more) return fail(Error(more.error()));
      if (!*more) return {};
      for (const Edge& edge : page_) {
        ++held_.thoughts;
        if (edge.relation != *contains_) continue;
        ++(edge.from == conversation_ ? held_.turns : held_.blocks);
      }
    }
  }

  Derivation& from_;
  const Id conversation_, creator_;
  Held held_;
  std::unordered_set<Id> facts_;
  std::optional<Id> contains_;
  std::vector<Edge> page_;
};

// Empty if its thought is not there, or cannot be read.
Result<std::optional<Heading>> find_heading(Derivation& from, Id id) {
  Rows rows =
      from.database.query("SELECT created_at, body, created_by FROM thoughts WHERE id = ?", id);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::nullopt;
  }
  const Result<json::object> content = unpack_body(rows.bytes(1));
  if (!content) return std::nullopt;
  const auto member = [&](std::string_view key) {
    return std::string(find_string(*content, key).value_or(""));
  };
  return Heading{.format = member("format"),
                 .session_id = member("session_id"),
                 .source = member("source"),
                 .created_at = rows.integer(0),
                 .created_by = rows.integer(2)};
}

// As commits and imports go on: each that follows the newest so far is the newest. If the last one
// of the log is `stored`, there is no need to read them all. Those of others than `creator` do not
// count.
Result<std::optional<Id>> newest_in_log(Derivation& from, Id conversation, Id creator,
                                        std::optional<Id> stored) {
  std::vector<Id> log;
  Rows rows = from.database.query(
      "SELECT checkpoints.id FROM checkpoints JOIN thoughts ON thoughts.id = checkpoints.id "
      "WHERE conversation = ? AND created_by = ? ORDER BY seq",
      conversation, creator);
  while (rows.next()) log.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  if (!log.empty() && log.back() == stored) return stored;
  std::optional<Id> newest;
  std::optional<Cid> at;
  for (const Id id : log) {
    const std::optional<thought::Checkpoint> checkpoint = find_checkpoint(from, id);
    if (!checkpoint || (newest && checkpoint->previous != at)) continue;
    WEFT_TRY_VALUE(auto cid, get_cid(from.database, from.words, id));
    newest = id;
    at = cid;
  }
  return newest;
}

Status each_piece(Derivation& from, Id conversation,
                  const std::function<Status(Id first, Id last)>& visit) {
  std::vector<std::pair<Id, Id>> pieces;
  Rows runs =
      from.database.query("SELECT first, last FROM runs WHERE conversation = ?", conversation);
  while (runs.next()) pieces.emplace_back(runs.integer(0), runs.integer(1));
  WEFT_TRY(runs.status());
  Rows shares =
      from.database.query("SELECT thought FROM shares WHERE conversation = ?", conversation);
  while (shares.next()) pieces.emplace_back(shares.integer(0), shares.integer(0));
  WEFT_TRY(shares.status());
  for (const auto& [first, last] : pieces) WEFT_TRY(visit(first, last));
  return {};
}

Result<std::optional<ConversationColumns>> derive_columns(Derivation& from, Id conversation,
                                                          const std::optional<StoredRow>& stored) {
  WEFT_TRY_VALUE(auto heading, find_heading(from, conversation));
  if (!heading) return std::nullopt;
  const Id creator = heading->created_by;
  Counting counting(from, conversation, creator);
  WEFT_TRY(each_piece(from, conversation,
                      [&](Id first, Id last) { return counting.count(first, last); }));
  WEFT_TRY_VALUE(auto checkpoint,
                 newest_in_log(from, conversation, creator,
                               stored ? stored->columns.checkpoint : std::nullopt));
  return ConversationColumns{.heading = *std::move(heading),
                             .facts = counting.facts(stored ? stored->columns.facts : std::nullopt),
                             .checkpoint = checkpoint,
                             .held = counting.held()};
}

Result<std::optional<StoredRow>> find_row(Derivation& from, Id conversation) {
  Rows row = from.database.query("SELECT * FROM conversations WHERE id = ?", conversation);
  if (!row.next()) {
    WEFT_TRY(row.status());
    return std::nullopt;
  }
  return StoredRow{.columns = {.heading = {.format = std::string(row.bytes(1)),
                                           .session_id = std::string(row.bytes(2)),
                                           .source = std::string(row.bytes(3)),
                                           .created_at = row.integer(4)},
                               .facts = row.find_integer(5),
                               .checkpoint = row.find_integer(6),
                               .held = {row.integer(7), row.integer(8), row.integer(9)}},
                   .touched = row.integer(10),
                   .adopted = row.integer(11)};
}

// All that should have a row, or have one: by what is held, and by the table.
Result<std::vector<Id>> all_conversations(Derivation& from) {
  Rows rows = from.database.query(
      "SELECT DISTINCT conversation FROM runs UNION SELECT conversation FROM shares UNION "
      "SELECT id FROM conversations");
  std::vector<Id> ids;
  while (rows.next()) ids.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return ids;
}

void compare(Id id, const ConversationColumns& derived, const ConversationColumns& stored,
             FindingList& out) {
  const auto differ = [&](std::string_view what) {
    out.add(kConversations,
            std::string(what) + " of this conversation do not follow from its thoughts", id);
  };
  Heading heading = stored.heading;
  heading.created_by = derived.heading.created_by;
  if (derived.heading != heading) differ("the format, session or time");
  if (derived.facts != stored.facts) differ("the facts");
  if (derived.checkpoint != stored.checkpoint) differ("the newest checkpoint");
  if (derived.held != stored.held) differ("the counts");
}

RowHash hash_of_row(Id id, const StoredRow& row) {
  const ConversationColumns& columns = row.columns;
  RowHasher hasher;
  const auto add = [&hasher](const std::optional<Id>& value) {
    value ? hasher.add_integer(*value) : hasher.add_null();
  };
  hasher.add_integer(id);
  hasher.add_text(columns.heading.format);
  hasher.add_text(columns.heading.session_id);
  hasher.add_text(columns.heading.source);
  hasher.add_integer(columns.heading.created_at);
  add(columns.facts);
  add(columns.checkpoint);
  for (const std::int64_t count :
       {columns.held.turns, columns.held.blocks, columns.held.thoughts, row.touched, row.adopted}) {
    hasher.add_integer(count);
  }
  return hasher.finish();
}

// `touched` and `adopted` of the only row that is gone. Without a sum, or if several are gone, it
// comes last.
Status find_touched(Derivation& from, Id id, StoredRow& row) {
  Rows newest = from.database.query(
      "SELECT coalesce(max(touched), 0), (SELECT count(*) FROM runs) FROM conversations");
  std::int64_t last = 0, commits = 0;
  if (newest.next()) last = newest.integer(0), commits = newest.integer(1);
  WEFT_TRY(newest.status());
  WEFT_TRY_VALUE(auto stored, from.database.sums().find(kConversations));
  std::optional<RowHash> gone;
  if (stored) {
    WEFT_TRY_VALUE(auto now, from.database.sums().compute(kConversations));
    if (stored->rows == now.rows + 1) gone = stored->sum - now.sum;
  }
  for (row.touched = last + commits + 1; gone && row.touched >= 0; --row.touched) {
    for (row.adopted = 0; row.adopted < 2; ++row.adopted) {
      if (hash_of_row(id, row) == *gone) return {};
    }
  }
  row.touched = last + 1;
  row.adopted = 0;
  return {};
}

// A row that somebody made up: no thought, and nothing that leads to it. A conversation whose
// thought is damaged has runs or checkpoints.
Status remove_if_made_up(Derivation& from, Id id) {
  return from.database.run(
      "DELETE FROM conversations WHERE id = ?1 AND "
      "NOT EXISTS (SELECT 1 FROM thoughts WHERE thoughts.id = ?1) AND "
      "NOT EXISTS (SELECT 1 FROM runs WHERE runs.conversation = ?1) AND "
      "NOT EXISTS (SELECT 1 FROM shares WHERE shares.conversation = ?1) AND "
      "NOT EXISTS (SELECT 1 FROM checkpoints WHERE checkpoints.conversation = ?1)",
      id);
}

Status write_row(Derivation& from, Id id, const StoredRow& row) {
  const ConversationColumns& columns = row.columns;
  return from.database.run(
      "INSERT INTO conversations (id, format, session_id, source, created_at, facts, "
      "checkpoint, turns, blocks, thoughts, touched, adopted) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (id) DO UPDATE SET format = excluded.format, session_id = excluded.session_id, "
      "source = excluded.source, created_at = excluded.created_at, facts = excluded.facts, "
      "checkpoint = excluded.checkpoint, turns = excluded.turns, blocks = excluded.blocks, "
      "thoughts = excluded.thoughts, touched = excluded.touched, adopted = excluded.adopted",
      id, columns.heading.format, columns.heading.session_id, columns.heading.source,
      columns.heading.created_at, columns.facts, columns.checkpoint, columns.held.turns,
      columns.held.blocks, columns.held.thoughts, row.touched, row.adopted);
}

}  // namespace

Status check_conversations(Derivation& from, FindingList& out) {
  WEFT_TRY_VALUE(const auto ids, all_conversations(from));
  for (const Id id : ids) {
    WEFT_TRY_VALUE(auto stored, find_row(from, id));
    WEFT_TRY_VALUE(auto derived, derive_columns(from, id, stored));
    if (!stored) {
      out.add(kConversations, "a conversation is not listed", id);
    } else if (!derived) {
      out.add(kConversations, "a conversation is listed whose thought is not there", id);
    } else {
      compare(id, *derived, stored->columns, out);
    }
  }
  return {};
}

Status rebuild_conversations(Derivation& from) {
  WEFT_TRY_VALUE(const auto ids, all_conversations(from));
  for (const Id id : ids) {
    WEFT_TRY_VALUE(auto stored, find_row(from, id));
    WEFT_TRY_VALUE(auto derived, derive_columns(from, id, stored));
    if (!derived) {  // its thought is to be mended first, unless there never was one
      WEFT_TRY(remove_if_made_up(from, id));
      continue;
    }
    StoredRow row = stored.value_or(StoredRow{});
    row.columns = *std::move(derived);
    if (!stored) WEFT_TRY(find_touched(from, id, row));
    WEFT_TRY(write_row(from, id, row));
  }
  return {};
}

}  // namespace weft::store::sql
