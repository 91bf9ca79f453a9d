// What is packed: the members of a zip file, one after the other, or the one file that was
// packed with zstd or gzip, as streams of bytes. Nothing is ever written to disk, so a member's
// name can lead nowhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/ingest/source/source_file.hpp"

struct archive;

namespace weft::ingest {

bool is_zip(std::string_view head);
// One file, packed with zstd or gzip.
bool is_packed(std::string_view head);
// Its name before it was packed.
std::string unpacked_name(std::string_view name);

class PackedFile {
 public:
  // More than this many times the size of the file does not come out of one that was made
  // in good faith: text packs to a tenth, rarely to a fiftieth.
  static constexpr std::uint64_t kMaxRatio = 200;
  static constexpr std::uint64_t kAlwaysAllowed = 64u << 20;

  // `file` outlives it and is not read by others meanwhile.
  static Result<PackedFile> open(const SourceFile& file);

  // The next member that is a file, by its name, or the one file without a name of its own;
  // empty after the last. invalid_input if the
  // rest cannot be read.
  Result<std::optional<std::string>> next();
  // Bytes of the current member, at most `limit`; none at its end. They stand in `buffer`.
  // invalid_input where it is damaged, locked, or unpacks to more than it should.
  Result<std::string_view> read(std::string& buffer, std::size_t limit);

 private:
  struct Close {
    void operator()(archive* handle) const;
  };
  explicit PackedFile(std::uint64_t size) : size_(size) {}
  std::unique_ptr<archive, Close> handle_;
  std::uint64_t size_;
  std::uint64_t unpacked_ = 0;
};

}  // namespace weft::ingest
