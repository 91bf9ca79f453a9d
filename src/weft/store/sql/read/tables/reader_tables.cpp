// The catalogue and the figures of conversations: from their rows, or computed where one is
// missing.
#include <algorithm>
#include <functional>
#include <numeric>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/catalogue_table.hpp"
#include "weft/store/sql/late/tally_table.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

template <class Map>
void add_counts(Map& sums, const Map& more) {
  for (const auto& [key, count] : more) sums[key] += count;
}

}  // namespace

LateContext Reader::late(const crypto::Keyring* keyring) {
  return {database_, edges_, words_, keyring};
}

Result<std::vector<Reader::ListedRow>> Reader::list_rows(const ConversationFilter& filter) {
  std::vector<ListedRow> out;
  Rows rows = database_.query(
      "SELECT id, touched, format, session_id, source, created_at, turns, blocks, thoughts, "
      "adopted "
      "FROM conversations WHERE (format = ?1 OR ?1 IS NULL) AND (session_id = ?2 OR ?2 IS NULL) "
      "ORDER BY id",
      filter.format, filter.session_id);
  while (rows.next()) {
    auto& [id, touched, row] = out.emplace_back();
    id = rows.integer(0);
    touched = rows.integer(1);
    row.format = rows.bytes(2);
    row.session_id = rows.bytes(3);
    row.source = rows.bytes(4);
    row.created_at = rows.integer(5);
    row.turn_count = static_cast<std::uint64_t>(rows.integer(6));
    row.block_count = static_cast<std::uint64_t>(rows.integer(7));
    row.thought_count = static_cast<std::uint64_t>(rows.integer(8));
    row.imported = rows.integer(9) != 0;
  }
  WEFT_TRY(rows.status());
  return out;
}

std::vector<std::size_t> Reader::newest_first(const std::vector<ListedRow>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater(),
                    [&](std::size_t i) { return std::pair(rows[i].touched, rows[i].id); });
  return order;
}

Status Reader::name_row(Id conversation, const CatalogueNames* known, ConversationRow& row) {
  std::optional<Id> creator;
  if (known != nullptr) {
    row.cid = known->cid;
    if (known->creator != 0) creator = known->creator;
  } else {
    WEFT_TRY_VALUE(row.cid, names_.cid(conversation));
    WEFT_TRY_VALUE(creator, creator_of(conversation));
  }
  if (!creator) return {};
  // Nearly all have the same.
  if (last_creator_.first != *creator) {
    WEFT_TRY_VALUE(const Cid cid, names_.cid(*creator));
    last_creator_ = {*creator, cid};
  }
  row.created_by = last_creator_.second;
  return {};
}

Result<Catalogue> Reader::catalogue(const std::optional<std::string>& format,
                                    const crypto::Keyring* keyring) {
  WEFT_TRY_VALUE(auto listed, list_rows({.format = format}));
  Catalogue out;
  out.rows.all = listed.size();
  if (listed.empty()) return out;
  std::vector<CatalogueRow> described;
  described.reserve(listed.size());
  WEFT_TRY_VALUE(TableCursor table, open_catalogue(listed.front().id, listed.back().id));
  LateContext with = late(keyring);
  for (ListedRow& one : listed) {
    const bool is_there = table.find(one.id);
    out.rows.done += is_there ? 1 : 0;
    WEFT_TRY_VALUE(auto row, is_there ? read_catalogue_row(keyring, one.id, table.row(), 1)
                                      : describe_conversation(with, one.id));
    WEFT_TRY(name_row(one.id, &row.names, one.row));
    described.push_back(std::move(row));
  }
  WEFT_TRY(table.status());
  out.entries.reserve(listed.size());
  for (const std::size_t i : newest_first(listed)) {
    CatalogueRow& row = described[i];
    CatalogueEntry& entry = out.entries.emplace_back();
    entry.row = std::move(listed[i].row);
    entry.is_internal = row.facts.known.facts.internal.value_or(false);
    entry.known = std::move(row.facts.known);
    entry.prompt = std::move(row.facts.prompt);
    entry.has_sealed_facts = row.has_sealed_facts;
    if (!row.names.parent) continue;
    WEFT_TRY_VALUE(entry.parent, names_.cid(*row.names.parent));
  }
  return out;
}

