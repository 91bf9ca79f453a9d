#include "weft/query/commits/landed_edits.hpp"

#include <algorithm>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/edits/line_diff.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/query/edits/source_edits.hpp"

namespace weft::query {
namespace {

using Hashes = std::unordered_set<std::uint32_t>;

Hashes telling_hashes(const std::vector<std::string>& lines) {
  Hashes hashes;
  for (const std::string& line : lines) {
    if (edits::is_telling(line)) hashes.insert(edits::line_hash(line));
  }
  return hashes;
}

void add_removed_lines(std::string_view before, std::string_view after,
                       std::vector<std::string>& removed) {
  for (const edits::Hunk& hunk : edits::diff_lines(before, after, 0)) {
    for (const edits::DiffLine& line : hunk.lines) {
      if (line.sign == '-') removed.emplace_back(line.text);
    }
  }
}

std::vector<std::string> removed_by(const edits::Edit& edit) {
  std::vector<std::string> removed;
  if (edit.before) add_removed_lines(*edit.before, edit.after.value_or(""), removed);
  for (const edits::Change& change : edit.changes) {
    add_removed_lines(change.before, change.after, removed);
  }
  return removed;
}

}  // namespace

std::size_t LandedEdits::add(const edits::Edit& edit, Millis time,
                             const std::vector<std::string>& names, std::set<std::string> commits) {
  edits_.push_back({.edit = &edit, .time = time, .names = names, .commits = std::move(commits)});
  return edits_.size() - 1;
}

Status LandedEdits::find_candidates() {
  WEFT_TRY_VALUE(const auto head, git_.find_head());
  if (!head) return {};
  std::map<std::vector<std::string>, std::vector<git::HistoryEntry>> histories;
  for (Landing& landing : edits_) {
    if (!landing.commits.empty()) continue;
    const auto [found, is_new] = histories.try_emplace(landing.names);
    if (is_new) {
      WEFT_TRY_VALUE(found->second, git_.history(*head, landing.names));
    }
    const Millis since = minus_slack(landing.time);
    const git::HistoryEntry* next = nullptr;
    for (const git::HistoryEntry& entry : found->second) {
      const bool is_after = entry.author_time >= since;
      if (is_after && (next == nullptr || entry.author_time < next->author_time)) next = &entry;
      if (!is_after && entry.committer_time >= since) landing.candidates.insert(entry.commit);
    }
    if (next != nullptr) landing.candidates.insert(next->commit);
  }
  return {};
}

bool LandedEdits::holds(const git::Patch& patch, const Landing& landing) {
  const std::vector<std::uint32_t> written = edits::written_lines(*landing.edit);
  return std::ranges::any_of(patch.files, [&](const git::PatchedFile& file) {
    if (std::ranges::find(landing.names, file.path) == landing.names.end()) return false;
    const Hashes added = telling_hashes(file.added), removed = telling_hashes(file.removed);
    return std::ranges::any_of(written, [&](std::uint32_t hash) { return added.contains(hash); }) ||
           std::ranges::any_of(removed_by(*landing.edit), [&](const std::string& line) {
             return removed.contains(edits::line_hash(line));
           });
  });
}

Status LandedEdits::find() {
  WEFT_TRY(find_candidates());
  std::set<std::string> wanted;
  for (const Landing& landing : edits_) {
    wanted.insert(landing.commits.begin(), landing.commits.end());
    wanted.insert(landing.candidates.begin(), landing.candidates.end());
  }
  WEFT_TRY_VALUE(auto patches, git_.patches({wanted.begin(), wanted.end()}));
  for (git::Patch& patch : patches) {
    std::string commit = patch.commit;
    patches_.emplace(std::move(commit), std::move(patch));
  }
  std::set<std::string> holding;
  for (Landing& landing : edits_) {
    for (const std::string& commit : landing.candidates) {
      const auto patch = patches_.find(commit);
      if (patch != patches_.end() && holds(patch->second, landing)) landing.commits.insert(commit);
    }
    holding.insert(landing.commits.begin(), landing.commits.end());
  }
  std::erase_if(patches_, [&](const auto& patch) { return !holding.contains(patch.first); });
  return {};
}

}  // namespace weft::query
