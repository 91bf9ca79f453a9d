#include "weft/ingest/source/database_file.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::ingest {

using sqlite::Database;
using sqlite::Rows;
using sqlite::Statement;

bool is_database(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

Result<DatabaseFile> DatabaseFile::open(const std::filesystem::path& path) {
  WEFT_TRY_VALUE(auto database, Database::open(path.string(), sqlite::Mode::read_only));
  return DatabaseFile(std::move(database));
}

Result<DatabaseFile::Recognised> DatabaseFile::recognise() const {
  std::vector<std::string> tables;
  Rows rows = database_.query("SELECT name FROM sqlite_master WHERE type = 'table'");
  while (rows.next()) tables.emplace_back(rows.bytes(0));
  WEFT_TRY(rows.status());
  const auto has = [&](std::string_view table) {
    return std::ranges::find(tables, table) != tables.end();
  };
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    for (const auto* shape = adapter->database; shape != nullptr; shape = shape->otherwise) {
      if (std::ranges::all_of(shape->tables, has)) return Recognised{adapter, shape};
    }
  }
  return Recognised{};
}

Result<std::vector<DatabaseFile::Entry>> DatabaseFile::conversations(
    const formats::DatabaseShape& shape) const {
  const std::string sql(shape.conversations);
  Statement statement(database_.handle(), sql.c_str());
  Rows rows = statement.query();
  std::vector<Entry> entries;
  while (rows.next()) entries.push_back({std::string(rows.bytes(0)), std::string(rows.bytes(1))});
  WEFT_TRY(rows.status());
  return entries;
}

Status DatabaseFile::lines(const formats::DatabaseShape& shape, const std::string& name,
                           std::int64_t cursor, const OnLine& line) const {
  const std::string sql(shape.lines);
  Statement statement(database_.handle(), sql.c_str());
  Rows rows = statement.query(std::string_view(name), cursor);
  while (rows.next()) line(rows.integer(0), rows.bytes(1));
  return rows.status();
}

}  // namespace weft::ingest
