#include "weft/git/repository.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "weft/base/ascii.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"

namespace weft::git {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLinkBytes = 8u << 10;

Status check_owner(const fs::path& root, const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return fail(ErrorCode::invalid_input,
                "the repository " + root.string() + " names a git folder that is not there");
  }
  if (status.st_uid == ::geteuid()) return {};
  return fail(
      ErrorCode::denied,
      "the repository " + root.string() + " belongs to another user (uid " +
          std::to_string(status.st_uid) +
          "), and could make git run programs; ask as that user, or about a clone of yours");
}

// The folder that a file of one line names: `.git` after "gitdir: ", `commondir` as it is.
Result<fs::path> folder_named_in(const fs::path& file, std::string_view prefix) {
  WEFT_TRY_VALUE(const std::string text, read_regular_file(file, kMostLinkBytes, Readers::anyone));
  std::string_view name = trim(text, "\r\n");
  if (!name.starts_with(prefix) || name.size() == prefix.size()) {
    return fail(ErrorCode::invalid_input, file.string() + " does not name a git folder");
  }
  name.remove_prefix(prefix.size());
  const fs::path named = fs::path(std::string(name));
  std::error_code failed;
  const fs::path real =
      fs::weakly_canonical(named.is_absolute() ? named : file.parent_path() / named, failed);
  if (failed) return fail(ErrorCode::invalid_input, file.string() + " does not name a git folder");
  return real;
}

Result<Repository> open_repository(const fs::path& root) {
  Repository repository{.root = root, .folder = root / ".git"};
  WEFT_TRY(check_owner(root, root));
  WEFT_TRY(check_owner(root, repository.folder));
  std::error_code failed;
  if (!fs::is_directory(repository.folder, failed)) {
    WEFT_TRY_VALUE(repository.folder, folder_named_in(repository.folder, "gitdir: "));
    WEFT_TRY(check_owner(root, repository.folder));
  }
  repository.common = repository.folder;
  if (const fs::path shared = repository.folder / "commondir"; fs::exists(shared, failed)) {
    WEFT_TRY_VALUE(repository.common, folder_named_in(shared, ""));
    WEFT_TRY(check_owner(root, repository.common));
  }
  repository.common = fs::weakly_canonical(repository.common, failed);
  return repository;
}

// A folder that git would take for a repository without a working tree.
bool is_git_folder(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / "HEAD", failed) && fs::is_directory(folder / "objects", failed) &&
         fs::is_directory(folder / "refs", failed);
}

}  // namespace

Result<std::optional<Repository>> find_repository(const fs::path& path) {
  std::error_code failed;
  fs::path folder = fs::weakly_canonical(path, failed);
  if (failed) folder = path.lexically_normal();
  while (true) {
    if (fs::exists(folder / ".git", failed)) {
      WEFT_TRY_VALUE(auto repository, open_repository(folder));
      return repository;
    }
    if (is_git_folder(folder) || !folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

std::string path_in(const Repository& repository, const fs::path& path) {
  return path.lexically_relative(repository.root).generic_string();
}

}  // namespace weft::git
