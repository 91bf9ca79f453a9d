#include "weft/query/edits/reports.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kNotes = "refs/notes/ai";
constexpr std::size_t kMostTrailers = 1'000;  // of one commit

// Nothing for what cannot be read.
template <class Value>
Result<std::vector<Value>> readable(Result<std::vector<Value>> read, std::size_t count) {
  if (read || read.error().code == ErrorCode::unavailable) return read;
  return std::vector<Value>(count);
}

}  // namespace

std::string_view CommitReport::session_at(std::string_view path, std::size_t line) const {
  const auto claim = std::ranges::find_if(claims, [&](const git::AuthorshipClaim& one) {
    return one.path == path && line >= one.first && line <= one.last;
  });
  return claim == claims.end() ? std::string_view() : claim->session;
}

Result<std::unordered_map<std::string, CommitReport>> read_reports(
    const git::Git& git, const std::vector<std::string>& commits) {
  WEFT_TRY_VALUE(const auto objects, readable(git.commits(commits), commits.size()));
  WEFT_TRY_VALUE(const auto notes, readable(git.notes(kNotes, commits), commits.size()));
  std::unordered_map<std::string, CommitReport> reports;
  for (std::size_t i = 0; i < commits.size(); ++i) {
    CommitReport report;
    if (objects[i]) {
      for (const std::string& name :
           git::trailers_in(objects[i]->message, kTrailer, kMostTrailers)) {
        if (const Result<Cid> cid = Cid::parse(name)) report.thoughts.insert(*cid);
      }
    }
    if (notes[i]) {
      if (auto claims = git::parse_authorship_note(*notes[i])) report.claims = *std::move(claims);
    }
    if (report.thoughts.empty() && report.claims.empty()) continue;
    reports.emplace(commits[i], std::move(report));
  }
  return reports;
}

}  // namespace weft::query
