// Any bytes as another tool's SQLite database: its conversations are read or refused, and no line
// is longer than the limit.
#include "fuzz_files.hpp"
#include "weft/ingest/source/database_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  using namespace weft::ingest;
  const std::string_view text = fuzz::text_of(data, size);
  if (!is_database(text)) return 0;
  const Result<SourceFile> file = SourceFile::open(fuzz::write_file("database", text));
  fuzz::require(file.has_value());
  const Result<DatabaseFile> database = DatabaseFile::open(*file);
  if (!database) return 0;
  const Result<DatabaseFile::Recognised> format = database->recognise();
  if (!format || format->shape == nullptr) return 0;
  const auto entries = database->conversations(*format->shape);
  if (!entries) return 0;
  std::size_t left = 100;
  for (const DatabaseFile::Entry& entry : *entries) {
    if (left-- == 0) break;
    const Status read =
        database->lines(*format->shape, entry.name, 0, [](std::int64_t, std::string_view line) {
          fuzz::require(line.size() <= sqlite::ForeignDatabase::kMostValueBytes);
        });
    fuzz::require(read || !read.error().message.empty());
  }
  return 0;
}
