// RepositoryFile: which file of which repository an edited path is today, wherever the repository
// stood when the edit was made.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "weft/git/git.hpp"
#include "weft/query/edits/same_file.hpp"

namespace weft::query {

struct RepositoryFile {
  git::Repository repository{};
  std::string path{};  // below its root, as the edit names it
  std::string now{};   // the name that the file has today; empty if it was removed
  friend bool operator==(const RepositoryFile&, const RepositoryFile&) = default;
};

// The repository that a person named by any path in it. invalid_input if there is none; the errors
// of git::find_repository.
Result<git::Repository> open_repository(const std::filesystem::path& named);

// Finds the repository of a path: the one given, or the nearest above the path. For one answer:
// each path is looked up once.
class RepositoryFiles {
 public:
  RepositoryFiles(std::optional<git::Repository> given, std::stop_token stop)
      : given_(std::move(given)), stop_(std::move(stop)) {}

  // `edited` as a call names it, `directory` the working directory of its conversation, or empty.
  // Empty if no repository has such a file or had one. denied for a repository of another user; the
  // errors of Git.
  Result<std::optional<RepositoryFile>> find(const std::string& edited,
                                             const std::string& directory);

 private:
  Result<std::optional<RepositoryFile>> look_up(const std::filesystem::path& named,
                                                const std::string& directory);
  Result<std::string> name_now(const git::Git& git, const std::string& head,
                               std::string path) const;

  std::optional<git::Repository> given_;
  std::stop_token stop_;
  std::map<std::string, std::optional<RepositoryFile>> known_;  // by path
};

}  // namespace weft::query
