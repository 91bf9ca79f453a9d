// Restores a home from a backup: docs/formats/backup.md.
#pragma once

#include <filesystem>

#include "weft/cli/app/context.hpp"
#include "weft/cli/upkeep/backup_manifest.hpp"

namespace weft::cli {

// Unpacks the backup beside the home, checks everything, and renames it into place: a process that
// is killed leaves no half home. The home must be empty or absent: invalid_input otherwise, with
// exit code 1. corrupt if the backup is damaged.
Outcome<BackupManifest> restore_home(const Context& context, const std::filesystem::path& file);

}  // namespace weft::cli
