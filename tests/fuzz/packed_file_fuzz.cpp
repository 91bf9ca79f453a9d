// Any bytes as a zip, gzip or zstd file: its members are read or refused, and never expand to more
// than they may.
#include "fuzz_files.hpp"
#include "weft/ingest/source/packed_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  using namespace weft::ingest;
  const Result<SourceFile> file =
      SourceFile::open(fuzz::write_file("packed", fuzz::text_of(data, size)));
  fuzz::require(file.has_value());
  Result<PackedFile> packed = PackedFile::open(*file);
  if (!packed) return 0;
  std::string buffer;
  std::uint64_t all = 0;
  for (int members = 0; members < 100; ++members) {
    const Result<std::optional<std::string>> name = packed->next();
    if (!name || !*name) return 0;
    for (;;) {
      const Result<std::string_view> bytes = packed->read(buffer, 64u << 10);
      if (!bytes || bytes->empty()) break;
      all += bytes->size();
      fuzz::require(all <= PackedFile::kAlwaysAllowed + buffer.size() ||
                    all <= PackedFile::kMaxRatio * (size + 1) + buffer.size());
    }
  }
  return 0;
}
