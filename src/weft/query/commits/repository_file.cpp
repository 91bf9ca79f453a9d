#include "weft/query/commits/repository_file.hpp"

#include <vector>

#include "weft/base/try.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

constexpr int kMostMoves = 20;  // of one file

// The ends of a path, the longest first: "a/b/c", "b/c", "c".
std::vector<std::string> ends_of(const fs::path& path) {
  std::vector<std::string> ends;
  fs::path end;
  const std::vector<fs::path> parts(path.begin(), path.end());
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->empty() || *part == "/") continue;
    end = end.empty() ? *part : *part / end;
    ends.insert(ends.begin(), end.generic_string());
  }
  return ends;
}

}  // namespace

Result<git::Repository> open_repository(const fs::path& named) {
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(fs::absolute(named), failed);
  WEFT_TRY_VALUE(auto found, git::find_repository(folder));
  if (!found) return fail(ErrorCode::invalid_input, folder.string() + " is no git repository");
  return *std::move(found);
}

Result<std::optional<RepositoryFile>> RepositoryFiles::find(const std::string& edited,
                                                            const std::string& directory) {
  fs::path named(edited);
  if (named.is_relative()) named = fs::path(directory) / named;
  named = named.lexically_normal();
  if (const auto found = known_.find(named.string()); found != known_.end()) return found->second;
  WEFT_TRY_VALUE(auto file, look_up(named, directory));
  return known_.emplace(named.string(), std::move(file)).first->second;
}

Result<std::optional<RepositoryFile>> RepositoryFiles::look_up(const fs::path& named,
                                                               const std::string& directory) {
  std::optional<git::Repository> repository = given_;
  if (!repository && named.is_absolute()) {
    WEFT_TRY_VALUE(repository, git::find_repository(named));
  }
  if (!repository) return std::nullopt;
  const git::Git git(*repository, stop_);
  WEFT_TRY_VALUE(const auto head, git.find_head());
  SameFile is_same(repository, named);
  for (std::string& path : ends_of(named)) {
    if (!is_same(named.string(), directory, path)) continue;
    std::error_code failed;
    RepositoryFile file{.repository = *repository, .path = path};
    if (fs::is_regular_file(repository->root / path, failed)) {
      file.now = path;
      return file;
    }
    if (!head) continue;
    WEFT_TRY_VALUE(const auto last, git.last_change(*head, path));
    if (!last) continue;
    WEFT_TRY_VALUE(file.now, name_now(git, *head, path));
    return file;
  }
  return std::nullopt;
}

// Follows the moves of a file that is not there any more.
Result<std::string> RepositoryFiles::name_now(const git::Git& git, const std::string& head,
                                              std::string path) const {
  for (int moves = 0; moves < kMostMoves; ++moves) {
    WEFT_TRY_VALUE(auto next, git.find_moved(head, path));
    if (!next) return std::string();
    path = *std::move(next);
    std::error_code failed;
    if (fs::is_regular_file(git.repository().root / path, failed)) return path;
  }
  return std::string();
}

}  // namespace weft::query
