// The catalogue and the figures of conversations: from their rows, or computed where one is
// missing.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sqlite/late/catalogue_table.hpp"
#include "weft/store/sqlite/late/tally_table.hpp"

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

Result<ConversationRow> Reader::to_listed_row(const sqlite::Rows& row) {
  ConversationRow out;
  WEFT_TRY_VALUE(out.cid, to_cid(row.bytes(1)));
  names_.remember(row.integer(0), out.cid);
  out.format = row.bytes(2);
  out.session_id = row.bytes(3);
  out.source = row.bytes(4);
  out.created_at = row.integer(5);
  out.turn_count = static_cast<std::uint64_t>(row.integer(6));
  out.block_count = static_cast<std::uint64_t>(row.integer(7));
  out.thought_count = static_cast<std::uint64_t>(row.integer(8));
  out.imported = row.integer(9) != 0;
  if (const auto creator = row.find_integer(10)) {
    WEFT_TRY_VALUE(out.created_by, names_.cid(*creator));
  }
  return out;
}

Result<Catalogue> Reader::catalogue(const std::optional<std::string>& format,
                                    const crypto::Keyring* keyring) {
  WEFT_TRY_VALUE(const bool has_table, has_late_table(database_, catalogue_table()));
  Catalogue out;
  std::vector<std::optional<Id>> parents;
  std::vector<std::pair<std::size_t, Id>> missing;
  const auto read = [&](sqlite::Rows rows) -> Status {
    while (rows.next()) {
      const Id id = rows.integer(0);
      CatalogueEntry& entry = out.entries.emplace_back();
      WEFT_TRY_VALUE(entry.row, to_listed_row(rows));
      std::optional<Id>& parent = parents.emplace_back();
      if (!rows.find_integer(11)) {
        missing.emplace_back(out.entries.size() - 1, id);
        continue;
      }
      WEFT_TRY_VALUE(CatalogueRow row, read_catalogue_row(keyring, id, rows, 12));
      set_catalogue(entry, std::move(row), parent);
    }
    return rows.status();
  };
  if (has_table) {
    WEFT_TRY(read(database_.query(
        "SELECT talk.id, cid, format, session_id, talk.source, talk.created_at, turns, blocks, "
        "thoughts, adopted, thoughts.created_by, catalogue.conversation, parent, clear, "
        "catalogue.metadata, catalogue.content FROM conversations talk "
        "JOIN names ON names.id = talk.id LEFT JOIN thoughts ON thoughts.id = talk.id "
        "LEFT JOIN catalogue ON conversation = talk.id "
        "WHERE ?1 IS NULL OR format = ?1 ORDER BY touched DESC, talk.id DESC",
        format)));
  } else {
    WEFT_TRY(read(database_.query(
        "SELECT talk.id, cid, format, session_id, talk.source, talk.created_at, turns, blocks, "
        "thoughts, adopted, thoughts.created_by, NULL FROM conversations talk "
        "JOIN names ON names.id = talk.id LEFT JOIN thoughts ON thoughts.id = talk.id "
        "WHERE ?1 IS NULL OR format = ?1 ORDER BY touched DESC, talk.id DESC",
        format)));
  }
  out.rows = {out.entries.size() - missing.size(), out.entries.size()};
  LateContext with = late(keyring);
  for (const auto& [at, id] : missing) {
    WEFT_TRY_VALUE(CatalogueRow row, describe_conversation(with, id));
    set_catalogue(out.entries[at], std::move(row), parents[at]);
  }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (!parents[i]) continue;
    WEFT_TRY_VALUE(out.entries[i].parent, names_.cid(*parents[i]));
  }
  return out;
}

void Reader::set_catalogue(CatalogueEntry& entry, CatalogueRow row, std::optional<Id>& parent) {
  entry.known = std::move(row.known);
  entry.is_internal = row.is_internal;
  entry.prompt = std::move(row.prompt);
  entry.has_sealed_facts = row.has_sealed_facts;
  parent = row.parent;
}

Result<TallySum> Reader::sum_tallies(const TallyRequest& request) {
  std::vector<Id> ids;
  if (request.conversation) {
    WEFT_TRY_VALUE(const auto id, names_.find_id(*request.conversation));
    if (id) ids.push_back(*id);
  } else {
    sqlite::Rows rows = database_.query("SELECT id FROM conversations ORDER BY id");
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
    WEFT_TRY_VALUE(const bool has_usage,
                   has_usage_in_facts(ids[i], request.keyring, tables.catalogue, was_there));
    out.rows.done += was_there ? 1 : 0;
    ++out.rows.all;
    if (!has_usage) {
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
    const sqlite::Rows& row = tables.days.row();
    WEFT_TRY(read_day(request.keyring, conversation, row.integer(4), row, 1, sum));
    tables.days.step();
  }
  return {};
}

Result<bool> Reader::has_usage_in_facts(Id conversation, const crypto::Keyring* keyring,
                                        TableCursor& catalogue, bool& was_there) {
  if (catalogue.find(conversation)) {
    return states_usage(keyring, conversation, catalogue.row(), 1);
  }
  WEFT_TRY_VALUE(const auto usage, read_usage(conversation, keyring, catalogue, was_there));
  return usage.has_value();
}

Result<std::optional<transcript::Usage>> Reader::read_usage(Id conversation,
                                                            const crypto::Keyring* keyring,
                                                            TableCursor& catalogue,
                                                            bool& was_there) {
  if (catalogue.find(conversation)) {
    return read_catalogue_usage(keyring, conversation, catalogue.row(), 1);
  }
  was_there = false;
  LateContext with = late(keyring);
  WEFT_TRY_VALUE(const CatalogueRow computed, describe_conversation(with, conversation));
  return computed.known.facts.usage;
}

}  // namespace weft::store::sql
