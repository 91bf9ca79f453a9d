// Finding the files: in the folders where tools keep them, and in those that one is given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weft/formats/adapter.hpp"

namespace weft::ingest {

// A folder in which a format's conversations lie.
struct Folder {
  const formats::Adapter* adapter;  // null: of any format
  std::filesystem::path path;
};

struct Found {
  std::filesystem::path path;
  const formats::Adapter* adapter = nullptr;  // in whose folder it lies
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
};

struct Left {
  std::filesystem::path path;
  std::string reason;
};

struct Finds {
  std::vector<Found> files;  // the oldest first: what was copied comes before its copies
  std::vector<Left> left;    // what could not be looked into, or is left alone for its name
};

// The known places of every format on this machine that are there.
std::vector<Folder> known_folders(const formats::Environment& environment);

// All files below `folders`, each once. Links are followed, in circles only once; what is no
// regular file is left with a reason.
Finds find_files(const std::vector<Folder>& folders);

}  // namespace weft::ingest
