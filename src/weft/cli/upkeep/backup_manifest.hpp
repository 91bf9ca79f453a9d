// The manifest of a backup: docs/formats/backup.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/result.hpp"
#include "weft/base/time.hpp"

namespace weft::cli {

inline constexpr std::string_view kManifestName = "weft-backup.json";
inline constexpr std::string_view kStoreName = "weft.db";
inline constexpr std::string_view kConfigName = "config.json";
inline constexpr std::string_view kKeyringName = "keyring.json";

struct BackupManifest {
  static constexpr std::size_t kMaxBytes = 64 << 10;

  struct File {
    std::string name;
    std::uint64_t bytes = 0;
    Digest blake3{};
    friend bool operator==(const File&, const File&) = default;
  };

  std::string weft;
  Millis created_at = 0;
  std::int64_t store_version = 0;
  Digest head{};
  std::uint64_t checkpoints = 0, conversations = 0;
  std::vector<File> files{};  // the store first

  std::string to_text() const;
  // invalid_input, with what is wrong, if it is not a manifest of a known version.
  static Result<BackupManifest> parse(std::string_view text);

  // Whether the backup contains a file of this name.
  bool has(std::string_view name) const;
  friend bool operator==(const BackupManifest&, const BackupManifest&) = default;
};

}  // namespace weft::cli
