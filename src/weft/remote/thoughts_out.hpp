// Writes thoughts to a file, one JSON line each, as `weft export --as thoughts` does.
#pragma once

#include <filesystem>
#include <string>

#include "weft/base/posix.hpp"
#include "weft/ingest/thoughts_file.hpp"
#include "weft/remote/remote.hpp"
#include "weft/thought/thought.hpp"

namespace weft::remote {

// The line of a thought, with its line end.
std::string line_of(const thought::Thought& thought);

// Collects lines and writes them to an open file, which outlives it.
class ThoughtsOut {
 public:
  explicit ThoughtsOut(int file) : file_(file) {}

  void add(const thought::Thought& thought);
  // Lines that are written already, as they are.
  void add_lines(std::string_view lines);
  // Writes what is left. unavailable if the disk is full or fails: then the file is of no use.
  Result<Sent> finish();

 private:
  void flush();

  int file_;
  int failure_ = 0;  // the errno of the first failed write
  std::string buffer_{};
  Sent sent_{};
};

// A file without a name, on the disk of `folder`: nothing of it is left when the process ends,
// however it ends.
Result<Fd> open_nameless_file(const std::filesystem::path& folder);
// Opens such a file to be read.
Result<ingest::ThoughtsFile> to_thoughts_file(const Fd& file);

}  // namespace weft::remote
