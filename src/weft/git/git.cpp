#include "weft/git/git.hpp"

#include <algorithm>

#include "weft/base/ascii.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/git/hardening.hpp"
#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListBytes = 16u << 20;  // of a list of commits to be ignored
constexpr std::string_view kUsualIgnoreFile = ".git-blame-ignore-revs";

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// A list of whole commit names, with comments: git ends at anything else.
bool is_list_of_commits(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = cut_off(text, '\n');
    line = trim(line.substr(0, line.find('#')));
    if (!line.empty() && !is_object_name(line)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> hardened(const Repository& repository) {
  return {"-C",
          repository.root.string(),
          "--no-pager",
          "--no-optional-locks",
          "--literal-pathspecs",
          "-c",
          "core.fsmonitor=false",
          "-c",
          "protocol.allow=never",
          "-c",
          "core.hooksPath=/dev/null",
          "-c",
          "safe.bareRepository=explicit",
          "-c",
          "log.showSignature=false",
          "-c",
          "core.quotePath=false",
          "-c",
          "i18n.logOutputEncoding=UTF-8"};
}

// `protocol.allow` alone does not do: a repository may allow single protocols.
std::vector<std::string> environment_for(const Repository& repository) {
  return {"PATH=/usr/local/bin:/usr/bin:/bin",
          "LC_ALL=C",
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_ATTR_NOSYSTEM=1",
          "GIT_TERMINAL_PROMPT=0",
          "GIT_OPTIONAL_LOCKS=0",
          "GIT_ALLOW_PROTOCOL=",
          "GIT_NO_LAZY_FETCH=1",
          "GIT_PAGER=cat",
          "GIT_DISCOVERY_ACROSS_FILESYSTEM=1",
          "GIT_CEILING_DIRECTORIES=" + repository.root.parent_path().string()};
}

Result<ChildOutput> Git::run(std::vector<std::string> arguments, GitInput more) const {
  std::vector<std::string> all = hardened(repository_);
  std::ranges::move(arguments, std::back_inserter(all));
  std::vector<std::string> environment = environment_for(repository_);
  std::ranges::move(more.environment, std::back_inserter(environment));
  return run_child({.program = "git",
                    .arguments = std::move(all),
                    .environment = std::move(environment),
                    .input = std::move(more.input),
                    .stop = stop_});
}

Result<std::string> Git::ask(std::vector<std::string> arguments, GitInput more) const {
  const std::string command = arguments.front();
  WEFT_TRY_VALUE(ChildOutput output, run(std::move(arguments), std::move(more)));
  if (output.exit == 0) return std::move(output.out);
  const std::string reason =
      output.err.empty() ? "it ended with " + std::to_string(output.exit) : first_line(output.err);
  return fail(ErrorCode::invalid_input,
              "git " + command + " in " + repository_.root.string() + ": " + reason);
}

Result<std::string> Git::resolve(std::string_view revision) const {
  WEFT_TRY_VALUE(const ChildOutput output,
                 run({"rev-parse", "--verify", "--quiet", "--end-of-options",
                      std::string(revision) + "^{commit}"}));
  // Older versions print the separator.
  std::string_view name = trim(output.out);
  name = name.substr(name.rfind('\n') + 1);
  if (output.exit == 0 && !name.empty()) return std::string(name);
  if (!output.err.empty()) {
    return fail(ErrorCode::invalid_input,
                "git in " + repository_.root.string() + ": " + first_line(output.err));
  }
  return fail(ErrorCode::not_found, "the repository " + repository_.root.string() +
                                        " has no commit called " + std::string(revision));
}

Result<std::optional<std::string>> Git::find_head() const {
  Result<std::string> head = resolve("HEAD");
  if (head) return *std::move(head);
  // That git is not installed is not_found, too.
  if (head.error().code == ErrorCode::not_found && head.error().message.contains("no commit")) {
    return std::nullopt;
  }
  return fail(std::move(head).error());
}

Result<std::optional<TreeFile>> Git::find_file(const std::string& commit,
                                               const std::string& path) const {
  WEFT_TRY_VALUE(const std::string answer,
                 ask({"ls-tree", "-z", "-l", "--full-tree", commit, "--", path}));
  // "<mode> <type> <name> <size>\t<path>"
  std::string_view rest = answer;
  if (rest.empty()) return std::nullopt;
  std::vector<std::string_view> words;
  rest = rest.substr(0, rest.find('\t'));
  while (!rest.empty()) {
    if (const std::string_view word = cut_off(rest, ' '); !word.empty()) words.push_back(word);
  }
  if (words.size() < 4) return fail(ErrorCode::invalid_input, "git's answer cannot be read");
  if (words[1] != "blob") {
    return fail(ErrorCode::invalid_input,
                path + (words[1] == "commit" ? " is a submodule" : " is a directory"));
  }
  return TreeFile{.blob = std::string(words[2]),
                  .size = parse_number<std::size_t>(words[3]).value_or(0)};
}

Result<std::vector<std::optional<std::string>>> Git::blobs(
    const std::vector<std::string>& names) const {
  std::vector<std::optional<std::string>> contents;
  if (names.empty()) return contents;
  std::string input;
  for (const std::string& name : names) input += name + "\n";
  WEFT_TRY_VALUE(const std::string answer,
                 ask({"cat-file", "--batch", "--buffer"}, {.input = std::move(input)}));
  // "<name> blob <size>\n<content>\n", or "<name> missing\n"
  std::string_view rest = answer;
  while (contents.size() < names.size() && !rest.empty()) {
    std::string_view head = cut_off(rest, '\n');
    head.remove_prefix(head.rfind(' ') + 1);
    const auto size = parse_number<std::size_t>(head);
    if (!size) {
      contents.emplace_back();
      continue;
    }
    if (*size >= rest.size()) break;
    contents.emplace_back(rest.substr(0, *size));
    rest.remove_prefix(*size + 1);
  }
  if (contents.size() < names.size()) {
    return fail(ErrorCode::invalid_input, "git's contents of files cannot be read");
  }
  return contents;
}

// The switches that name lists of commits to be passed over. What the configuration names git reads
// by itself, but ends if that is no file.
Result<std::vector<std::string>> Git::ignored_revisions() const {
  WEFT_TRY_VALUE(const ChildOutput output,
                 run({"config", "-z", "--get-all", "blame.ignoreRevsFile"}));
  std::string_view rest = output.out;
  const bool is_configured = !rest.empty();
  while (!rest.empty()) {
    const std::string name(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (name.empty()) continue;
    const Result<std::string> list =
        read_regular_file(repository_.root / name, kMostListBytes, Readers::anyone);
    if (list) continue;
    return fail(ErrorCode::invalid_input,
                "the repository names " + name +
                    " as blame.ignoreRevsFile, which cannot be read; make that file, or run: git "
                    "config --unset-all blame.ignoreRevsFile");
  }
  if (is_configured) return std::vector<std::string>();
  const fs::path usual = repository_.root / kUsualIgnoreFile;
  const Result<std::string> list = read_regular_file(usual, kMostListBytes, Readers::anyone);
  if (!list || !is_list_of_commits(*list)) return std::vector<std::string>();
  return std::vector<std::string>{"--ignore-revs-file", usual.string()};
}

Result<Blame> Git::blame(const std::string& commit, const std::string& path,
                         const std::optional<LineRange>& range) const {
  WEFT_TRY_VALUE(std::vector<std::string> ignored, ignored_revisions());
  std::vector<std::string> arguments = {
      "blame", "--no-textconv", "--line-porcelain", "--root", "-w", "-M", "-C", "--encoding=UTF-8"};
  std::ranges::move(ignored, std::back_inserter(arguments));
  if (range) {
    arguments.push_back("-L" + std::to_string(range->first) + "," + std::to_string(range->last));
  }
  arguments.insert(arguments.end(), {commit, "--", path});
  WEFT_TRY_VALUE(const std::string answer, ask(std::move(arguments)));
  return parse_porcelain(answer);
}

Result<std::vector<HistoryEntry>> Git::history(const std::string& commit,
                                               const std::vector<std::string>& paths) const {
  std::vector<std::string> arguments = {"log",
                                        "--topo-order",
                                        "--parents",
                                        "--raw",
                                        "--no-abbrev",
                                        "--no-renames",
                                        "-z",
                                        "--no-show-signature",
                                        "--no-color",
                                        "--no-ext-diff",
                                        "--no-textconv",
                                        std::string(kHistoryFormat),
                                        commit,
                                        "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  WEFT_TRY_VALUE(const std::string answer, ask(std::move(arguments)));
  return parse_history(answer);
}

Result<bool> Git::is_cut_off(std::string_view commit) const {
  const Result<std::string> list =
      read_regular_file(repository_.common / "shallow", kMostListBytes, Readers::anyone);
  if (!list && list.error().code == ErrorCode::not_found) return false;
  if (!list) return fail(Error(list.error()));
  return list->contains(commit);
}

}  // namespace weft::git
