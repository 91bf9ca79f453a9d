#include "weft/store/sqlite/secrets/secret_rows.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "weft/base/try.hpp"
#include "weft/store/sqlite/late/sealed_columns.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kSecretRows = "secrets";
constexpr std::string_view kSecretPages = "secret_pages";
constexpr std::array kSecretPortions = {Portion::clear, Portion::metadata, Portion::content};
// Three pages of this length fit into one of SQLite's.
constexpr std::size_t kSecretRowBytes = 2'048;

std::optional<sqlite::Blob> blob_unless_empty(const std::string& bytes) {
  return bytes.empty() ? std::nullopt : std::optional(sqlite::Blob{bytes});
}

// Appends what the three columns from `column` on hold.
Status open_secrets(const RowSeal& seal, const sqlite::Rows& row, int column, StoredSecrets& out) {
  for (const Portion portion : kSecretPortions) {
    const int at = static_cast<int>(portion);
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, row.bytes(column + at)));
    if (plain) WEFT_TRY(unpack_secrets(*plain, portion, out.rows));
    else out.is_closed[static_cast<std::size_t>(at)] = true;
  }
  return {};
}

}  // namespace

Result<std::optional<SecretRows::Row>> SecretRows::find_row() const {
  sqlite::Rows rows = database_.query(
      "SELECT pages, unopened, clear, metadata, content FROM secrets WHERE conversation = ?",
      conversation_);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::nullopt;
  }
  Row row{.pages = rows.integer(0), .stored = {.unopened = rows.integer(1)}};
  WEFT_TRY(open_secrets(RowSeal(keyring_, kSecretRows, conversation_), rows, 2, row.stored));
  return row;
}

Result<std::optional<StoredSecrets>> SecretRows::find() const {
  WEFT_TRY_VALUE(auto row, find_row());
  if (!row) return std::nullopt;
  if (row->pages == 0) return std::move(row->stored);
  StoredSecrets found{.unopened = row->stored.unopened, .is_closed = row->stored.is_closed};
  sqlite::Rows pages = database_.query(
      "SELECT page, clear, metadata, content FROM secret_pages WHERE conversation = ? "
      "ORDER BY page",
      conversation_);
  while (pages.next()) {
    WEFT_TRY(open_secrets(RowSeal(keyring_, kSecretPages, conversation_, pages.integer(0)), pages,
                          1, found));
  }
  WEFT_TRY(pages.status());
  std::ranges::move(row->stored.rows, std::back_inserter(found.rows));
  return found;
}

Status SecretRows::append(std::vector<SecretRow> rows, std::int64_t unopened) const {
  WEFT_TRY_VALUE(auto found, find_row());
  Row row = found ? *std::move(found) : Row{};
  if (std::ranges::find(row.stored.is_closed, true) != row.stored.is_closed.end()) {
    return fail(ErrorCode::denied, "the secrets of conversation " + std::to_string(conversation_) +
                                       " are sealed with other keys");
  }
  std::vector<SecretRow>& all = row.stored.rows;
  std::ranges::move(rows, std::back_inserter(all));
  std::array<std::string, kPortions> columns;
  std::size_t size = 0;
  for (const Portion portion : kSecretPortions) {
    columns[static_cast<std::size_t>(portion)] = pack(all, portion);
    size += columns[static_cast<std::size_t>(portion)].size();
  }
  const bool is_page = size >= kSecretRowBytes;
  const RowSeal seal = is_page ? RowSeal(keyring_, kSecretPages, conversation_, row.pages)
                               : RowSeal(keyring_, kSecretRows, conversation_);
  for (const Portion portion : kSecretPortions) {
    std::string& column = columns[static_cast<std::size_t>(portion)];
    WEFT_TRY_VALUE(column, seal.seal(portion, column));
  }
  if (is_page) {
    WEFT_TRY(database_.run(
        "INSERT INTO secret_pages (conversation, page, clear, metadata, content) "
        "VALUES (?, ?, ?, ?, ?)",
        conversation_, row.pages, blob_unless_empty(columns[0]), blob_unless_empty(columns[1]),
        blob_unless_empty(columns[2])));
    ++row.pages;
    columns = {};
  }
  return database_.run(
      "INSERT OR REPLACE INTO secrets (conversation, pages, unopened, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?, ?)",
      conversation_, row.pages, row.stored.unopened + unopened, blob_unless_empty(columns[0]),
      blob_unless_empty(columns[1]), blob_unless_empty(columns[2]));
}

Status SecretRows::remove() const {
  WEFT_TRY(database_.run("DELETE FROM secrets WHERE conversation = ?", conversation_));
  return database_.run("DELETE FROM secret_pages WHERE conversation = ?", conversation_);
}

}  // namespace weft::store::sql
