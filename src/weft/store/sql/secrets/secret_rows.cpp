#include "weft/store/sql/secrets/secret_rows.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/sealed_columns.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kSecretRows = "secrets";
constexpr std::string_view kSecretPages = "secret_pages";
constexpr std::array kSecretPortions = {Portion::clear, Portion::metadata, Portion::content};
// Three pages of this length fit into one of SQLite's.
constexpr std::size_t kSecretRowBytes = 2'048;

std::optional<Blob> blob_unless_empty(const std::string& bytes) {
  return bytes.empty() ? std::nullopt : std::optional(Blob{bytes});
}

// Of a sealed column the first byte says nothing: there is one where there are no secrets, too.
constexpr char kSomeLayer = '\0';

std::string to_column(const StoredSecrets& secrets, Portion portion) {
  std::string packed = pack(secrets.rows, portion);
  if (portion == Portion::clear || !secrets.has_layer[static_cast<std::size_t>(portion)]) {
    return packed;
  }
  return kSomeLayer + packed;
}

Status seal_columns(const RowSeal& seal, std::array<std::string, kPortions>& columns) {
  for (const Portion portion : kSecretPortions) {
    std::string& column = columns[static_cast<std::size_t>(portion)];
    WEFT_TRY_VALUE(column, seal.seal(portion, column));
  }
  return {};
}

// Appends what the three columns from `column` on hold.
Status open_secrets(const RowSeal& seal, const Rows& row, int column, StoredSecrets& out) {
  for (const Portion portion : kSecretPortions) {
    const auto at = static_cast<std::size_t>(portion);
    const std::string_view stored = row.bytes(column + static_cast<int>(at));
    if (stored.empty()) continue;
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, stored));
    out.has_layer[at] = portion != Portion::clear;
    if (!plain) {
      out.is_closed[at] = true;
      continue;
    }
    const std::size_t skip = portion == Portion::clear ? 0 : 1;
    WEFT_TRY(unpack_secrets(std::string_view(*plain).substr(std::min(skip, plain->size())), portion,
                            out.rows));
  }
  return {};
}

}  // namespace

Result<std::optional<SecretRows::Row>> SecretRows::find_row() const {
  Rows rows = database_.query(
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
  StoredSecrets found{.unopened = row->stored.unopened,
                      .has_layer = row->stored.has_layer,
                      .is_closed = row->stored.is_closed};
  Rows pages = database_.query(
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

Result<bool> SecretRows::says_all(const StoredSecrets& added) const {
  if (!added.rows.empty() || added.unopened > 0) return false;
  Rows row = database_.query(
      "SELECT CAST(metadata IS NOT NULL AS INTEGER), CAST(content IS NOT NULL AS INTEGER) FROM "
      "secrets WHERE conversation = ?",
      conversation_);
  bool says = row.next();
  for (const Portion portion : {Portion::metadata, Portion::content}) {
    const auto at = static_cast<std::size_t>(portion);
    if (says && added.has_layer[at]) says = row.integer(static_cast<int>(at) - 1) != 0;
  }
  WEFT_TRY(row.status());
  return says;
}

Status SecretRows::append(StoredSecrets added) const {
  WEFT_TRY_VALUE(const bool is_known, says_all(added));
  if (is_known) return {};
  WEFT_TRY_VALUE(auto found, find_row());
  Row row = found ? *std::move(found) : Row{};
  if (std::ranges::find(row.stored.is_closed, true) != row.stored.is_closed.end()) {
    return fail(ErrorCode::denied, "the secrets of conversation " + std::to_string(conversation_) +
                                       " are sealed with other keys");
  }
  std::ranges::move(added.rows, std::back_inserter(row.stored.rows));
  for (std::size_t i = 0; i < kPortions; ++i) {
    row.stored.has_layer[i] = row.stored.has_layer[i] || added.has_layer[i];
  }
  std::array<std::string, kPortions> columns;
  std::size_t size = 0;
  for (const Portion portion : kSecretPortions) {
    std::string& column = columns[static_cast<std::size_t>(portion)];
    column = to_column(row.stored, portion);
    size += column.size();
  }
  const bool is_page = size >= kSecretRowBytes;
  if (is_page) {
    WEFT_TRY(seal_columns(RowSeal(keyring_, kSecretPages, conversation_, row.pages), columns));
    WEFT_TRY(
        database_.run("INSERT INTO secret_pages (conversation, page, clear, metadata, content) "
                      "VALUES (?, ?, ?, ?, ?)",
                      conversation_, row.pages, blob_unless_empty(columns[0]),
                      blob_unless_empty(columns[1]), blob_unless_empty(columns[2])));
    ++row.pages;
    row.stored.rows.clear();
    for (const Portion portion : kSecretPortions) {
      columns[static_cast<std::size_t>(portion)] = to_column(row.stored, portion);
    }
  }
  WEFT_TRY(seal_columns(RowSeal(keyring_, kSecretRows, conversation_), columns));
  return database_.run(
      "INSERT INTO secrets (conversation, pages, unopened, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (conversation) DO UPDATE SET pages = excluded.pages, unopened = "
      "excluded.unopened, clear = excluded.clear, metadata = excluded.metadata, content = "
      "excluded.content",
      conversation_, row.pages, row.stored.unopened + added.unopened, blob_unless_empty(columns[0]),
      blob_unless_empty(columns[1]), blob_unless_empty(columns[2]));
}

Status SecretRows::remove() const {
  WEFT_TRY(database_.run("DELETE FROM secrets WHERE conversation = ?", conversation_));
  return database_.run("DELETE FROM secret_pages WHERE conversation = ?", conversation_);
}

}  // namespace weft::store::sql
