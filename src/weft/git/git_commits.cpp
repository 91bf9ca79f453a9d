// Git, asked about commits themselves: their words, their notes and what they changed.
#include <algorithm>
#include <array>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/git/git.hpp"
#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

// Switches of every comparison of two versions of the repository.
void add_patch_switches(std::vector<std::string>& arguments) {
  arguments.insert(arguments.end(),
                   {"-p", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color",
                    "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "--unified=3"});
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Where a note of a commit can be in the tree of the notes: git spreads many over folders.
std::array<std::string, 3> places_of_note(std::string_view ref, std::string_view commit) {
  const std::string at = std::string(ref) + ":";
  const std::string first(commit.substr(0, 2)), second(commit.substr(2, 2));
  return {at + std::string(commit), at + first + "/" + std::string(commit.substr(2)),
          at + first + "/" + second + "/" + std::string(commit.substr(4))};
}

}  // namespace

Result<std::vector<std::optional<Commit>>> Git::commits(
    const std::vector<std::string>& names) const {
  WEFT_TRY_VALUE(const auto objects, blobs(names));
  std::vector<std::optional<Commit>> commits;
  for (const auto& object : objects) {
    commits.emplace_back();
    if (!object) continue;
    WEFT_TRY_VALUE(commits.back(), parse_commit(*object));
  }
  return commits;
}

Result<std::vector<std::optional<std::string>>> Git::notes(
    std::string_view ref, const std::vector<std::string>& commits) const {
  // Most repositories have none: then nothing is looked up.
  WEFT_TRY_VALUE(const ChildOutput found,
                 run({"rev-parse", "--verify", "--quiet", std::string(ref) + "^{tree}"}));
  std::vector<std::optional<std::string>> notes(commits.size());
  if (found.exit != 0) return notes;
  std::vector<std::string> names;
  for (const std::string& commit : commits) {
    std::ranges::move(places_of_note(ref, commit), std::back_inserter(names));
  }
  WEFT_TRY_VALUE(auto contents, blobs(names));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i]) notes[i / 3] = std::move(contents[i]);
  }
  return notes;
}

Result<std::vector<Patch>> Git::patches(const std::vector<std::string>& commits) const {
  if (commits.empty()) return std::vector<Patch>();
  std::vector<std::string> arguments = {"diff-tree", "--stdin", "--root"};
  add_patch_switches(arguments);
  WEFT_TRY_VALUE(const std::string text,
                 ask(std::move(arguments), {.input = joined_lines(commits)}));
  WEFT_TRY_VALUE(std::vector<Patch> patches, parse_patches(text));
  WEFT_TRY_VALUE(const std::string names, ask({"patch-id", "--stable"}, {.input = text}));
  WEFT_TRY_VALUE(const auto ids, parse_patch_ids(names));
  for (Patch& patch : patches) {
    if (const auto id = ids.find(patch.commit); id != ids.end()) patch.id = id->second;
  }
  return patches;
}

Result<std::optional<std::string>> Git::find_moved(const std::string& commit,
                                                   const std::string& path) const {
  WEFT_TRY_VALUE(const std::string found,
                 ask({"log", "-1", "--no-show-signature", "--no-color", "--no-renames",
                      "--diff-filter=D", "--format=tformat:%H", commit, "--", path}));
  const std::string name(trim(found));
  if (name.empty()) return std::nullopt;
  // "<commit>", and for each move ":<mode> <mode> <blob> <blob> R<share>", the old path, the new.
  WEFT_TRY_VALUE(const std::string moves,
                 ask({"diff-tree", "-r", "-z", "-M", "--no-commit-id", "--raw", "--diff-filter=R",
                      "--no-ext-diff", "--no-textconv", name}));
  std::string_view rest = moves;
  while (!rest.empty()) {
    cut_off(rest, '\0');
    const std::string_view from = cut_off(rest, '\0'), to = cut_off(rest, '\0');
    if (from == path && !to.empty()) return std::string(to);
  }
  return std::nullopt;
}

Result<Patch> Git::staged(const std::optional<std::filesystem::path>& index) const {
  WEFT_TRY_VALUE(std::optional<std::string> head, find_head());
  if (!head) {
    // The tree of no files, by the kind of hash that the repository uses.
    WEFT_TRY_VALUE(const std::string empty, ask({"hash-object", "-t", "tree", "--stdin"}));
    head = std::string(trim(empty));
  }
  std::vector<std::string> arguments = {"diff-index", "--cached"};
  add_patch_switches(arguments);
  arguments.insert(arguments.end(), {*head, "--"});
  GitInput more;
  if (index) more.environment.push_back("GIT_INDEX_FILE=" + index->string());
  WEFT_TRY_VALUE(const std::string text, ask(std::move(arguments), std::move(more)));
  WEFT_TRY_VALUE(std::vector<Patch> patches, parse_patches(text));
  return patches.empty() ? Patch() : std::move(patches.front());
}

Result<std::optional<Millis>> Git::last_change(const std::string& commit,
                                               const std::string& path) const {
  WEFT_TRY_VALUE(const std::string time, ask({"log", "-1", "--no-show-signature", "--no-color",
                                              "--format=tformat:%at", commit, "--", path}));
  return parse_seconds(trim(time));
}

Result<std::optional<std::string>> Git::find_setting(const std::string& name) const {
  WEFT_TRY_VALUE(const ChildOutput output, run({"config", "--local", "-z", "--get", name}));
  if (output.exit != 0) return std::nullopt;
  return output.out.substr(0, output.out.find('\0'));
}

}  // namespace weft::git
