#include "weft/query/edits/blamed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/edits/line_diff.hpp"
#include "weft/git/path_history.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

// Lines around the range that are looked at, too: a short line is known by its neighbours.
constexpr std::size_t kLinesAround = 20;
// Bytes of older versions that are read for replaying.
constexpr std::size_t kMostContents = 64u << 20;

Status check_size(const fs::path& path, std::uintmax_t size) {
  if (size <= kMostBlamedBytes) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("{} has {} MB; weft blames files of up to {} MB", path.string(),
                          size >> 20, kMostBlamedBytes >> 20));
}

Status check_text(const fs::path& path, std::string_view content) {
  if (content.find('\0') == std::string_view::npos) return {};
  return fail(ErrorCode::invalid_input, path.string() + " is not a text file");
}

Result<std::string> read_working_file(const fs::path& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    return fail(ErrorCode::invalid_input, path.string() + " is a directory; name a file");
  }
  if (const std::uintmax_t size = fs::file_size(path, failed); !failed) {
    WEFT_TRY(check_size(path, size));
  }
  WEFT_TRY_VALUE(auto content, read_regular_file(path, kMostBlamedBytes, Readers::anyone));
  WEFT_TRY(check_text(path, content));
  return content;
}

// For each line of the working file its number in the committed one; 0 for a new line.
std::vector<std::size_t> committed_numbers(const std::string& committed, const std::string& now,
                                           std::size_t count) {
  std::vector<std::size_t> numbers;
  numbers.reserve(count);
  std::size_t next = 1;
  const std::string before = edits::with_plain_ends(committed);
  const std::string after = edits::with_plain_ends(now);
  for (const edits::Hunk& hunk : edits::diff_lines(before, after, 0)) {
    const std::size_t first = hunk.before_count == 0 ? hunk.before_first + 1 : hunk.before_first;
    while (next < first) numbers.push_back(next++);
    next += hunk.before_count;
    numbers.insert(numbers.end(), hunk.after_count, 0);
  }
  while (numbers.size() < count) numbers.push_back(next++);
  numbers.resize(count);
  return numbers;
}

// Puts the lines of one file together.
class FileBlamer {
 public:
  FileBlamer(const fs::path& path, const BlamedFileOptions& options) : options_(options) {
    file_.path = path;
    file_.shown_path = path.string();
  }

  Result<BlamedFile> run() && {
    WEFT_TRY_VALUE(file_.repository, git::find_repository(file_.path));
    if (!file_.repository) {
      if (options_.revision) {
        return fail(ErrorCode::invalid_input,
                    file_.path.string() + " lies in no git repository: it has no revisions");
      }
      file_.notes.emplace_back("the file lies in no git repository: only its edits are replayed");
      WEFT_TRY(add_without_git());
      return std::move(file_);
    }
    file_.shown_path = path_in(*file_.repository, file_.path);
    const git::Git git(*file_.repository, options_.stop);
    Result<std::optional<std::string>> commit = find_commit(git);
    if (!commit && commit.error().message.contains("not installed") && !options_.revision) {
      file_.notes.emplace_back(
          "git is not installed: only edits are replayed; install git for commits and more lines");
      WEFT_TRY(add_without_git());
      return std::move(file_);
    }
    if (!commit) return fail(std::move(commit).error());
    file_.is_in_git = true;
    if (options_.revision) {
      WEFT_TRY(add_committed(git, **commit));
    } else {
      WEFT_TRY(add_working(git, *commit));
    }
    return std::move(file_);
  }

 private:
  Result<std::optional<std::string>> find_commit(const git::Git& git) const {
    if (!options_.revision) return git.find_head();
    WEFT_TRY_VALUE(auto commit, git.resolve(*options_.revision));
    return commit;
  }

