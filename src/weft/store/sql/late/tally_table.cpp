#include "weft/store/sql/late/tally_table.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/added_tally.hpp"
#include "weft/store/sql/late/sealed_columns.hpp"
#include "weft/store/tables/tally_sum.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kTallies = "tallies";
constexpr Portion kAllPortions[] = {Portion::clear, Portion::metadata, Portion::content};

std::size_t index_of(Portion portion) { return static_cast<std::size_t>(portion); }

std::optional<Blob> blob_or_null(const std::string& bytes) {
  return bytes.empty() ? std::nullopt : std::optional(Blob{bytes});
}

// --- rows ----------------------------------------------------------------------------------------

Result<bool> has_tally(LateContext& with, Id conversation) {
  Rows rows = with.database.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM tallies WHERE conversation = ?) AS INTEGER)",
      conversation);
  const bool found = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return found;
}

Status write_totals(LateContext& with, Id conversation, const Tally& tally) {
  const RowSeal seal(with.keyring, kTallies, conversation);
  std::array<std::string, kPortions> columns;
  for (const Portion portion : kAllPortions) {
    WEFT_TRY_VALUE(columns[index_of(portion)],
                   seal.seal(portion, pack(tally.totals[index_of(portion)])));
  }
  return with.database.run(
      "INSERT INTO tallies (conversation, clear, metadata, content) "
      "VALUES (?, ?, ?, ?) "
      "ON CONFLICT (conversation) DO UPDATE SET clear = excluded.clear, metadata = "
      "excluded.metadata, content = excluded.content",
      conversation, Blob{columns[0]}, blob_or_null(columns[1]), blob_or_null(columns[2]));
}

std::int64_t day_of(std::int64_t quarter) { return quarter / kQuartersOfDay; }

Quarters day_in(const Quarters& quarters, std::int64_t day) {
  return {quarters.lower_bound(day * kQuartersOfDay),
          quarters.lower_bound((day + 1) * kQuartersOfDay)};
}

std::set<std::int64_t> days_in(const Tally& tally) {
  std::set<std::int64_t> days;
  for (const Quarters& quarters : tally.quarters) {
    for (const auto& [quarter, figures] : quarters) days.insert(day_of(quarter));
  }
  return days;
}

Status write_day(LateContext& with, Id conversation, std::int64_t day, const Tally& tally) {
  const RowSeal seal(with.keyring, "tally_days", conversation, day);
  std::array<std::string, kPortions> columns;
  for (const Portion portion : kAllPortions) {
    const std::string plain =
        pack(day_in(tally.quarters[index_of(portion)], day), day * kQuartersOfDay);
    WEFT_TRY_VALUE(columns[index_of(portion)], seal.seal(portion, plain));
  }
  if (columns[0].empty() && columns[1].empty() && columns[2].empty()) {
    return with.database.run("DELETE FROM tally_days WHERE conversation = ? AND day = ?",
                             conversation, day);
  }
  return with.database.run(
      "INSERT INTO tally_days (conversation, day, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?) "
      "ON CONFLICT (conversation, day) DO UPDATE SET clear = excluded.clear, metadata = "
      "excluded.metadata, content = excluded.content",
      conversation, day, blob_or_null(columns[0]), blob_or_null(columns[1]),
      blob_or_null(columns[2]));
}

Status remove_tally(LateContext& with, Id conversation) {
  WEFT_TRY(with.database.run("DELETE FROM tallies WHERE conversation = ?", conversation));
  return with.database.run("DELETE FROM tally_days WHERE conversation = ?", conversation);
}

Status write_tally(LateContext& with, Id conversation, const Tally& tally) {
  WEFT_TRY(remove_tally(with, conversation));
  WEFT_TRY(write_totals(with, conversation, tally));
  for (const std::int64_t day : days_in(tally)) {
    WEFT_TRY(write_day(with, conversation, day, tally));
  }
  return {};
}

Status read_tally_row(LateContext& with, Id conversation, ReadTally& out) {
  Rows rows = with.database.query(
      "SELECT clear, metadata, content FROM tallies WHERE conversation = ?", conversation);
  if (rows.next()) WEFT_TRY(read_totals(with.keyring, conversation, rows, 0, out));
  return rows.status();
}

Status read_tally_days(LateContext& with, Id conversation, ReadTally& out) {
  Rows rows = with.database.query(
      "SELECT clear, metadata, content, day FROM tally_days WHERE conversation = ? ORDER BY day",
      conversation);
  while (rows.next()) {
    WEFT_TRY(read_day(with.keyring, conversation, rows.integer(3), rows, 0, out));
  }
  return rows.status();
}

std::unexpected<Error> sealed_otherwise(Id conversation) {
  return fail(ErrorCode::denied, "the figures of conversation " + std::to_string(conversation) +
                                     " are sealed with other keys");
}

bool is_any_closed(const ReadTally& read) {
  return std::ranges::find(read.is_closed, true) != read.is_closed.end();
}

