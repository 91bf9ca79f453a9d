// Finds transcript files: in the folders where tools keep them, and in folders that are given.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weft/formats/adapter.hpp"

namespace weft::ingest {

// A folder with conversations of one format.
struct Folder {
  const formats::Adapter* adapter;  // null: of any format
  std::filesystem::path path;
};

struct Found {
  std::filesystem::path path;
  const formats::Adapter* adapter = nullptr;  // the format of its folder
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  // Read it whole, whatever is known of it: a file beside it has changed.
  bool is_reread = false;
};

struct IgnoredPath {
  std::filesystem::path path;
  std::string reason;
};

struct Finds {
  std::vector<Found> files;          // the oldest first: an original comes before its copies
  std::vector<IgnoredPath> ignored;  // unreadable, or ignored because of its name
};

// Identifies a file or folder, whatever its name.
struct Identity {
  std::uint64_t device = 0, inode = 0;
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

// What a path leads to, links followed: a folder to search, a file to ingest, or neither.
struct PathInfo {
  enum class Kind { folder, file, ignored };
  Kind kind = Kind::ignored;
  Identity identity{};   // of a folder or a file
  Found found{};         // of a file
  std::string reason{};  // why it is ignored
};
// `adapter` is the format of the searched folder, or null; `depth` counts the levels below it.
PathInfo inspect_path(const formats::Adapter* adapter, const std::filesystem::path& path,
                      int depth);

// The names in a folder, sorted. Empty if it cannot be read; `error` is then the errno, else 0.
std::vector<std::string> list_names(const std::filesystem::path& folder, int& error);

// The folders where the tools of all formats keep conversations: those that exist, and all.
std::vector<Folder> known_folders(const formats::Environment& environment);
std::vector<Folder> possible_folders(const formats::Environment& environment);

// All files below `folders`, each once, in the order of sort_for_ingest(). Links are followed,
// circular ones once. What is not a regular file is ignored with a reason.
Finds find_files(const std::vector<Folder>& folders);

// Whether the name of a file is that of a database.
bool may_be_database(const std::filesystem::path& path);
// The order in which files are ingested: databases first, for they may take precedence over files;
// then the oldest first.
void sort_for_ingest(std::vector<Found>& files);

}  // namespace weft::ingest
