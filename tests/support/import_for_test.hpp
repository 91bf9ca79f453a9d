// Imports thoughts from a text.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "weft/ingest/import.hpp"

namespace weft::test {

// As `weft import` does with a file of these lines.
inline Result<ingest::ImportReport> import_text(store::Store& store, const crypto::Keyring* keyring,
                                                std::string_view lines) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("weft-import-" + std::to_string(::getpid()) + ".jsonl");
  std::ofstream(path, std::ios::binary) << lines;
  const Result<ingest::ThoughtsFile> file = ingest::ThoughtsFile::open(path);
  if (!file) return fail(file.error());
  Result<ingest::ImportReport> report = ingest::import_thoughts(store, keyring, *file);
  std::filesystem::remove(path);
  return report;
}

}  // namespace weft::test