// Adds a change to the rows of a conversation: reads and writes only the days that it touches.
Status change_tally(LateContext& with, Id conversation, const Tally& change) {
  ReadTally rows;
  WEFT_TRY(read_tally_row(with, conversation, rows));
  for (const std::int64_t day : days_in(change)) {
    Rows row = with.database.query(
        "SELECT clear, metadata, content FROM tally_days WHERE conversation = ? AND day = ?",
        conversation, day);
    if (row.next()) WEFT_TRY(read_day(with.keyring, conversation, day, row, 0, rows));
    WEFT_TRY(row.status());
  }
  if (is_any_closed(rows)) return sealed_otherwise(conversation);
  rows.tally += change;
  WEFT_TRY(write_totals(with, conversation, rows.tally));
  for (const std::int64_t day : days_in(change)) {
    WEFT_TRY(write_day(with, conversation, day, rows.tally));
  }
  return {};
}

// --- the late table ------------------------------------------------------------------------------

Status fill_tally(LateContext& with, Id conversation) {
  WEFT_TRY_VALUE(const ReadTally counted, count_blocks(with, conversation));
  return write_tally(with, conversation, counted.tally);
}

Status add_tally(LateContext& with, const LateAddition& addition) {
  AddedTally added(with, addition);
  WEFT_TRY(added.count());
  WEFT_TRY(change_tally(with, addition.conversation, added.change()));
  for (const auto& [conversation, change] : added.elsewhere()) {
    WEFT_TRY_VALUE(const bool is_counted_there, has_tally(with, conversation));
    if (is_counted_there) WEFT_TRY(change_tally(with, conversation, change));
  }
  return {};
}

Status check_tally(LateContext& with, Id conversation, FindingList& out) {
  WEFT_TRY_VALUE(const ReadTally counted, count_blocks(with, conversation));
  ReadTally stored;
  Status status = read_tally_row(with, conversation, stored);
  if (status) status = read_tally_days(with, conversation, stored);
  if (!status && status.error().code != ErrorCode::corrupt) return status;
  if (!status) {
    out.add(kTallies, "the figures of this conversation cannot be read", conversation);
    return {};
  }
  for (const Portion portion : kAllPortions) {
    const std::size_t i = index_of(portion);
    if (stored.is_closed[i] || counted.is_closed[i]) continue;
    // Packed, because zeros do not count.
    if (pack(stored.tally.totals[i]) == pack(counted.tally.totals[i]) &&
        pack(stored.tally.quarters[i], 0) == pack(counted.tally.quarters[i], 0)) {
      continue;
    }
    out.add(kTallies, "the figures of this conversation are not those of its blocks", conversation);
    return {};
  }
  return {};
}

// Reads what RowSeal closed; false, and closed, if the keyring does not open it.
Result<bool> open_column(const RowSeal& seal, Portion portion, const Rows& row, int column,
                         ReadTally& out, std::string& plain) {
  const std::optional<std::string_view> stored = row.find_bytes(column);
  WEFT_TRY_VALUE(auto opened, seal.open(portion, stored.value_or("")));
  if (!opened) out.is_closed[index_of(portion)] = true;
  if (opened) plain = *std::move(opened);
  return opened.has_value();
}

}  // namespace

Status read_totals(const crypto::Keyring* keyring, Id conversation, const Rows& row, int column,
                   ReadTally& out) {
  const RowSeal seal(keyring, kTallies, conversation);
  std::string plain;
  for (const Portion portion : kAllPortions) {
    WEFT_TRY_VALUE(
        const bool is_open,
        open_column(seal, portion, row, column + static_cast<int>(index_of(portion)), out, plain));
    if (!is_open) continue;
    WEFT_TRY(add_totals(plain, out.tally.totals[index_of(portion)]));
  }
  return {};
}

Status read_day(const crypto::Keyring* keyring, Id conversation, std::int64_t day, const Rows& row,
                int column, ReadTally& out) {
  constexpr std::int64_t kLastDay = std::numeric_limits<std::int64_t>::max() / kQuartersOfDay - 1;
  if (day < -kLastDay || day > kLastDay) {
    return fail(ErrorCode::corrupt, "tally_days has a day beyond all times");
  }
  const RowSeal seal(keyring, "tally_days", conversation, day);
  std::string plain;
  for (const Portion portion : kAllPortions) {
    WEFT_TRY_VALUE(
        const bool is_open,
        open_column(seal, portion, row, column + static_cast<int>(index_of(portion)), out, plain));
    if (!is_open) continue;
    WEFT_TRY_VALUE(const Quarters quarters, unpack_quarters(plain, day * kQuartersOfDay));
    Tally more;
    more.quarters[index_of(portion)] = quarters;
    out.tally += more;
  }
  return {};
}

const LateTable& tally_table() {
  static const LateTable table = {
      .name = kTallies,
      .version = 1,
      .tables = {"tallies", "tally_days"},
      .has_row = "SELECT CAST(EXISTS (SELECT 1 FROM tallies WHERE conversation = ?) AS INTEGER)",
      .missing =
          "SELECT id, blocks FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM tallies WHERE conversation = conversations.id) "
          "ORDER BY touched DESC LIMIT 256",
      .count = "SELECT count(*) FROM tallies",
      .clear = "DELETE FROM tallies",
      .fill = fill_tally,
      .add = add_tally,
      .remove = remove_tally,
      .check = check_tally};
  return table;
}

}  // namespace weft::store::sql
