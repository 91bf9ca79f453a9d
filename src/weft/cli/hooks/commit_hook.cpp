#include "weft/cli/hooks/commit_hook.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "weft/base/ascii.hpp"
#include "weft/base/file.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/git/git.hpp"
#include "weft/query/commits/staged_thoughts.hpp"
#include "weft/query/edits/reports.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHookName = "prepare-commit-msg";
constexpr std::string_view kMark =
    "# weft: names the tool calls whose edits are staged (weft hook install --git)";
constexpr std::string_view kScissors = "# ------------------------ >8";
constexpr std::size_t kMostMessageBytes = 4u << 20;
constexpr std::size_t kMostTrailers = 10'000;
// A commit does not wait longer.
constexpr unsigned kMostSeconds = 10;

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// "Signed-off-by: Ada"
bool is_trailer(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && colon > 0 &&
         std::ranges::all_of(line.substr(0, colon), [](char c) {
           return c == '-' || (c >= '0' && c <= '9') || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
         });
}

// Whether the last paragraph, other than the first, consists of trailers.
bool ends_with_trailers(const std::vector<std::string_view>& lines, std::size_t end) {
  std::size_t first = end;
  while (first > 0 && !is_blank(lines[first - 1])) --first;
  return first > 0 && first < end &&
         std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(first),
                     lines.begin() + static_cast<std::ptrdiff_t>(end), is_trailer);
}

}  // namespace

Result<fs::path> commit_hook_path(const fs::path& directory) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(directory), failed);
  WEFT_TRY_VALUE(const auto repository, git::find_repository(real));
  if (!repository) {
    return fail(ErrorCode::not_found, real.string() + " lies in no git repository");
  }
  WEFT_TRY_VALUE(const auto elsewhere, git::Git(*repository).find_setting("core.hooksPath"));
  if (elsewhere) {
    return fail(ErrorCode::invalid_input, "the repository " + repository->root.string() +
                                              " keeps its hooks in " + *elsewhere +
                                              " (core.hooksPath)");
  }
  return repository->common / "hooks" / kHookName;
}

std::string commit_hook_line(const std::string& command) {
  return command + R"( --message "$1" --message-from "${2:-none}" </dev/null >/dev/null 2>&1 || :)";
}

std::string commit_hook_script(const std::string& command) {
  return "#!/bin/sh\n" + std::string(kMark) + "\n" + commit_hook_line(command) + "\nexit 0\n";
}

bool is_commit_hook(std::string_view text) {
  const std::vector<std::string_view> lines = lines_in(text);
  return lines.size() == 4 && lines[1] == kMark;
}

std::string with_trailers(std::string_view message, const std::vector<std::string>& trailers) {
  const std::vector<std::string_view> lines = lines_in(message);
  std::size_t end = 0;  // after the last line of the message itself
  for (std::size_t i = 0; i < lines.size() && !lines[i].starts_with(kScissors); ++i) {
    if (!is_blank(lines[i]) && !lines[i].starts_with('#')) end = i + 1;
  }
  if (end == 0 || trailers.empty()) return std::string(message);
  std::string out;
  for (std::size_t i = 0; i < end; ++i) out += std::string(lines[i]) + "\n";
  if (!ends_with_trailers(lines, end)) out += "\n";
  for (const std::string& trailer : trailers) out += trailer + "\n";
  for (std::size_t i = end; i < lines.size(); ++i) out += std::string(lines[i]) + "\n";
  return out;
}

Status add_trailers(const Context& context, const fs::path& message, std::string_view kind) {
  ::alarm(kMostSeconds);
  if (kind == "merge" || kind == "template") return {};
  WEFT_TRY_VALUE(const std::string text,
                 read_regular_file(message, kMostMessageBytes, Readers::anyone));
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return fail(std::move(opened.error().error));
  const query::PinnedLibrary library = opened->snapshot();
  std::error_code failed;
  query::StagedOptions options{.now = now()};
  if (const char* index = std::getenv("GIT_INDEX_FILE"))
    options.index = fs::absolute(index, failed);
  WEFT_TRY_VALUE(const std::vector<Cid> thoughts,
                 query::staged_thoughts(library, fs::current_path(failed), options));
  const std::vector<std::string> there = git::trailers_in(text, query::kTrailer, kMostTrailers);
  std::vector<std::string> trailers;
  for (const Cid& thought : thoughts) {
    if (std::ranges::find(there, thought.str()) != there.end()) continue;
    trailers.push_back(std::string(query::kTrailer) + ": " + thought.str());
  }
  const std::string after = with_trailers(text, trailers);
  if (after == text) return {};
  constexpr mode_t kMessageMode = 0644;
  return write_file_atomically(message, after, kMessageMode);
}

}  // namespace weft::cli
