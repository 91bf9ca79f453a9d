#include "weft/store/sql/outlines/outline_pages.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kTailTable = "outlines", kPageTable = "outline_pages";

}  // namespace

Result<bool> OutlinePages::are_stored() const {
  Rows rows = database_.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM outlines WHERE conversation = ? AND clear IS NOT NULL) AS "
      "INTEGER)",
      conversation_);
  const bool found = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return found;
}

Status OutlinePages::read_items(OutlineItems& items,
                                std::vector<ConversationOutline::Page>& pages) const {
  {
    Rows rows =
        database_.query("SELECT count(*) FROM outline_pages WHERE conversation = ?", conversation_);
    const std::int64_t full = rows.next() ? rows.integer(0) : 0;
    WEFT_TRY(rows.status());
    // Growing would cost more than reading: memory that is not used is not touched.
    const std::size_t blocks = static_cast<std::size_t>(full + 1) * (kPageBlocks + 1);
    items.blocks.reserve(blocks);
    items.turns.reserve(blocks / 2);
  }
  const auto read = [&](Rows rows) -> Status {
    while (rows.next()) {
      pages.push_back({rows.integer(0), static_cast<std::uint32_t>(items.blocks.size())});
      WEFT_TRY(unpack_items(rows.bytes(1), items));
    }
    return rows.status();
  };
  WEFT_TRY(read(database_.query(
      "SELECT first, clear FROM outline_pages WHERE conversation = ? ORDER BY first",
      conversation_)));
  return read(
      database_.query("SELECT first, clear FROM outlines WHERE conversation = ?", conversation_));
}

Result<StoredPage> OutlinePages::to_page(const Rows& row, int column, Id first,
                                         std::string_view table) const {
  StoredPage stored{.first = first};
  const RowSeal seal(keyring_, table, conversation_, first);
  PageColumns columns;
  for (const Portion portion : {Portion::clear, Portion::metadata, Portion::content}) {
    const auto i = static_cast<std::size_t>(portion);
    const auto bytes = row.find_bytes(column + static_cast<int>(i));
    WEFT_TRY_VALUE(auto opened, seal.open(portion, bytes.value_or("")));
    stored.is_closed[i] = !opened;
    if (opened) columns[i] = *std::move(opened);
  }
  WEFT_TRY_VALUE(stored.page, unpack_page(columns));
  return stored;
}

Result<std::optional<StoredPage>> OutlinePages::find_tail() const {
  std::optional<StoredPage> tail;
  Rows rows = database_.query(
      "SELECT first, last, clear, metadata, content FROM outlines "
      "WHERE conversation = ? AND clear IS NOT NULL",
      conversation_);
  if (rows.next()) {
    WEFT_TRY_VALUE(tail, to_page(rows, 2, rows.integer(0), kTailTable));
    tail->is_tail = true;
    tail->last = rows.integer(1);
  }
  WEFT_TRY(rows.status());
  return tail;
}

Result<std::optional<StoredPage>> OutlinePages::find_page(Id edge) const {
  {
    Rows tail = database_.query("SELECT first FROM outlines WHERE conversation = ?", conversation_);
    const bool is_in_tail = tail.next() && tail.integer(0) <= edge;
    WEFT_TRY(tail.status());
    if (is_in_tail) return find_tail();
  }
  std::optional<StoredPage> page;
  Rows rows = database_.query(
      "SELECT first, clear, metadata, content FROM outline_pages "
      "WHERE conversation = ? AND first <= ? ORDER BY first DESC LIMIT 1",
      conversation_, edge);
  if (rows.next()) {
    WEFT_TRY_VALUE(page, to_page(rows, 1, rows.integer(0), kPageTable));
  }
  WEFT_TRY(rows.status());
  return page;
}

Status OutlinePages::write(const StoredPage& page) const {
  PageColumns columns = pack(page.page);
  const RowSeal seal(keyring_, page.is_tail ? kTailTable : kPageTable, conversation_, page.first);
  for (const Portion portion : {Portion::metadata, Portion::content}) {
    std::string& column = columns[static_cast<std::size_t>(portion)];
    WEFT_TRY_VALUE(column, seal.seal(portion, column));
  }
  const auto layer = [&](std::size_t i) {
    return columns[i].empty() ? std::nullopt : std::optional(Blob{columns[i]});
  };
  if (page.is_tail) {
    return database_.run(
        "INSERT INTO outlines (conversation, first, last, clear, metadata, content) "
        "VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (conversation) DO UPDATE SET first = excluded.first, last = excluded.last, "
        "clear = excluded.clear, metadata = excluded.metadata, content = excluded.content",
        conversation_, page.first, page.last, Blob{columns[0]}, layer(1), layer(2));
  }
  return database_.run(
      "INSERT INTO outline_pages (conversation, first, clear, metadata, content) "
      "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (conversation, first) DO UPDATE "
      "SET clear = ?3, metadata = ?4, content = ?5",
      conversation_, page.first, Blob{columns[0]}, layer(1), layer(2));
}

Status OutlinePages::write_unreadable() const {
  WEFT_TRY(remove());
  return database_.run("INSERT INTO outlines (conversation, first, last) VALUES (?, 0, 0)",
                       conversation_);
}

Status OutlinePages::remove() const {
  WEFT_TRY(database_.run("DELETE FROM outlines WHERE conversation = ?", conversation_));
  return database_.run("DELETE FROM outline_pages WHERE conversation = ?", conversation_);
}

}  // namespace weft::store::sql
