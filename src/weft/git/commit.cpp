#include "weft/git/commit.hpp"

#include "weft/base/ascii.hpp"
#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

// "Ada Lovelace <ada@example.org> 1770000000 +0000": the name, and the time.
std::optional<Millis> read_person(std::string_view line, std::string* name) {
  const std::size_t mail = line.find('<'), end = line.rfind('>');
  if (mail == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  if (name != nullptr) *name = trim(line.substr(0, mail));
  std::string_view rest = trim(line.substr(end + 1));
  return parse_seconds(cut_off(rest, ' '));
}

}  // namespace

Result<Commit> parse_commit(std::string_view object) {
  const auto fault = [] { return fail(ErrorCode::invalid_input, "a commit cannot be read"); };
  Commit commit;
  bool has_author = false, has_committer = false;
  while (!object.empty()) {
    std::string_view line = cut_off(object, '\n');
    // An empty line ends the headers. A signature has several lines, each after a blank.
    if (line.empty()) {
      if (!has_author || !has_committer) return fault();
      commit.message = object;
      return commit;
    }
    const std::string_view name = cut_off(line, ' ');
    if (name == "parent") {
      commit.parents.emplace_back(line);
    } else if (name == "author" || name == "committer") {
      const bool is_author = name == "author";
      const auto time = read_person(line, is_author ? &commit.author : nullptr);
      if (!time) return fault();
      (is_author ? commit.author_time : commit.committer_time) = *time;
      (is_author ? has_author : has_committer) = true;
    }
  }
  if (!has_author || !has_committer) return fault();
  return commit;
}

std::vector<std::string> trailers_in(std::string_view message, std::string_view token,
                                     std::size_t most) {
  std::vector<std::string> values;
  while (!message.empty() && values.size() < most) {
    std::string_view line = cut_off(message, '\n');
    const std::string_view name = cut_off(line, ':');
    if (to_lower(trim(name)) != to_lower(token)) continue;
    if (const std::string_view value = trim(line); !value.empty()) values.emplace_back(value);
  }
  return values;
}

}  // namespace weft::git
