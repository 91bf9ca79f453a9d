#include "weft/query/edits/same_file.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "weft/base/ascii.hpp"
#include "weft/base/regular_file.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostConfigBytes = 1u << 20;

std::vector<fs::path> components_of(const fs::path& path) { return {path.begin(), path.end()}; }

bool ends_with(const std::vector<fs::path>& whole, const std::vector<fs::path>& end) {
  return whole.size() >= end.size() && std::equal(end.rbegin(), end.rend(), whole.rbegin());
}

bool names_worktrees(const fs::path& folder) {
  return std::ranges::any_of(
      folder, [](const fs::path& part) { return part.string().contains("worktree"); });
}

// The addresses of the remotes of a repository, as its configuration states them.
std::set<std::string> remotes_of(const git::Repository& repository) {
  const auto text =
      read_regular_file(repository.common / "config", kMostConfigBytes, Readers::anyone);
  std::set<std::string> urls;
  if (!text) return urls;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = trim(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos || trim(line.substr(0, sign)) != "url") continue;
    std::string_view url = trim(line.substr(sign + 1));
    if (url.starts_with("file://")) url.remove_prefix(std::string_view("file://").size());
    while (url.ends_with('/')) url.remove_suffix(1);
    if (url.ends_with("/.git")) url.remove_suffix(std::string_view("/.git").size());
    if (url.ends_with(".git")) url.remove_suffix(std::string_view(".git").size());
    urls.emplace(url);
  }
  return urls;
}

bool are_clones(const git::Repository& one, const git::Repository& other) {
  const std::set<std::string> mine = remotes_of(one), theirs = remotes_of(other);
  return mine.contains(other.root.string()) || theirs.contains(one.root.string()) ||
         std::ranges::any_of(mine, [&](const std::string& url) { return theirs.contains(url); });
}

}  // namespace

bool SameFile::operator()(std::string_view edited, std::string_view directory,
                          std::string_view path) {
  fs::path named(edited);
  if (named.is_relative() && !directory.empty()) named = fs::path(directory) / named;
  named = named.lexically_normal();
  if (!repository_) {
    std::error_code failed;
    return named == file_ || fs::weakly_canonical(named, failed) == file_;
  }
  const std::vector<fs::path> parts = components_of(named), wanted = components_of(fs::path(path));
  // The directory is not known: the path must agree as far as it goes.
  if (named.is_relative()) return ends_with(wanted, parts);
  if (!ends_with(parts, wanted)) return false;
  fs::path folder;
  for (std::size_t i = 0; i + wanted.size() < parts.size(); ++i) folder /= parts[i];
  return can_be_root(folder, wanted.size() > 1);
}

bool SameFile::can_be_root(const fs::path& folder, bool is_in_folder) {
  const auto [found, is_new] = judged_.try_emplace({folder.string(), is_in_folder}, false);
  if (is_new) found->second = judge_root(folder, is_in_folder);
  return found->second;
}

bool SameFile::judge_root(const fs::path& folder, bool is_in_folder) const {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(folder, failed);
  if (real == repository_->root) return true;
  if (fs::is_directory(real, failed)) {
    const auto other = git::find_repository(real);
    if (!other || !*other || (*other)->root != real) return false;
    return (*other)->common == repository_->common || are_clones(*repository_, **other);
  }
  const fs::path below = real.lexically_relative(repository_->root);
  const bool is_below = !below.empty() && *below.begin() != "..";
  if (is_below || !is_in_folder) {
    return names_worktrees(is_below ? below : folder) ||
           (!is_below && folder.filename() == repository_->root.filename());
  }
  return true;
}

}  // namespace weft::query