Result<TallySum> Reader::sum_tallies(const TallyRequest& request) {
  std::vector<Id> ids;
  if (request.conversation) {
    WEFT_TRY_VALUE(const auto id, names_.find_id(*request.conversation));
    if (id) ids.push_back(*id);
  } else {
    Rows rows = database_.query("SELECT id FROM conversations ORDER BY id");
    while (rows.next()) ids.push_back(rows.integer(0));
    WEFT_TRY(rows.status());
  }
  TallySum out{.conversations = ids.size()};
  if (ids.empty()) return out;
  WEFT_TRY_VALUE(auto tables, open_tables(ids.front(), ids.back(), request.with_quarters));
  ReadTally read;
  const auto count_chars = [&] {
    Count chars;
    for (const Totals& portion : read.tally.totals) chars += portion.figures[Figure::chars];
    return chars;
  };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    bool was_there = true;
    const Count before = count_chars();
    read.is_closed = {};
    WEFT_TRY(add_tally(ids[i], request, tables, read, was_there));
    WEFT_TRY_VALUE(
        const auto usage,
        read_usage(ids[i], request.keyring,
                   tables.catalogue.find(ids[i]) ? &tables.catalogue.row() : nullptr, was_there));
    out.rows.done += was_there ? 1 : 0;
    ++out.rows.all;
    if (!usage) {
      const Count after = count_chars();
      out.chars_without_usage += {after.all - before.all, after.own - before.own};
    }
    out.sealed += std::ranges::find(read.is_closed, true) != read.is_closed.end() ? 1 : 0;
    if (request.go_on && !request.go_on(i + 1, ids.size())) {
      return fail(ErrorCode::unavailable, "the sum was called off");
    }
  }
  Totals totals;
  for (std::size_t portion = 0; portion < kPortions; ++portion) {
    totals += read.tally.totals[portion];
    add_counts(out.quarters, read.tally.quarters[portion]);
  }
  WEFT_TRY(tables.status());
  out.figures = totals.figures;
  for (const auto& [type, count] : totals.types) {
    WEFT_TRY_VALUE(const auto name, words_.text(type));
    out.by_type[std::string(name)] += count;
  }
  for (const auto& [author, count] : totals.authors) {
    WEFT_TRY_VALUE(const Cid cid, names_.cid(author));
    out.by_author[cid] += count;
  }
  out.by_tool = {totals.tools.begin(), totals.tools.end()};
  return out;
}

Status Reader::FigureTables::status() const {
  for (const TableCursor* table : {&tallies, &days, &catalogue}) WEFT_TRY(table->status());
  return {};
}

Result<Reader::FigureTables> Reader::open_tables(Id first, Id last, bool with_days) {
  FigureTables tables;
  WEFT_TRY_VALUE(const bool has_tallies, has_late_table(database_, tally_table()));
  if (has_tallies) {
    tables.tallies =
        TableCursor(database_.query("SELECT conversation, clear, metadata, content FROM tallies "
                                    "WHERE conversation BETWEEN ? AND ? ORDER BY conversation",
                                    first, last));
  }
  if (has_tallies && with_days) {
    tables.days = TableCursor(
        database_.query("SELECT conversation, clear, metadata, content, day FROM tally_days "
                        "WHERE conversation BETWEEN ? AND ? ORDER BY conversation",
                        first, last));
  }
  WEFT_TRY_VALUE(tables.catalogue, open_catalogue(first, last));
  return tables;
}

Result<TableCursor> Reader::open_catalogue(Id first, Id last) {
  WEFT_TRY_VALUE(const bool has_catalogue, has_late_table(database_, catalogue_table()));
  if (!has_catalogue) return TableCursor();
  return TableCursor(
      database_.query("SELECT conversation, parent, clear, metadata, content FROM catalogue "
                      "WHERE conversation BETWEEN ? AND ? ORDER BY conversation",
                      first, last));
}

Status Reader::add_tally(Id conversation, const TallyRequest& request, FigureTables& tables,
                         ReadTally& sum, bool& was_there) {
  if (!tables.tallies.find(conversation)) {
    was_there = false;
    LateContext with = late(request.keyring);
    WEFT_TRY_VALUE(const ReadTally counted, count_blocks(with, conversation));
    sum.tally += counted.tally;
    sum.is_closed = counted.is_closed;
    return {};
  }
  WEFT_TRY(read_totals(request.keyring, conversation, tables.tallies.row(), 1, sum));
  while (tables.days.find(conversation)) {
    const Rows& row = tables.days.row();
    WEFT_TRY(read_day(request.keyring, conversation, row.integer(4), row, 1, sum));
    tables.days.step();
  }
  return {};
}

Result<std::optional<transcript::Usage>> Reader::read_usage(Id conversation,
                                                            const crypto::Keyring* keyring,
                                                            const Rows* catalogue,
                                                            bool& was_there) {
  if (catalogue != nullptr) return read_catalogue_usage(keyring, conversation, *catalogue, 1);
  was_there = false;
  LateContext with = late(keyring);
  WEFT_TRY_VALUE(const CatalogueRow computed, describe_conversation(with, conversation));
  return computed.facts.known.facts.usage;
}

}  // namespace weft::store::sql
