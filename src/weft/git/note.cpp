#include "weft/git/note.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/try.hpp"
#include "weft/git/child.hpp"
#include "weft/git/hardening.hpp"
#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

class NoteWriter {
 public:
  NoteWriter(const Repository& repository, Millis time)
      : repository_(repository), environment_(environment_for(repository)) {
    // Who commits is named by the environment. The thoughts themselves are signed elsewhere.
    const std::string date = std::to_string(time / 1000) + " +0000";
    for (const std::string who : {"GIT_AUTHOR_", "GIT_COMMITTER_"}) {
      environment_.push_back(who + "NAME=weft");
      environment_.push_back(who + "EMAIL=weft@localhost");
      environment_.push_back(who + "DATE=" + date);
    }
  }

  // What it prints, without the line end. invalid_input unless it exits with 0.
  Result<std::string> ask(std::vector<std::string> arguments,
                          std::optional<std::string> input = {}) const {
    const std::string command = arguments.front();
    WEFT_TRY_VALUE(const ChildOutput output, run(std::move(arguments), std::move(input)));
    if (output.exit == 0) return std::string(trim(output.out));
    return fail(ErrorCode::invalid_input, "git " + command + " in " + repository_.root.string() +
                                              ": " + output.err.substr(0, output.err.find('\n')));
  }

  // The commit that a ref names; empty if there is no such ref.
  Result<std::string> commit_at(const std::string& ref) const {
    WEFT_TRY_VALUE(const ChildOutput output, run({"rev-parse", "--verify", "--quiet", ref}, {}));
    return std::string(trim(output.out));
  }

 private:
  Result<ChildOutput> run(std::vector<std::string> arguments,
                          std::optional<std::string> input) const {
    std::vector<std::string> all = hardened(repository_);
    std::ranges::move(arguments, std::back_inserter(all));
    return run_child({.program = "git",
                      .arguments = std::move(all),
                      .environment = environment_,
                      .input = std::move(input)});
  }

  const Repository& repository_;
  std::vector<std::string> environment_;
};

}  // namespace

Result<std::string> append_note(const Repository& repository, const std::string& ref,
                                const std::string& message, Millis time) {
  const NoteWriter git(repository, time);
  WEFT_TRY_VALUE(const std::string tree, git.ask({"mktree"}, ""));
  WEFT_TRY_VALUE(const std::string before, git.commit_at(ref));
  std::vector<std::string> arguments = {"commit-tree", "--no-gpg-sign", tree, "-F", "-"};
  if (!before.empty()) arguments.insert(arguments.end(), {"-p", before});
  WEFT_TRY_VALUE(const std::string commit, git.ask(std::move(arguments), message));
  // Only if it is still what it was: nothing, or the note before.
  const std::string nothing(commit.size(), '0');
  WEFT_TRY_VALUE(const std::string none,
                 git.ask({"update-ref", ref, commit, before.empty() ? nothing : before}));
  return commit;
}

}  // namespace weft::git