  // Sets the content, and which of its lines are looked at.
  Status set_content(std::string content) {
    file_.content = std::make_unique<std::string>(std::move(content));
    all_ = lines_of(*file_.content);
    file_.line_count = all_.size();
    last_ = all_.size();
    if (!options_.range) return {};
    if (options_.range->first == 0 || options_.range->first > all_.size()) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("{} has {} lines; there is no line {}", file_.shown_path, all_.size(),
                              options_.range->first));
    }
    file_.first = options_.range->first > kLinesAround ? options_.range->first - kLinesAround : 1;
    last_ = std::min(all_.size(), options_.range->last + kLinesAround);
    return {};
  }

  Status add_without_git() {
    WEFT_TRY_VALUE(auto content, read_working_file(file_.path));
    WEFT_TRY(set_content(std::move(content)));
    file_.sources.push_back(
        {.paths = {file_.path.string()}, .until = options_.now, .content = *file_.content});
    for (std::size_t n = file_.first; n <= last_; ++n) {
      file_.lines.push_back({.text = all_[n - 1], .source = 0, .source_number = n});
    }
    return {};
  }

  Status add_committed(const git::Git& git, const std::string& commit) {
    file_.revision = commit;
    WEFT_TRY_VALUE(const auto found, git.find_file(commit, file_.shown_path));
    if (!found) {
      return fail(ErrorCode::not_found, file_.shown_path + " is not in commit " + commit);
    }
    WEFT_TRY_VALUE(auto content, read_blob(git, *found));
    WEFT_TRY(set_content(std::move(content)));
    std::vector<std::size_t> numbers(all_.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = n + 1;
    return add_lines(git, commit, numbers);
  }

  // Lines that are not committed are found by weft: git would run the filters of the repository.
  Status add_working(const git::Git& git, const std::optional<std::string>& head) {
    WEFT_TRY_VALUE(auto content, read_working_file(file_.path));
    WEFT_TRY(set_content(std::move(content)));
    std::optional<git::TreeFile> found;
    if (head) {
      WEFT_TRY_VALUE(found, git.find_file(*head, file_.shown_path));
    }
    if (!found) return add_lines(git, "", std::vector<std::size_t>(all_.size()));
    WEFT_TRY_VALUE(const auto committed, read_blob(git, *found));
    return add_lines(git, *head, committed_numbers(committed, *file_.content, all_.size()));
  }

  Result<std::string> read_blob(const git::Git& git, const git::TreeFile& file) const {
    WEFT_TRY(check_size(file_.path, file.size));
    WEFT_TRY_VALUE(auto contents, git.blobs({file.blob}));
    if (!contents[0]) {
      return fail(ErrorCode::invalid_input, "the repository " + file_.repository->root.string() +
                                                " lacks the content of " + file_.shown_path +
                                                "; it may be a partial clone: run git fetch in it");
    }
    WEFT_TRY(check_text(file_.path, *contents[0]));
    return *std::move(contents[0]);
  }

  // `numbers` are those of the lines in the file of the commit, 0 for lines that are not in it.
  Status add_lines(const git::Git& git, const std::string& commit,
                   const std::vector<std::size_t>& numbers) {
    std::optional<git::LineRange> range;
    bool has_new = false;
    for (std::size_t n = file_.first; n <= last_; ++n) {
      const std::size_t number = numbers[n - 1];
      if (number == 0) {
        has_new = true;
      } else if (!range) {
        range = git::LineRange{number, number};
      } else {
        range = git::LineRange{std::min(range->first, number), std::max(range->last, number)};
      }
    }
    git::Blame blame;
    if (range) {
      if (!options_.range) range.reset();
      WEFT_TRY_VALUE(blame, git.blame(commit, file_.shown_path, range));
    }
    std::unordered_map<std::size_t, const git::BlamedLine*> by_number;
    for (const git::BlamedLine& line : blame.lines) by_number.emplace(line.number, &line);
    for (std::size_t n = file_.first; n <= last_; ++n) {
      const auto found = by_number.find(numbers[n - 1]);
      const bool is_committed = numbers[n - 1] != 0 && found != by_number.end();
      has_new = has_new || !is_committed;
      file_.lines.push_back({.text = all_[n - 1],
                             .source = is_committed ? found->second->origin : blame.origins.size(),
                             .source_number = is_committed ? found->second->origin_number : n});
    }
    return add_sources(git, commit, std::move(blame.origins), has_new);
  }

  Status add_sources(const git::Git& git, const std::string& commit,
                     std::vector<git::Origin> origins, bool has_new) {
    std::set<std::string> paths = {file_.shown_path};
    for (const git::Origin& origin : origins) {
      paths.insert(origin.path);
      if (!origin.previous_path.empty()) paths.insert(origin.previous_path);
    }
    std::vector<git::HistoryEntry> entries;
    if (!commit.empty()) {
      WEFT_TRY_VALUE(entries, git.history(commit, {paths.begin(), paths.end()}));
    }
    const git::PathHistory history(std::move(entries));
    for (git::Origin& origin : origins) {
      LineSource source{.paths = {origin.path}, .until = origin.author_time};
      const bool is_renamed = !origin.previous_path.empty() && origin.previous_path != origin.path;
      if (is_renamed) source.paths.push_back(origin.previous_path);
      WEFT_TRY_VALUE(const bool is_cut_off, git.is_cut_off(origin.commit));
      if (is_cut_off) {
        // When its lines were written is not known.
        source.after = source.until;
        note_cut_off(origin.commit);
      } else if (const auto before =
                     history.previous_time(origin.commit, origin.author_time, source.paths)) {
        source.after = *before;
      }
      source.blob = history.find_blob(origin.commit, origin.path).value_or("");
      source.commit = std::move(origin);
      file_.sources.push_back(std::move(source));
    }
    if (!has_new) return {};
    LineSource now{.paths = {file_.shown_path}, .until = options_.now, .content = *file_.content};
    if (const auto last = history.last_time(now.paths)) now.after = *last;
    file_.sources.push_back(std::move(now));
    return {};
  }

  void note_cut_off(const std::string& commit) {
    file_.notes.push_back("the clone is shallow: lines of " + commit.substr(0, 7) +
                          " may be older than that commit; git fetch --unshallow gets the rest");
  }

  BlamedFileOptions options_;
  BlamedFile file_;
  std::vector<std::string_view> all_;  // lines; they point into the content
  std::size_t last_ = 0;               // the number of the last line that is looked at
};

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

Result<BlamedFile> read_blamed_file(const fs::path& path, const BlamedFileOptions& options) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, failed), failed);
  if (failed) return fail(ErrorCode::invalid_input, path.string() + " is not a path");
  return FileBlamer(real, options).run();
}

Status load_contents(BlamedFile& file, const std::vector<std::size_t>& sources,
                     const std::stop_token& stop) {
  std::vector<std::size_t> wanted;
  std::vector<std::string> blobs;
  // Versions of one file have about its size.
  std::size_t room = kMostContents;
  for (const std::size_t index : sources) {
    const LineSource& source = file.sources[index];
    if (source.blob.empty() || source.content || room < file.content->size()) continue;
    room -= file.content->size();
    wanted.push_back(index);
    blobs.push_back(source.blob);
  }
  if (wanted.empty()) return {};
  WEFT_TRY_VALUE(auto contents, git::Git(*file.repository, stop).blobs(blobs));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    file.sources[wanted[i]].content = std::move(contents[i]);
  }
  return {};
}

}  // namespace weft::query
