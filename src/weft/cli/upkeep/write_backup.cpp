#include "weft/cli/upkeep/write_backup.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include "weft/base/posix.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/out_file.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/upkeep/backup_files.hpp"
#include "weft/cli/upkeep/tar_file.hpp"
#include "weft/crypto/blake3_stream.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/store/backup.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxConfigBytes = 1u << 20;

// A member of the archive: a text, or the copy of the store.
struct Part {
  std::string name;
  std::string text;  // empty for the store
  Fd file{};         // the store
  Digest blake3{};
  std::uint64_t bytes = 0;
};

Part text_part(std::string_view name, std::string text) {
  crypto::Blake3Stream hash;
  hash.add(text);
  const std::uint64_t bytes = text.size();
  return {
      .name = std::string(name), .text = std::move(text), .blake3 = hash.digest(), .bytes = bytes};
}

// The copy of the store: a file beside the archive, removed when it is no longer needed.
class StoreCopy {
 public:
  explicit StoreCopy(const fs::path& file)
      : path_(file.string() + ".store.XXXXXX"), fd_(::mkostemp(path_.data(), O_CLOEXEC)) {}
  StoreCopy(const StoreCopy&) = delete;
  StoreCopy& operator=(const StoreCopy&) = delete;
  ~StoreCopy() {
    if (fd_) ::unlink(path_.c_str());
  }
  bool is_open() const { return static_cast<bool>(fd_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Fd fd_;
};

Result<Part> store_part(const std::string& path) {
  Part part{.name = std::string(kStoreName),
            .text = {},
            .file = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC))};
  if (!part.file) return fail(errno_error(errno, "reading", path));
  crypto::Blake3Stream hash;
  WEFT_TRY(read_pieces(part.file.get(), path, [&](std::string_view piece) -> Status {
    hash.add(piece);
    part.bytes += piece.size();
    return {};
  }));
  part.blake3 = hash.digest();
  return part;
}

Result<std::optional<Part>> config_part(const Home& home) {
  Result<std::string> text =
      read_regular_file(home.directory / kConfigName, kMaxConfigBytes, Readers::anyone);
  if (text) return text_part(kConfigName, *std::move(text));
  if (text.error().code == ErrorCode::not_found) return std::nullopt;
  return fail(std::move(text).error());
}

// A keyring that cannot open or sign what is in the store would look like a backup of the keys.
Status check_keyring_owner(const store::Store& store, const fs::path& path,
                           std::string_view keyring) {
  WEFT_TRY_VALUE(auto owner, store.owner());
  if (!owner) return {};
  WEFT_TRY_VALUE(auto identity, store.get_without_path(*owner));
  const auto key = find_string(identity.content, "pubkey");
  if (!key || keyring.find(*key) != std::string_view::npos) return {};
  return fail(ErrorCode::denied,
              "the keyring " + path.string() + " does not belong to the store's owner, key " +
                  std::string(*key) + "; name the owner's keyring with --keys FILE");
}

// The keyring under a passphrase: its own file if that has one, otherwise a copy that gets one.
Outcome<Part> keyring_part(const Context& context) {
  const fs::path& path = context.home().keyring;
  bool is_locked = false;
  Result<crypto::Keyring> keyring = crypto::load_keyring(path, [&]() -> Result<std::string> {
    is_locked = true;
    return fail(ErrorCode::denied, "not needed");
  });
  if (is_locked) {
    Result<std::string> text =
        read_regular_file(path, crypto::Keyring::kMaxTextBytes, Readers::owner_only);
    if (!text) return refuse(std::move(text).error());
    return text_part(kKeyringName, *std::move(text));
  }
  if (!keyring) return refuse(std::move(keyring).error());
  Result<std::string> passphrase = choose_passphrase(context.environment().passphrase_file);
  if (!passphrase) {
    return refuse(std::move(passphrase)
                      .error()
                      .within("a keyring goes into a backup only under a passphrase"));
  }
  Result<std::string> text = keyring->to_text(*passphrase);
  crypto::wipe(*passphrase);
  if (!text) return refuse(std::move(text).error());
  return text_part(kKeyringName, *std::move(text));
}

Status write_archive(int fd, const BackupManifest& manifest, const std::vector<Part>& parts,
                     ProgressLine& line) {
  WEFT_TRY_VALUE(auto tar, TarWriter::open(fd));
  const std::int64_t at = manifest.created_at / 1000;
  const std::string text = manifest.to_text();
  WEFT_TRY(tar.begin(std::string(kManifestName), text.size(), at));
  WEFT_TRY(tar.add(text));
  for (const Part& part : parts) {
    WEFT_TRY(tar.begin(part.name, part.bytes, at));
    WEFT_TRY(tar.add(part.text));
    if (!part.file) continue;
    if (::lseek(part.file.get(), 0, SEEK_SET) != 0) {
      return fail(errno_error(errno, "reading", part.name));
    }
    std::uint64_t done = 0;
    WEFT_TRY(read_pieces(part.file.get(), part.name, [&](std::string_view piece) {
      done += piece.size();
      line.show(fmt::format("writing: {} of {}", byte_size(done), byte_size(part.bytes)));
      return tar.add(piece);
    }));
  }
  return tar.finish();
}

