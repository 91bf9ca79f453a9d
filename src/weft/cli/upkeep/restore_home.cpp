#include "weft/cli/upkeep/restore_home.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/upkeep/backup_files.hpp"
#include "weft/store/backup.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

// A folder beside the home, mode 0700, removed with all that is in it unless it became the home.
class FolderAside {
 public:
  explicit FolderAside(const fs::path& home) {
    std::string name = home.string() + ".restoring.XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  FolderAside(const FolderAside&) = delete;
  FolderAside& operator=(const FolderAside&) = delete;
  ~FolderAside() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  bool is_made() const { return !path_.empty(); }
  const fs::path& path() const { return path_; }
  // An empty folder at `home` is replaced. False, and errno says why.
  bool become(const fs::path& home) {
    if (::rename(path_.c_str(), home.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  fs::path path_;
};

// Writes the files of a backup into a folder, one after another, each synced.
class Unpacking {
 public:
  explicit Unpacking(fs::path folder) : folder_(std::move(folder)) {}

  Status add(const BackupManifest::File& file, std::string_view piece) {
    if (file.name != name_) {
      WEFT_TRY(finish());
      name_ = file.name;
      file_ = Fd(::open((folder_ / name_).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (!file_) return fail(errno_error(errno, "writing", folder_ / name_));
    }
    if (const int number = write_all(file_.get(), piece)) {
      return fail(errno_error(number, "writing", folder_ / name_));
    }
    return {};
  }
  Status finish() {
    if (!file_) return {};
    if (::fsync(file_.get()) != 0 || !file_.close()) {
      return fail(errno_error(errno, "writing", folder_ / name_));
    }
    return {};
  }

 private:
  fs::path folder_;
  std::string name_;
  Fd file_;
};

Status check_store(const std::string& path, const BackupManifest& manifest) {
  WEFT_TRY_VALUE(auto version, store::check_store_file(path));
  WEFT_TRY_VALUE(auto state, store::read_store_file(path));
  if (version != manifest.store_version || head_of(state.log) != manifest.head) {
    return fail(ErrorCode::corrupt, "the store in the backup has another head than the manifest");
  }
  return {};
}

// Nobody's keys lie in a backup without a passphrase, and nobody's passphrase is asked for.
Status check_keyring(const fs::path& path) {
  bool is_locked = false;
  const Result<crypto::Keyring> keyring = crypto::load_keyring(path, [&]() -> Result<std::string> {
    is_locked = true;
    return fail(ErrorCode::denied, "not needed");
  });
  if (is_locked) return {};
  if (!keyring) return fail(keyring.error());
  return fail(ErrorCode::invalid_input,
              "the keyring in the backup has no passphrase, so weft did not write this backup");
}

// The folder may be there, and nothing in it.
Status check_empty(const fs::path& home) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(home, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) {
    return fail(ErrorCode::invalid_input, home.string() + " is not a folder");
  }
  const bool is_empty = fs::is_empty(home, error);
  if (error) return fail(errno_error(error.value(), "reading", home));
  if (is_empty) return {};
  return fail(ErrorCode::invalid_input,
              home.string() +
                  " is not empty, and was not changed; restore to another home with --home DIR");
}

Result<BackupManifest> unpack(const Context& context, const fs::path& file,
                              const fs::path& folder) {
  const Fd archive(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!archive) return fail(errno_error(errno, "reading", file));
  ProgressLine line(context.err());
  Unpacking files(folder);
  WEFT_TRY_VALUE(auto manifest,
                 read_backup(archive.get(), [&](const BackupManifest::File& member,
                                                std::string_view piece, std::uint64_t done) {
                   line.show("restoring: " + byte_size(done));
                   return files.add(member, piece);
                 }));
  WEFT_TRY(files.finish());
  WEFT_TRY(check_store(folder / kStoreName, manifest));
  if (manifest.has(kKeyringName)) {
    WEFT_TRY(check_keyring(folder / kKeyringName));
  }
  return manifest;
}

}  // namespace

Outcome<BackupManifest> restore_home(const Context& context, const fs::path& file) {
  const fs::path home = fs::absolute(context.home().directory).lexically_normal();
  if (Status empty = check_empty(home); !empty) return refuse(std::move(empty).error(), Exit::no);
  std::error_code error;
  fs::create_directories(home.parent_path(), error);
  if (error) return refuse(errno_error(error.value(), "making", home.parent_path()));
  FolderAside folder(home);
  if (!folder.is_made()) return refuse(errno_error(errno, "writing beside", home));
  Result<BackupManifest> manifest = unpack(context, file, folder.path());
  if (!manifest) {
    return refuse(std::move(manifest).error().within("nothing was restored"));
  }
  if (!sync_folder_of(folder.path() / kStoreName) || !folder.become(home)) {
    // Somebody may have put something there meanwhile.
    if (errno == ENOTEMPTY || errno == EEXIST) {
      if (Status empty = check_empty(home); !empty) {
        return refuse(std::move(empty).error(), Exit::no);
      }
    }
    return refuse(errno_error(errno, "writing", home));
  }
  sync_folder_of(home);
  return *std::move(manifest);
}

}  // namespace weft::cli
