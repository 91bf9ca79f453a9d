#include "weft/ingest/source/database_file.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::ingest {

using sql::Rows;
using sqlite::Statement;

namespace {

// Far beyond what the tools have, and little memory.
constexpr std::size_t kMostTables = 10'000, kMostNameBytes = 256;
constexpr std::size_t kMostEntryBytes = 32u << 20;

}  // namespace

bool is_database(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

Result<DatabaseFile> DatabaseFile::open(const SourceFile& file) {
  WEFT_TRY_VALUE(auto path, file.real_path());
  WEFT_TRY_VALUE(auto database, sqlite::ForeignDatabase::open({.path = path.string(),
                                                               .device = file.state().device,
                                                               .inode = file.state().inode,
                                                               .size = file.state().size}));
  return DatabaseFile(std::move(database));
}

Result<DatabaseFile::Recognised> DatabaseFile::recognise() const {
  std::vector<std::string> tables;
  Statement statement(database_.handle(), "SELECT name FROM sqlite_master WHERE type = 'table'");
  Rows rows = database_.query(statement);
  while (database_.next(rows)) {
    if (tables.size() < kMostTables) tables.emplace_back(rows.bytes(0).substr(0, kMostNameBytes));
  }
  WEFT_TRY(database_.status(rows));
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
  Rows rows = database_.query(statement);
  std::vector<Entry> entries;
  std::size_t bytes = 0;
  while (database_.next(rows)) {
    bytes += sizeof(Entry) + rows.bytes(0).size() + rows.bytes(1).size();
    if (bytes > kMostEntryBytes) {
      return fail(ErrorCode::invalid_input, "it names more conversations than can be true");
    }
    entries.push_back({std::string(rows.bytes(0)), std::string(rows.bytes(1))});
  }
  WEFT_TRY(database_.status(rows));
  return entries;
}

Status DatabaseFile::lines(const formats::DatabaseShape& shape, const std::string& name,
                           std::int64_t cursor, const OnLine& line) const {
  const std::string sql(shape.lines);
  Statement statement(database_.handle(), sql.c_str());
  Rows rows = database_.query(statement, std::string_view(name), cursor);
  while (database_.next(rows)) line(rows.integer(0), rows.bytes(1));
  return database_.status(rows);
}

}  // namespace weft::ingest