// Reads the archive back: it holds what the manifest says.
Status check_archive(int fd, const BackupManifest& manifest, ProgressLine& line) {
  if (::lseek(fd, 0, SEEK_SET) != 0) return fail(errno_error(errno, "reading", "the archive"));
  Result<BackupManifest> read = read_backup(
      fd, [&](const BackupManifest::File&, std::string_view, std::uint64_t done) -> Status {
        line.show(fmt::format("checking: {}", byte_size(done)));
        return {};
      });
  if (!read) return fail(std::move(read).error().within("checking the archive"));
  if (*read != manifest) {
    return fail(ErrorCode::corrupt, "checking the archive: it is not what was written");
  }
  return {};
}

// The copy holds everything that was there when copying began, and nothing that is not in the
// store.
Result<BackupManifest> describe_copy(const std::string& copy, const std::vector<Cid>& before,
                                     const store::Store& source) {
  BackupManifest manifest{.weft = WEFT_VERSION, .created_at = now()};
  WEFT_TRY_VALUE(manifest.store_version, store::check_store_file(copy));
  WEFT_TRY_VALUE(auto state, store::read_store_file(copy));
  WEFT_TRY_VALUE(auto after, source.audit().checkpoint_log());
  const auto begins_with = [](const std::vector<Cid>& log, const std::vector<Cid>& first) {
    return first.size() <= log.size() &&
           std::ranges::equal(first, std::span(log).first(first.size()));
  };
  if (!begins_with(state.log, before) || !begins_with(after, state.log)) {
    return fail(ErrorCode::corrupt, "the copy of the store has another head than the store");
  }
  manifest.head = head_of(state.log);
  manifest.checkpoints = state.log.size();
  manifest.conversations = state.conversations;
  return manifest;
}

Outcome<std::vector<Part>> collect(const Context& context, const BackupOptions& options,
                                   const store::Store& source, const std::string& copy) {
  std::vector<Part> parts;
  Result<Part> store = store_part(copy);
  if (!store) return refuse(std::move(store).error());
  parts.push_back(*std::move(store));
  Result<std::optional<Part>> config = config_part(context.home());
  if (!config) return refuse(std::move(config).error());
  if (*config) parts.push_back(**std::move(config));
  if (options.with_keyring) {
    Outcome<Part> keyring = keyring_part(context);
    if (!keyring) return refuse(std::move(keyring));
    Status fits = check_keyring_owner(source, context.home().keyring, keyring->text);
    if (!fits) return refuse(std::move(fits).error());
    parts.push_back(*std::move(keyring));
  }
  return parts;
}

}  // namespace

Outcome<BackupReport> write_backup(const Context& context, const BackupOptions& options) {
  const store::StoreUrl& url = context.home().store;
  if (Status is_file = store::check_is_file(url); !is_file) {
    return refuse(std::move(is_file).error());
  }
  Result<std::unique_ptr<store::Store>> source = store::open_store_to_read(url);
  if (!source) {
    const bool missing = source.error().code == ErrorCode::not_found;
    return refuse(std::move(source).error(), missing ? "there is nothing to back up yet" : "");
  }
  Result<std::vector<Cid>> before = (*source)->audit().checkpoint_log();
  if (!before) return refuse(std::move(before).error());
  Result<OutFile> out =
      OutFile::create(options.file, options.force ? Existing::replace : Existing::keep);
  if (!out) return refuse_file(std::move(out).error());
  if (!out->is_aside()) {
    return refuse({ErrorCode::invalid_input,
                   options.file.string() + " is not a regular file: a backup is written aside and "
                                           "checked before it gets its name"});
  }
  const StoreCopy copy(options.file);
  if (!copy.is_open()) return refuse(errno_error(errno, "writing", options.file));
  ProgressLine line(context.err());
  Status copied = store::copy_store(url, copy.path(), [&](std::uint64_t done, std::uint64_t all) {
    line.show(fmt::format("copying: {} %", all == 0 ? 100 : done * 100 / all));
  });
  if (!copied) return refuse(std::move(copied).error());
  Result<BackupManifest> manifest = describe_copy(copy.path(), *before, **source);
  if (!manifest) return refuse(std::move(manifest).error());
  line.clear();  // a passphrase may be asked for
  Outcome<std::vector<Part>> parts = collect(context, options, **source, copy.path());
  if (!parts) return refuse(std::move(parts));
  for (const Part& part : *parts) {
    manifest->files.push_back({.name = part.name, .bytes = part.bytes, .blake3 = part.blake3});
  }
  const int fd = ::fileno(out->stream());
  if (Status written = write_archive(fd, *manifest, *parts, line); !written) {
    return refuse(std::move(written).error().within(options.file.string()));
  }
  if (Status checked = check_archive(fd, *manifest, line); !checked) {
    return refuse(std::move(checked).error());
  }
  struct stat info{};
  const std::uint64_t bytes =
      ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
  if (Status done = out->commit(); !done) return refuse_file(std::move(done).error());
  return BackupReport{.manifest = *std::move(manifest), .bytes = bytes};
}

}  // namespace weft::cli
