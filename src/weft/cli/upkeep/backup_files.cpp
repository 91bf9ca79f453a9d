#include "weft/cli/upkeep/backup_files.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/upkeep/tar_file.hpp"
#include "weft/crypto/blake3_stream.hpp"
#include "weft/thought/tree.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kNoBackup = "this is not a backup of weft: ";

std::unexpected<Error> not_a_backup(const std::string& why) {
  return fail(ErrorCode::invalid_input, std::string(kNoBackup) + why);
}

Result<BackupManifest> read_manifest(TarReader& tar) {
  Result<std::optional<TarReader::Member>> member = tar.next();
  if (!member) return not_a_backup(member.error().message);
  if (!*member || (*member)->name != kManifestName || !(*member)->is_regular) {
    return not_a_backup("its first file is not " + std::string(kManifestName));
  }
  std::string text;
  WEFT_TRY(tar.read([&](std::string_view piece) -> Status {
    if (text.size() + piece.size() > BackupManifest::kMaxBytes) {
      return not_a_backup("its manifest is too long");
    }
    text += piece;
    return {};
  }));
  return BackupManifest::parse(text);
}

std::unexpected<Error> damaged(const std::string& name, const std::string& why) {
  return fail(ErrorCode::corrupt, "the backup is damaged: " + name + " " + why);
}

}  // namespace

Status read_pieces(int fd, const std::filesystem::path& path,
                   const std::function<Status(std::string_view piece)>& take) {
  std::array<char, 64u << 10> buffer{};
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errno_error(errno, "reading", path));
    if (got == 0) return {};
    WEFT_TRY(take({buffer.data(), static_cast<std::size_t>(got)}));
  }
}

Result<BackupManifest> read_backup(
    int fd, const std::function<Status(const BackupManifest::File& file, std::string_view piece,
                                       std::uint64_t done)>& take) {
  WEFT_TRY_VALUE(auto tar, TarReader::open(fd));
  WEFT_TRY_VALUE(auto manifest, read_manifest(tar));
  std::uint64_t done = 0;
  for (const BackupManifest::File& file : manifest.files) {
    Result<std::optional<TarReader::Member>> member = tar.next();
    if (!member) return damaged(file.name, "cannot be read: " + member.error().message);
    if (!*member || (*member)->name != file.name || !(*member)->is_regular) {
      return damaged(file.name, "is missing, or not in its place");
    }
    // Compared before a byte is written: a wrong size cannot fill the disk.
    if ((*member)->bytes != file.bytes) return damaged(file.name, "has another size");
    crypto::Blake3Stream hash;
    std::uint64_t bytes = 0;
    Status read = tar.read([&](std::string_view piece) -> Status {
      hash.add(piece);
      bytes += piece.size();
      return take(file, piece, done + bytes);
    });
    if (!read && read.error().code == ErrorCode::invalid_input) {
      return damaged(file.name, "cannot be read: " + read.error().message);
    }
    if (!read) return fail(std::move(read).error());
    if (bytes != file.bytes || hash.digest() != file.blake3) {
      return damaged(file.name, "is not what was written");
    }
    done += bytes;
  }
  const Result<std::optional<TarReader::Member>> rest = tar.next();
  if (!rest || *rest) return damaged("the archive", "contains more than its manifest lists");
  return manifest;
}

Digest head_of(const std::vector<Cid>& log) {
  Digest head{};
  for (const Cid& checkpoint : log) head = thought::next_head(head, checkpoint);
  return head;
}

}  // namespace weft::cli
