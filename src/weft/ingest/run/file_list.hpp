// Lists the files of one run.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "weft/ingest/run/run_context.hpp"

namespace weft::ingest {

struct ListedFile {
  std::size_t number = 0;  // its index in the list
  std::filesystem::path path;
  const formats::Adapter* adapter = nullptr;  // the format of the folder in which it was found
  bool is_named = false;                      // named by the caller, not found in a folder
  bool is_reread = false;                     // as in Found
  std::optional<store::Source> archived{};    // set if the file is gone: read from the archive

  // The path as reports show it.
  std::string shown() const { return path.string(); }
};

// Every file that the options name or whose folder they name: named files first, then archived
// sources, then found files. Sets the totals of the progress, and reports what discovery ignored.
std::vector<ListedFile> list_files(RunContext& run);

}  // namespace weft::ingest
