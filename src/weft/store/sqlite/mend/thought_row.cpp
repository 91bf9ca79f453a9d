#include "weft/store/sqlite/mend/thought_row.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

std::optional<std::string> owned(std::optional<std::string_view> bytes) {
  if (!bytes) return std::nullopt;
  return std::string(*bytes);
}

std::optional<std::string_view> viewed(const std::optional<std::string>& bytes) {
  if (!bytes) return std::nullopt;
  return std::string_view(*bytes);
}

std::optional<Blob> bound(const std::optional<std::string>& bytes) {
  if (!bytes) return std::nullopt;
  return Blob{*bytes};
}

}  // namespace

ThoughtRow ThoughtRow::of(const Rows& row) {
  const ThoughtColumns columns = ThoughtColumns::of(row);
  return {.id = columns.id,
          .type = columns.type,
          .created_by = columns.created_by,
          .created_at = columns.created_at,
          .source = columns.source,
          .because = owned(row.find_bytes(5)),
          .signature = std::string(columns.signature),
          .metadata = owned(columns.metadata),
          .content = owned(columns.content),
          .body = std::string(columns.body)};
}

ThoughtColumns ThoughtRow::columns() const {
  return {.id = id,
          .type = type,
          .created_by = created_by,
          .created_at = created_at,
          .source = source,
          .because = because ? std::string_view(*because) : std::string_view(),
          .signature = signature,
          .metadata = viewed(metadata),
          .content = viewed(content),
          .body = body};
}

Result<std::optional<ThoughtRow>> find_row(const Database& database, Id id) {
  Rows rows = database.query("SELECT * FROM thoughts WHERE id = ?", id);
  if (rows.next()) return ThoughtRow::of(rows);
  WEFT_TRY(rows.status());
  return std::nullopt;
}

Status update_row(const Database& database, const ThoughtRow& row) {
  return database.run(
      "UPDATE thoughts SET type = ?2, created_by = ?3, created_at = ?4, source = ?5, because = ?6, "
      "signature = ?7, metadata = ?8, content = ?9, body = ?10 WHERE id = ?1",
      row.id, row.type, row.created_by, row.created_at, row.source, bound(row.because),
      Blob{row.signature}, bound(row.metadata), bound(row.content), Blob{row.body});
}

Status insert_row(const Database& database, const ThoughtRow& row) {
  return database.run(
      "INSERT INTO thoughts (id, type, created_by, created_at, source, because, signature, "
      "metadata, content, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      row.id, row.type, row.created_by, row.created_at, row.source, bound(row.because),
      Blob{row.signature}, bound(row.metadata), bound(row.content), Blob{row.body});
}

}  // namespace weft::store::sql
