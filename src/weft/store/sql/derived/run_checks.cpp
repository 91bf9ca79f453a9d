// Runs and shares: which ids a conversation holds. They follow from the history of commits, so a
// check can only find what contradicts the rest; the sums of both tables find every change.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/sums/sums.hpp"

namespace weft::store::sql {
namespace {

struct Run {
  Id first = 0, last = 0, conversation = 0;
};

RowHash hash_of_run(const Run& run) {
  RowHasher hasher;
  for (const Id column : {run.first, run.last, run.conversation}) hasher.add_integer(column);
  return hasher.finish();
}

Status write_run(Derivation& from, const Run& run) {
  return from.database.run(
      "INSERT INTO runs (first, last, conversation) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      run.first, run.last, run.conversation);
}

// A checkpoint of a stored conversation, by its creator, that the conversation does not hold: its
// run is gone. No conversation holds a stranger's.
struct Unheld {
  Id checkpoint = 0, conversation = 0;
  Id last_leaf = 0;
};
Result<std::vector<Unheld>> unheld_checkpoints(Derivation& from) {
  Rows rows = from.database.query(
      "SELECT id, conversation, leaves FROM checkpoints WHERE "
      "(conversation IN (SELECT id FROM conversations) OR "
      "conversation IN (SELECT conversation FROM runs)) AND "
      "(SELECT created_by FROM thoughts WHERE thoughts.id = checkpoints.id) = "
      "(SELECT created_by FROM thoughts WHERE thoughts.id = conversation) AND NOT EXISTS "
      "(SELECT 1 FROM shares WHERE shares.conversation = checkpoints.conversation "
      "AND thought = checkpoints.id) AND NOT coalesce((SELECT last >= checkpoints.id AND "
      "runs.conversation = checkpoints.conversation FROM runs WHERE first <= checkpoints.id "
      "ORDER BY first DESC LIMIT 1), FALSE) ORDER BY id");
  std::vector<Unheld> found;
  while (rows.next()) {
    Unheld unheld{.checkpoint = rows.integer(0), .conversation = rows.integer(1)};
    for (const Range& range : unpack_leaves(rows.bytes(2)).value_or(std::vector<Range>())) {
      // Unsigned, for damaged leaves may say anything.
      const auto last = static_cast<Id>(static_cast<std::uint64_t>(range.first) + range.count - 1);
      unheld.last_leaf = std::max(unheld.last_leaf, last);
    }
    found.push_back(unheld);
  }
  WEFT_TRY(rows.status());
  return found;
}

// The ids around `id` that are in no run, and of these the first and last that are stored.
Result<Run> find_gap(Derivation& from, Id id) {
  Rows bounds = from.database.query(
      "SELECT coalesce((SELECT last FROM runs WHERE first <= ?1 ORDER BY first DESC LIMIT 1), 0) + "
      "1, "
      "coalesce((SELECT min(first) FROM runs WHERE first > ?1), 9223372036854775807) - 1",
      id);
  Run gap;
  if (bounds.next()) gap = {.first = bounds.integer(0), .last = bounds.integer(1)};
  WEFT_TRY(bounds.status());
  Rows stored = from.database.query(
      "SELECT min(id), max(id) FROM (SELECT id FROM thoughts WHERE id BETWEEN ?1 AND ?2 UNION ALL "
      "SELECT id FROM connections WHERE id BETWEEN ?1 AND ?2) AS stored",
      gap.first, gap.last);
  if (stored.next() && stored.find_integer(0)) {
    gap.first = stored.integer(0);
    gap.last = stored.integer(1);
  }
  WEFT_TRY(stored.status());
  return gap;
}

// The one run that is gone, if the sum of the table confirms it: its ends lie in the gap.
Result<std::optional<Run>> confirm_run(Derivation& from, const Run& guess) {
  WEFT_TRY_VALUE(auto stored, from.database.sums().find("runs"));
  if (!stored) return std::nullopt;
  WEFT_TRY_VALUE(auto now, from.database.sums().compute("runs"));
  if (stored->rows != now.rows + 1) return std::nullopt;
  const RowHash gone = stored->sum - now.sum;
  if (hash_of_run(guess) == gone) return guess;
  constexpr Id kMostTried = 4096;
  if (guess.first <= 0 || guess.last < guess.first) return std::nullopt;
  const Id tried = std::min(guess.last - guess.first, kMostTried);
  for (Run run = guess; run.first <= guess.first + tried; ++run.first) {
    for (run.last = guess.last; run.last >= std::max(run.first, guess.last - tried); --run.last) {
      if (hash_of_run(run) == gone) return run;
    }
  }
  return std::nullopt;
}

}  // namespace

Status check_runs(Derivation& from, FindingList& out) {
  Rows runs = from.database.query("SELECT first, last, conversation FROM runs ORDER BY first");
  Id before = 0;
  while (runs.next()) {
    const Run run{runs.integer(0), runs.integer(1), runs.integer(2)};
    if (run.first <= before || run.last < run.first) {
      out.add("runs", "a run overlaps another, or has no end", run.conversation);
    }
    before = std::max(before, run.last);
  }
  WEFT_TRY(runs.status());
  WEFT_TRY_VALUE(const auto unheld, unheld_checkpoints(from));
  for (const Unheld& one : unheld) {
    out.add("runs", "a checkpoint of this conversation is in none of its runs", one.conversation);
  }
  Rows shares = from.database.query(
      "SELECT conversation FROM shares WHERE thought NOT IN (SELECT id FROM thoughts) AND NOT "
      "EXISTS "
      "(SELECT 1 FROM connections WHERE connections.id = thought)");
  while (shares.next()) {
    out.add("shares", "this conversation shares a thought that is not there", shares.integer(0));
  }
  return shares.status();
}

Status rebuild_runs(Derivation& from) {
  WEFT_TRY_VALUE(auto unheld, unheld_checkpoints(from));
  for (std::size_t i = 0; i < unheld.size(); ++i) {
    WEFT_TRY_VALUE(auto gap, find_gap(from, unheld[i].checkpoint));
    if (gap.first > unheld[i].checkpoint || gap.last < unheld[i].checkpoint) continue;
    gap.conversation = unheld[i].conversation;
    // Another run is gone after it: this one ends with its leaves.
    const bool shared = i + 1 < unheld.size() && unheld[i + 1].checkpoint <= gap.last;
    if (shared) gap.last = std::max(unheld[i].checkpoint, unheld[i].last_leaf);
    WEFT_TRY_VALUE(auto confirmed, confirm_run(from, gap));
    WEFT_TRY(write_run(from, confirmed.value_or(gap)));
  }
  return {};
}

}  // namespace weft::store::sql
