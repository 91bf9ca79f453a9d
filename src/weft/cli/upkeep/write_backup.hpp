// Writes a backup of a home: docs/formats/backup.md.
#pragma once

#include <filesystem>

#include "weft/cli/app/context.hpp"
#include "weft/cli/upkeep/backup_manifest.hpp"

namespace weft::cli {

struct BackupOptions {
  std::filesystem::path file;
  bool with_keyring = false;
  bool force = false;  // overwrite an existing file
};

struct BackupReport {
  BackupManifest manifest;
  std::uint64_t bytes = 0;  // of the archive
};

// Copies the store at one moment while others work, writes the archive aside, reads it back and
// compares, and only then renames it into place: a process that is killed leaves nothing under the
// final name. Needs room for two copies of the store beside the file. An existing file is refused
// with exit code 1.
Outcome<BackupReport> write_backup(const Context& context, const BackupOptions& options);

}  // namespace weft::cli
