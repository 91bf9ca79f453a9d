// Git: asks the `git` program about a repository.
//
//   WEFT_TRY_VALUE(const auto repository, find_repository(path));
//   const Git git(*repository, stop);
//   WEFT_TRY_VALUE(const std::string commit, git.resolve("HEAD"));
//   WEFT_TRY_VALUE(const Blame blame, git.blame(commit, "src/loom.py"));
//
// A repository is hostile input: its configuration and its attributes can name programs, and git
// would run them. Therefore weft asks only about commits, never about the working tree; switches
// off text conversion, file system monitors, hooks, signatures, the pager and every transport; and
// gives git an environment without the user's and the system's configuration. What is left of a
// repository's configuration names no program that these questions run (docs/blame.md).
//
// Every function fails with not_found if git is not installed, with unavailable if git takes too
// long or a stop is requested, and with invalid_input if git fails or prints too much. May be
// used from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "weft/git/child.hpp"
#include "weft/git/commit.hpp"
#include "weft/git/history.hpp"
#include "weft/git/patch.hpp"
#include "weft/git/porcelain.hpp"
#include "weft/git/repository.hpp"

namespace weft::git {

// Lines of a file, both included, from 1.
struct LineRange {
  std::size_t first = 1, last = 1;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

// A file in a commit.
struct TreeFile {
  std::string blob;
  std::size_t size = 0;  // bytes
};

// What a question gives to git beside its arguments.
struct GitInput {
  std::optional<std::string> input{};      // on stdin
  std::vector<std::string> environment{};  // "NAME=value", beside the usual
};

class Git {
 public:
  explicit Git(Repository repository, std::stop_token stop = {})
      : repository_(std::move(repository)), stop_(std::move(stop)) {}

  const Repository& repository() const { return repository_; }

  // The full name of a commit as people name it: "HEAD~2", "main", "3f2a91c". not_found if there is
  // none of that name.
  Result<std::string> resolve(std::string_view revision) const;
  // The commit that is checked out; empty before the first one.
  Result<std::optional<std::string>> find_head() const;

  // The file at a path; empty if the commit has none there. invalid_input for a directory or a
  // submodule.
  Result<std::optional<TreeFile>> find_file(const std::string& commit,
                                            const std::string& path) const;
  // Contents by their names, in this order; empty for one that the repository lacks.
  Result<std::vector<std::optional<std::string>>> blobs(
      const std::vector<std::string>& names) const;

  // The origin of each line of a file in a commit, or of a range of them: through moved and copied
  // lines and renamed files, without white space, and past the commits that the repository lists to
  // be ignored: `blame.ignoreRevsFile`, or else the file .git-blame-ignore-revs at its root.
  Result<Blame> blame(const std::string& commit, const std::string& path,
                      const std::optional<LineRange>& range = {}) const;

  // The commits up to this one that touched any of these paths, children before parents.
  Result<std::vector<HistoryEntry>> history(const std::string& commit,
                                            const std::vector<std::string>& paths) const;

  // Whether the parents of this commit are missing because the clone is shallow.
  Result<bool> is_cut_off(std::string_view commit) const;

  // Commits by their names, in this order; empty for one that the repository lacks.
  Result<std::vector<std::optional<Commit>>> commits(const std::vector<std::string>& names) const;
  // The notes of commits under a ref ("refs/notes/ai"), in this order; empty where there is none.
  Result<std::vector<std::optional<std::string>>> notes(
      std::string_view ref, const std::vector<std::string>& commits) const;

  // What these commits changed, with the ids of their patches; nothing for merges.
  Result<std::vector<Patch>> patches(const std::vector<std::string>& commits) const;
  // The path that a file has after the newest commit that removed it here, if that commit moved it;
  // empty if none did. `commit` is where to look from.
  Result<std::optional<std::string>> find_moved(const std::string& commit,
                                                const std::string& path) const;
  // What the index in this file, or without one the usual index, changes in the commit that is
  // checked out. Compares names of contents only: nothing in the working tree is read.
  Result<Patch> staged(const std::optional<std::filesystem::path>& index) const;
  // The author time of the newest commit up to this one that touched a path; empty if none did.
  Result<std::optional<Millis>> last_change(const std::string& commit,
                                            const std::string& path) const;
  // The value of a setting in the configuration of the repository itself; empty if it has none.
  Result<std::optional<std::string>> find_setting(const std::string& name) const;

 private:
  Result<ChildOutput> run(std::vector<std::string> arguments, GitInput more = {}) const;
  // The same; invalid_input unless it exits with 0.
  Result<std::string> ask(std::vector<std::string> arguments, GitInput more = {}) const;
  Result<std::vector<std::string>> ignored_revisions() const;

  Repository repository_;
  std::stop_token stop_;
};

}  // namespace weft::git
