// The files that a tool keeps beside a transcript. Only files below the transcript's folder, or
// below a few folders above it, can be reached; links out of there lead nowhere.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::ingest {

class BesideFiles {
 public:
  using MayRead = std::function<bool(const std::filesystem::path& real)>;

  // `reach` counts the folders above `directory` that may be reached. `may_read` may be null and
  // outlives it.
  BesideFiles(std::filesystem::path directory, int reach, const MayRead& may_read)
      : directory_(std::move(directory)), reach_(reach), may_read_(&may_read) {}

  // All take a path relative to the directory. What is not there, may not be read or is larger
  // than 16 MiB is empty.
  std::optional<std::string> read(std::string_view relative) const;
  bool has(std::string_view relative) const;
  // The names of the regular files in a folder, sorted.
  std::vector<std::string> list(std::string_view relative) const;

 private:
  std::optional<std::filesystem::path> find(std::string_view relative) const;
  std::optional<std::filesystem::path> find_allowed(std::string_view relative) const;

  std::filesystem::path directory_;
  int reach_;
  const MayRead* may_read_;
};

}  // namespace weft::ingest
