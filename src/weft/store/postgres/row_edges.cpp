#include "weft/store/postgres/row_edges.hpp"

#include <array>

#include "weft/base/try.hpp"
#include "weft/store/postgres/many_rows.hpp"

namespace weft::store::sql {
namespace {

constexpr Id kPageIds = 128;

constexpr auto kMany = many_rows<7>(
    "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, signature) "
    "VALUES ");
constexpr auto kManyWithPosition = many_rows<8>(
    "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, signature, "
    "position) VALUES ");
constexpr auto kManyWithLabel = many_rows<8>(
    "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, signature, "
    "label) VALUES ");
constexpr auto kManyWithBoth = many_rows<9>(
    "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, signature, "
    "position, label) VALUES ");

Id page_of(Id id) { return id & ~(kPageIds - 1); }
Id last_of(Id page) { return page | (kPageIds - 1); }

// The first page that begins at `id` or after it; empty beyond the last id.
std::optional<Id> first_page_from(Id id) {
  if (page_of(id) == id) return id;
  if (last_of(id) == std::numeric_limits<Id>::max()) return std::nullopt;
  return last_of(id) + 1;
}

// The page of the id in the first column; empty if there is no row, or NULL.
Result<std::optional<Id>> to_page(Rows rows) {
  std::optional<Id> page;
  if (rows.next() && rows.find_integer(0)) page = page_of(rows.integer(0));
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return page;
}

}  // namespace

Result<std::vector<Id>> RowEdges::pages_between(Id low, Id high) {
  Rows rows = database_.query(
      "SELECT id / 128 AS page FROM connections WHERE from_id BETWEEN ?1 AND ?2 "
      "UNION SELECT id / 128 FROM connections WHERE to_id BETWEEN ?1 AND ?2 ORDER BY page",
      low, high);
  std::vector<Id> pages;
  while (rows.next()) pages.push_back(rows.integer(0) * kPageIds);
  WEFT_TRY(rows.status());
  return pages;
}

Result<std::span<const Edge>> RowEdges::read(Id page) {
  page_.clear();
  Rows rows = database_.query(
      "SELECT id, relation, from_id, to_id, label, position, created_by, created_at, signature "
      "FROM connections WHERE id BETWEEN ? AND ? ORDER BY id",
      page, last_of(page));
  while (rows.next()) page_.push_back(to_edge(rows));
  WEFT_TRY(rows.status());
  return page_;
}

Result<std::optional<Edges::Pages>> RowEdges::pages() {
  WEFT_TRY_VALUE(const auto first, to_page(database_.query("SELECT min(id) FROM connections")));
  WEFT_TRY_VALUE(const auto last, to_page(database_.query("SELECT max(id) FROM connections")));
  if (!first || !last) return std::nullopt;
  return Pages{*first, *last};
}

Result<std::optional<Id>> RowEdges::page_at_or_before(Id id) {
  return to_page(database_.query("SELECT max(id) FROM connections WHERE id <= ?", last_of(id)));
}

Result<std::optional<Id>> RowEdges::page_at_or_after(Id id) {
  const std::optional<Id> from = first_page_from(id);
  if (!from) return std::nullopt;
  return to_page(database_.query("SELECT min(id) FROM connections WHERE id >= ?", *from));
}

Result<std::optional<Id>> RowEdges::next_page_with(Id end, Id low, Id high, bool descending) {
  const std::optional<Id> from = first_page_from(low);
  if (!from) return std::nullopt;
  if (descending) {
    return to_page(database_.query(
        "SELECT max(id) FROM (SELECT max(id) AS id FROM connections WHERE from_id = ?1 "
        "AND id BETWEEN ?2 AND ?3 UNION ALL SELECT max(id) FROM connections WHERE to_id = ?1 "
        "AND id BETWEEN ?2 AND ?3) AS ends",
        end, *from, last_of(high)));
  }
  return to_page(database_.query(
      "SELECT min(id) FROM (SELECT min(id) AS id FROM connections WHERE from_id = ?1 "
      "AND id BETWEEN ?2 AND ?3 UNION ALL SELECT min(id) FROM connections WHERE to_id = ?1 "
      "AND id BETWEEN ?2 AND ?3) AS ends",
      end, *from, last_of(high)));
}

// A statement for each of the four shapes: with a label, with a position, with both, with neither.
Status RowEdges::add(std::span<const Edge> edges) {
  std::array shapes = {
      ManyRows(database_, kMany.data(),
               "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, "
               "signature) VALUES (?, ?, ?, ?, ?, ?, ?)"),
      ManyRows(database_, kManyWithPosition.data(),
               "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, "
               "signature, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      ManyRows(database_, kManyWithLabel.data(),
               "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, "
               "signature, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      ManyRows(database_, kManyWithBoth.data(),
               "INSERT INTO connections (id, relation, from_id, to_id, created_by, created_at, "
               "signature, position, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")};
  for (const Edge& edge : edges) {
    std::vector<ManyRows::Value> row = {
        edge.id,         edge.relation,   edge.from,           edge.to,
        edge.created_by, edge.created_at, Blob{edge.signature}};
    if (edge.position) row.emplace_back(*edge.position);
    if (edge.label) row.emplace_back(*edge.label);
    WEFT_TRY(shapes[(edge.position ? 1U : 0U) + (edge.label ? 2U : 0U)].add(row));
  }
  for (ManyRows& rows : shapes) WEFT_TRY(rows.finish());
  return {};
}

Status RowEdges::change(const Edge& edge) {
  return database_.run(
      "UPDATE connections SET relation = ?2, from_id = ?3, to_id = ?4, label = ?5, position = ?6, "
      "created_by = ?7, created_at = ?8, signature = ?9 WHERE id = ?1",
      edge.id, edge.relation, edge.from, edge.to, edge.label, edge.position, edge.created_by,
      edge.created_at, Blob{edge.signature});
}

Status RowEdges::remove(std::span<const Id> ids) {
  for (const Id id : ids) WEFT_TRY(database_.run("DELETE FROM connections WHERE id = ?", id));
  return {};
}

}  // namespace weft::store::sql
