#include "weft/sql/contract_for_test.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "weft/sqlite/database.hpp"

namespace weft::sql {
namespace {

namespace fs = std::filesystem;

OpenAgain make_file() {
  std::string name = fs::temp_directory_path() / "weft-sqlite-XXXXXX";
  const fs::path folder = ::mkdtemp(name.data());
  // Removes the folder with the last who could open the file in it.
  const std::shared_ptr<const fs::path> file(new fs::path(folder / "test.db"),
                                             [](const fs::path* path) {
                                               fs::remove_all(path->parent_path());
                                               delete path;
                                             });
  std::ofstream(*file).flush();  // SQLite is not asked to create it
  sqlite::open_database(*file, sqlite::Mode::read_write)
      ->script("PRAGMA journal_mode = WAL")
      .value();
  return [file] { return sqlite::open_database(*file, sqlite::Mode::read_write); };
}

INSTANTIATE_TEST_SUITE_P(Sqlite, DatabaseContract,
                         testing::Values(Backend{.name = "sqlite", .make_database = make_file}));

}  // namespace
}  // namespace weft::sql
