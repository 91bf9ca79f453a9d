// Reads conversations in another tool's SQLite database as JSON lines. The database is opened
// read-only, with its log, also while that tool runs. It may be hostile: queries have limits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/ingest/source/source_file.hpp"
#include "weft/sqlite/foreign_database.hpp"

namespace weft::ingest {

bool is_database(std::string_view head);

class DatabaseFile {
 public:
  // Opens the database in an open file, by the path that the system knows it by. denied if another
  // file is there by now. `file` need not outlive it.
  static Result<DatabaseFile> open(const SourceFile& file);

  // The format whose tables the database has, and their shape; null if no format knows them.
  struct Recognised {
    const formats::Adapter* adapter = nullptr;
    const formats::DatabaseShape* shape = nullptr;
  };
  Result<Recognised> recognise() const;

  struct Entry {
    std::string name, stamp;
  };
  // invalid_input if their names are too many to be true.
  Result<std::vector<Entry>> conversations(const formats::DatabaseShape& shape) const;
  // Calls `line` for each line after `cursor`, with the cursor of that line.
  using OnLine = std::function<void(std::int64_t cursor, std::string_view line)>;
  [[nodiscard]] Status lines(const formats::DatabaseShape& shape, const std::string& name,
                             std::int64_t cursor, const OnLine& line) const;

 private:
  explicit DatabaseFile(sqlite::ForeignDatabase database) : database_(std::move(database)) {}
  sqlite::ForeignDatabase database_;
};

}  // namespace weft::ingest
