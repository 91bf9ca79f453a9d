// Real git repositories for tests: one with known commits, and one that names a program wherever
// git would run it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/time.hpp"
#include "weft/git/child.hpp"

namespace weft::test {

// A repository whose commits have the times that the test gives them.
class TestRepository {
 public:
  explicit TestRepository(std::filesystem::path root) : root_(std::move(root)) {
    std::filesystem::create_directories(root_);
    git({"init", "-q", "-b", "main", "."});
    git({"config", "user.name", "Ada"});
    git({"config", "user.email", "ada@example.org"});
    git({"config", "commit.gpgSign", "false"});
  }

  const std::filesystem::path& root() const { return root_; }
  // The author's and committer's time of the commits that follow.
  void at(Millis time) { seconds_ = time / 1000; }

  // Runs git as its user would. Fails the test unless it ends with 0.
  std::string git(const std::vector<std::string>& arguments) const {
    const git::ChildOutput output = run(arguments);
    EXPECT_EQ(output.exit, 0) << "git " << arguments.front() << ": " << output.err;
    return output.out;
  }
  git::ChildOutput run(std::vector<std::string> arguments) const {
    const std::string date = "@" + std::to_string(seconds_) + " +0000";
    arguments.insert(arguments.begin(), {"-C", root_.string()});
    auto output = git::run_child(
        {.program = "git",
         .arguments = std::move(arguments),
         .environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + root_.string(),
                         "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_EDITOR=true",
                         "GIT_SEQUENCE_EDITOR=true", "GIT_AUTHOR_DATE=" + date,
                         "GIT_COMMITTER_DATE=" + date}});
    EXPECT_TRUE(output) << output.error().message;
    return output ? *std::move(output) : git::ChildOutput{.exit = -1};
  }

  void write(std::string_view path, std::string_view text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }
  // Commits everything. Returns the commit's name.
  std::string commit(std::string_view subject) const {
    git({"add", "-A"});
    git({"commit", "-q", "-m", std::string(subject)});
    return head();
  }
  std::string head() const {
    std::string name = git({"rev-parse", "HEAD"});
    return name.substr(0, name.find('\n'));
  }

 private:
  std::filesystem::path root_;
  std::int64_t seconds_ = 1'770'000'000;
};

// Makes a repository name a program of its own in every place that git knows: each leaves a file
// `ran-PLACE` in `marks`.
class Traps {
 public:
  Traps(const TestRepository& repository, std::filesystem::path marks)
      : marks_(std::move(marks)), repository_(repository) {
    std::filesystem::create_directories(marks_);
    config("diff.trap.textconv", "textconv");
    config("diff.trap.command", "diffcommand");
    config("filter.trap.clean", "clean");
    config("filter.trap.smudge", "smudge");
    config("diff.external", "external");
    config("core.fsmonitor", "fsmonitor");
    config("core.pager", "pager");
    config("pager.blame", "pagerblame");
    config("pager.log", "pagerlog");
    config("core.editor", "editor");
    config("core.askPass", "askpass");
    config("core.sshCommand", "ssh");
    config("core.gitProxy", "proxy");
    config("credential.helper", "credential");
    config("gpg.program", "gpg");
    for (const std::string command : {"blame", "log", "cat-file", "ls-tree", "rev-parse"}) {
      repository_.git({"config", "alias." + command, "!" + program("alias")});
    }
    repository_.git({"config", "log.showSignature", "true"});
    repository_.git({"config", "protocol.ext.allow", "always"});
    repository_.git({"config", "protocol.file.allow", "always"});
    repository_.git({"config", "core.repositoryFormatVersion", "1"});
    repository_.git({"config", "extensions.partialClone", "origin"});
    repository_.git({"config", "remote.origin.promisor", "true"});
    repository_.git({"config", "remote.origin.url", "ext::" + program("promisor")});
    for (const std::string hook : {"post-checkout", "post-index-change", "reference-transaction",
                                   "pre-auto-gc", "fsmonitor-watchman"}) {
      std::filesystem::copy_file(program("hook"), repository_.root() / ".git/hooks" / hook,
                                 std::filesystem::copy_options::overwrite_existing);
    }
    std::filesystem::create_directories(repository_.root() / ".git/info");
    std::ofstream(repository_.root() / ".git/info/attributes") << "* diff=trap filter=trap\n";
  }

  // The places whose programs ran since the last call.
  std::set<std::string> sprung() const {
    std::set<std::string> places;
    for (const auto& entry : std::filesystem::directory_iterator(marks_)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("ran-")) continue;
      places.insert(name.substr(4));
      std::filesystem::remove(entry.path());
    }
    return places;
  }

  // Removes an object from the repository, so that git would ask the remote for it.
  void lose(const std::string& object) const {
    std::filesystem::remove(repository_.root() / ".git/objects" / object.substr(0, 2) /
                            object.substr(2));
  }

 private:
  void config(const std::string& key, const std::string& place) const {
    repository_.git({"config", key, program(place)});
  }
  // A program that leaves its mark. A filter passes its input on.
  std::string program(const std::string& place) const {
    const std::filesystem::path path = marks_ / ("trap-" + place);
    if (!std::filesystem::exists(path)) {
      const bool is_filter = place == "textconv" || place == "clean" || place == "smudge";
      std::ofstream(path) << "#!/bin/sh\n: >'" << (marks_ / ("ran-" + place)).string() << "'\n"
                          << (is_filter ? "exec cat $1\n" : "exit 1\n");
      std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    return path.string();
  }

  std::filesystem::path marks_;
  const TestRepository& repository_;
};

// A folder that goes with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft-git-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = std::filesystem::canonical(name);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace weft::test
