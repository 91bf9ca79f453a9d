#include "weft/git/history.hpp"

#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

constexpr char kCommitMark = '\x01';

std::unexpected<Error> bad_history() {
  return fail(ErrorCode::invalid_input, "git's list of commits cannot be read");
}

}  // namespace

Result<std::vector<HistoryEntry>> parse_history(std::string_view text) {
  std::vector<HistoryEntry> entries;
  while (!text.empty()) {
    std::string_view token = cut_off(text, '\0');
    // git puts a line end between a commit and its files.
    if (token.starts_with('\n')) token.remove_prefix(1);
    if (token.empty()) continue;
    if (token.front() == kCommitMark) {
      token.remove_prefix(1);
      HistoryEntry entry{.commit = std::string(cut_off(token, ' '))};
      const auto written = parse_seconds(cut_off(token, ' '));
      const auto committed = parse_seconds(cut_off(token, ' '));
      if (!is_object_name(entry.commit) || !written || !committed) return bad_history();
      entry.author_time = *written;
      entry.committer_time = *committed;
      while (!token.empty()) {
        if (const std::string_view parent = cut_off(token, ' '); !parent.empty()) {
          entry.parents.emplace_back(parent);
        }
      }
      entries.push_back(std::move(entry));
      continue;
    }
    // ":<mode> <mode> <blob> <blob> <status>", and the path in the next token.
    if (token.front() != ':' || entries.empty() || text.empty()) return bad_history();
    for (int skipped = 0; skipped < 3; ++skipped) cut_off(token, ' ');
    const std::string_view blob = cut_off(token, ' ');
    const bool is_removed = token.starts_with('D');
    if (blob.empty() || token.empty()) return bad_history();
    const std::string_view path = cut_off(text, '\0');
    entries.back().files.push_back(
        {.path = std::string(path), .blob = is_removed ? std::string() : std::string(blob)});
  }
  return entries;
}

}  // namespace weft::git
