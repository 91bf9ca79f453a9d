// Reads compressed files as streams of bytes: the members of a zip, one after the other, or the
// single file that was compressed with zstd or gzip. Nothing is written to disk, so the name of a
// member can do no harm.
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
// A single file, compressed with zstd or gzip.
bool is_packed(std::string_view head);
// The name of the file before it was compressed.
std::string unpacked_name(std::string_view name);

class PackedFile {
 public:
  // A file that expands to more than this many times its size is malicious: text compresses to a
  // tenth, rarely to a fiftieth.
  static constexpr std::uint64_t kMaxRatio = 200;
  static constexpr std::uint64_t kAlwaysAllowed = 64u << 20;

  // `file` outlives it and is not read by others meanwhile.
  static Result<PackedFile> open(const SourceFile& file);

  // Moves to the next member that is a file, and returns its name; empty after the last. A file
  // compressed by itself is one member. invalid_input if the rest cannot be read.
  Result<std::optional<std::string>> next();
  // The next bytes of the current member, at most `limit`; none at its end. The view points into
  // `buffer`. invalid_input if it is damaged, encrypted, or expands to more than it may.
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
