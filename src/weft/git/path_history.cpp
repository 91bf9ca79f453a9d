#include "weft/git/path_history.hpp"

#include <algorithm>
#include <unordered_set>

namespace weft::git {
namespace {

bool touches(const HistoryEntry& entry, std::span<const std::string> paths) {
  return std::ranges::any_of(entry.files, [&](const TouchedFile& file) {
    return std::ranges::find(paths, file.path) != paths.end();
  });
}

}  // namespace

PathHistory::PathHistory(std::vector<HistoryEntry> entries) : entries_(std::move(entries)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) by_commit_.emplace(entries_[i].commit, i);
}

const HistoryEntry* PathHistory::find(std::string_view commit) const {
  const auto found = by_commit_.find(commit);
  return found == by_commit_.end() ? nullptr : &entries_[found->second];
}

std::optional<Millis> PathHistory::previous_time(std::string_view commit, Millis author_time,
                                                 std::span<const std::string> paths) const {
  std::optional<Millis> newest;
  const auto consider = [&](const HistoryEntry& entry) {
    if (entry.author_time > author_time || !touches(entry, paths)) return;
    newest = std::max(newest.value_or(entry.author_time), entry.author_time);
  };
  const HistoryEntry* start = find(commit);
  if (start == nullptr) {
    for (const HistoryEntry& entry : entries_) consider(entry);
    return newest;
  }
  std::vector<const HistoryEntry*> open = {start};
  std::unordered_set<const HistoryEntry*> seen = {start};
  while (!open.empty()) {
    const HistoryEntry* entry = open.back();
    open.pop_back();
    if (entry != start) consider(*entry);
    for (const std::string& name : entry->parents) {
      const HistoryEntry* parent = find(name);
      if (parent != nullptr && seen.insert(parent).second) open.push_back(parent);
    }
  }
  return newest;
}

std::optional<Millis> PathHistory::last_time(std::span<const std::string> paths) const {
  std::optional<Millis> newest;
  for (const HistoryEntry& entry : entries_) {
    if (touches(entry, paths)) {
      newest = std::max(newest.value_or(entry.author_time), entry.author_time);
    }
  }
  return newest;
}

std::optional<std::string> PathHistory::find_blob(std::string_view commit,
                                                  std::string_view path) const {
  const HistoryEntry* entry = find(commit);
  if (entry == nullptr) return std::nullopt;
  const auto file = std::ranges::find(entry->files, path, &TouchedFile::path);
  if (file == entry->files.end() || file->blob.empty()) return std::nullopt;
  return file->blob;
}

}  // namespace weft::git
