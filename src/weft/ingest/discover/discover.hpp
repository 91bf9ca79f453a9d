// Finding the files: in the folders where tools keep them, and in those that one is given.
#pragma once

#include <compare>
#include <cstdint>
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
  // To be read whole, whatever is known of it: what is kept beside it has changed.
  bool is_reread = false;
};

struct Left {
  std::filesystem::path path;
  std::string reason;
};

struct Finds {
  std::vector<Found> files;  // the oldest first: what was copied comes before its copies
  std::vector<Left> left;    // what could not be looked into, or is left alone for its name
};

// By which a file or folder is known, whatever it is called.
struct Identity {
  std::uint64_t device = 0, inode = 0;
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

// What lies at a path, all links followed: a folder to look into, a file to take in, or neither.
struct Sight {
  enum class Kind { folder, file, left };
  Kind kind = Kind::left;
  Identity identity{};   // of a folder or a file
  Found found{};         // of a file
  std::string reason{};  // why it is left
};
// As a folder of `adapter` is looked through; `depth` counts the folders below it.
Sight look_at(const formats::Adapter* adapter, const std::filesystem::path& path, int depth);

// The names in a folder, sorted; empty if it cannot be read, and `error` says why.
std::vector<std::string> names_in(const std::filesystem::path& folder, int& error);

// The known places of every format on this machine: those that are there, and all.
std::vector<Folder> known_folders(const formats::Environment& environment);
std::vector<Folder> possible_folders(const formats::Environment& environment);

// All files below `folders`, each once, in the order of put_in_order(). Links are followed, in
// circles only once; what is no regular file is left with a reason.
Finds find_files(const std::vector<Folder>& folders);

// Whether a file is called as databases are: they are read first, so that it is known what is in
// them.
bool may_be_database(const std::filesystem::path& path);
// The order in which files are taken in: databases first, and the oldest first.
void put_in_order(std::vector<Found>& files);

}  // namespace weft::ingest
