#include "weft/store/sql/edits/edit_rows.hpp"

#include <algorithm>
#include <iterator>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/sealed_columns.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kEditRows = "edits";
constexpr std::string_view kEditPages = "edit_pages";
// Three pages of this length fit into one of SQLite's.
constexpr std::size_t kRowBytes = 2'048;

struct Columns {
  std::string clear{}, content{};
};

std::optional<Blob> blob_unless_empty(const std::string& bytes) {
  return bytes.empty() ? std::nullopt : std::optional(Blob{bytes});
}

// Appends what the two columns from `column` on hold.
Status open_calls(const RowSeal& seal, const Rows& row, int column, std::string_view file_name,
                  StoredCalls& out) {
  WEFT_TRY(unpack_calls(row.bytes(column), false, file_name, out.calls));
  WEFT_TRY_VALUE(const auto plain, seal.open(Portion::content, row.bytes(column + 1)));
  if (plain) return unpack_calls(*plain, true, file_name, out.calls);
  out.is_closed = true;
  return {};
}

}  // namespace

Result<std::optional<EditRows::Row>> EditRows::find_row(std::string_view file_name) const {
  Rows rows = database_.query("SELECT pages, clear, content FROM edits WHERE conversation = ?",
                              conversation_);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::nullopt;
  }
  Row row{.pages = rows.integer(0)};
  const RowSeal seal(keyring_, kEditRows, conversation_);
  WEFT_TRY(open_calls(seal, rows, 1, file_name, row.stored));
  return row;
}

Status EditRows::read_pages(std::string_view file_name, StoredCalls& out) const {
  Rows pages = database_.query(
      "SELECT page, clear, content FROM edit_pages WHERE conversation = ? ORDER BY page",
      conversation_);
  while (pages.next()) {
    const RowSeal seal(keyring_, kEditPages, conversation_, pages.integer(0));
    WEFT_TRY(open_calls(seal, pages, 1, file_name, out));
  }
  return pages.status();
}

Result<std::optional<StoredCalls>> EditRows::find(std::string_view file_name) const {
  WEFT_TRY_VALUE(auto row, find_row(file_name));
  if (!row) return std::nullopt;
  StoredCalls found;
  if (row->pages > 0) WEFT_TRY(read_pages(file_name, found));
  found.is_closed = found.is_closed || row->stored.is_closed;
  std::ranges::move(row->stored.calls, std::back_inserter(found.calls));
  keep_last(found.calls);
  drop_empty(found.calls);
  return found;
}

Status EditRows::append(std::vector<CallStatement> calls) const {
  WEFT_TRY_VALUE(auto found, find_row({}));
  Row row = found ? *std::move(found) : Row{};
  if (row.stored.is_closed) {
    return fail(ErrorCode::denied, "the edits of conversation " + std::to_string(conversation_) +
                                       " are sealed with other keys");
  }
  std::vector<CallStatement>& all = row.stored.calls;
  std::ranges::move(calls, std::back_inserter(all));
  keep_last(all);
  // A call without edits takes back what a page says of it.
  if (row.pages == 0) drop_empty(all);
  Columns columns{.clear = pack(all, false), .content = pack(all, true)};
  const bool is_page = columns.clear.size() + columns.content.size() >= kRowBytes;
  const RowSeal seal = is_page ? RowSeal(keyring_, kEditPages, conversation_, row.pages)
                               : RowSeal(keyring_, kEditRows, conversation_);
  WEFT_TRY_VALUE(columns.content, seal.seal(Portion::content, columns.content));
  if (is_page) {
    WEFT_TRY(database_.run(
        "INSERT INTO edit_pages (conversation, page, clear, content) VALUES (?, ?, ?, ?)",
        conversation_, row.pages, blob_unless_empty(columns.clear),
        blob_unless_empty(columns.content)));
    ++row.pages;
    columns = {};
  }
  return database_.run(
      "INSERT INTO edits (conversation, pages, clear, content) VALUES (?, ?, ?, ?) "
      "ON CONFLICT (conversation) DO UPDATE SET pages = excluded.pages, clear = excluded.clear, "
      "content = excluded.content",
      conversation_, row.pages, blob_unless_empty(columns.clear),
      blob_unless_empty(columns.content));
}

Status EditRows::remove() const {
  WEFT_TRY(database_.run("DELETE FROM edits WHERE conversation = ?", conversation_));
  return database_.run("DELETE FROM edit_pages WHERE conversation = ?", conversation_);
}

}  // namespace weft::store::sql
