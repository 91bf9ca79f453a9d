// Parts of a backup that writing and reading share: pieces of a file, the archive's members, and
// the head of a store.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/cli/upkeep/backup_manifest.hpp"

namespace weft::cli {

// Reads `fd` from its position to the end. `path` is for errors. Stops with what `take` fails with.
Status read_pieces(int fd, const std::filesystem::path& path,
                   const std::function<Status(std::string_view piece)>& take);

// Reads an archive from the position of `fd`: the manifest, then each file that it lists, whose
// pieces are given to `take` with the number of bytes of all files before them. Every size and hash
// is compared. invalid_input if the archive is not a backup; corrupt if a file is not what the
// manifest says; otherwise what `take` fails with.
Result<BackupManifest> read_backup(
    int fd, const std::function<Status(const BackupManifest::File& file, std::string_view piece,
                                       std::uint64_t done)>& take);

// The head of heads.
Digest head_of(const std::vector<Cid>& log);

}  // namespace weft::cli
