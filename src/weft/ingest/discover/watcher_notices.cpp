// Turns inotify notices, and the results of polling, into changed files.
#include <sys/stat.h>

#include <algorithm>

#include "weft/ingest/discover/watcher.hpp"

namespace weft::ingest {

namespace fs = std::filesystem;

namespace {

// The database whose log has this path; empty if it is not a log. Empty logs do not count: readers
// make them.
fs::path database_of_log(const fs::path& path) {
  for (const std::string_view ending : {"-wal", "-journal"}) {
    const std::string& name = path.native();
    std::error_code failed;
    if (!name.ends_with(ending) || fs::file_size(path, failed) == 0 || failed) continue;
    return name.substr(0, name.size() - ending.size());
  }
  return {};
}

// The transcript that a sidecar file belongs to: "agent-1.jsonl" for "agent-1.meta.json". Empty if
// it is not a sidecar.
fs::path transcript_of_sidecar(const fs::path& path) {
  constexpr std::string_view kEnding = ".meta.json";
  const std::string& name = path.native();
  if (!name.ends_with(kEnding)) return {};
  return name.substr(0, name.size() - kEnding.size()) + ".jsonl";
}

}  // namespace

Changes Watcher::look() {
  const std::vector<Notice> notices = inotify_.read();
  const bool is_lost =
      std::ranges::any_of(notices, [](const Notice& notice) { return notice.is(IN_Q_OVERFLOW); });
  if (is_lost) {
    restart();
    return {.everything = true};
  }
  for (const Notice& notice : notices) handle(notice);
  return take_changes();
}

Changes Watcher::take_changes() {
  Changes changes;
  for (auto& [path, found] : changed_) changes.files.push_back(std::move(found));
  changed_.clear();
  return changes;
}

void Watcher::handle(const Notice& notice) {
  const auto number = by_number_.find(notice.watch);
  if (number == by_number_.end()) return;
  const Identity identity = number->second;
  const auto known = watches_.find(identity);
  if (known == watches_.end() || known->second.number != notice.watch) return;
  Watch& watch = known->second;
  if (notice.is(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) {
    return leave(fs::path(watch.path));
  }
  if (notice.name.empty()) return watch.stands_for ? add_change(*watch.stands_for) : void();
  if (notice.is(IN_MOVED_FROM)) {
    if (notice.is(IN_ISDIR) && watch.root) leave(watch.path / notice.name);
  } else if (notice.is(IN_CREATE | IN_MOVED_TO)) {
    on_created(identity, notice.name);
  } else if (notice.is(IN_MODIFY)) {
    on_written(watch, notice.name);
  }
}

void Watcher::on_created(const Identity& identity, const std::string& name) {
  retry_awaited({identity, name});
  const auto known = watches_.find(identity);
  if (known == watches_.end()) return;
  const std::optional<std::size_t> root = known->second.root;
  const int depth = known->second.depth + 1;
  const fs::path path = known->second.path / name;
  on_written(known->second, name);
  if (!root) return;
  const PathInfo info = inspect_path(folders_[*root].adapter, path, depth);
  if (info.kind == PathInfo::Kind::folder) {
    enter_folder(path, info.identity, *root, depth, Notify::yes);
  }
}

void Watcher::on_written(const Watch& watch, const std::string& name) {
  if (watch.stands_for) add_change(*watch.stands_for);
  if (!watch.root) return;
  const formats::Adapter* adapter = folders_[*watch.root].adapter;
  const fs::path path = watch.path / name;
  PathInfo info = inspect_path(adapter, path, watch.depth + 1);
  if (info.kind == PathInfo::Kind::folder) return;
  if (const fs::path database = database_of_log(path); !database.empty()) {
    info = inspect_path(adapter, database, watch.depth + 1);
  } else if (info.kind == PathInfo::Kind::ignored) {
    const fs::path transcript = transcript_of_sidecar(path);
    if (transcript.empty()) return;
    info = inspect_path(adapter, transcript, watch.depth + 1);
    info.found.is_reread = true;
  }
  if (info.kind != PathInfo::Kind::file) return;
  const Found found = info.found;
  add_change(found);
  follow(found);
}

void Watcher::add_change(Found found) {
  const auto [entry, is_new] = changed_.try_emplace(found.path, found);
  if (!is_new) entry->second.is_reread = entry->second.is_reread || found.is_reread;
}

void Watcher::retry_awaited(const Name& name) {
  std::vector<Awaited> met;
  const auto [first, last] = awaited_.equal_range(name);
  for (auto entry = first; entry != last; ++entry) met.push_back(entry->second);
  awaited_.erase(first, last);
  for (const Awaited& awaited : met) await(awaited, Notify::yes);
}

// --- polling ----------------------------------------------------------------------------------

Changes Watcher::poll() {
  std::vector<Identity> polled;
  for (const auto& [identity, watch] : watches_) {
    if (watch.number < 0) polled.push_back(identity);
  }
  for (const Identity& identity : polled) poll_one(identity);
  return take_changes();
}

void Watcher::poll_one(const Identity& identity) {
  const auto known = watches_.find(identity);
  if (known == watches_.end()) return;
  Watch& watch = known->second;
  const fs::path path = watch.path;
  struct stat about{};
  const bool is_there = ::stat(path.c_str(), &about) == 0;
  if (!is_there || Identity{about.st_dev, about.st_ino} != identity) return leave(path);
  std::vector<Name> awaited;
  for (const auto& [name, what] : awaited_) {
    std::error_code ignored;
    if (name.first == identity && fs::is_directory(path / name.second, ignored)) {
      awaited.push_back(name);
    }
  }
  std::vector<std::string> gone, changed;
  if (watch.root || watch.stands_for) {
    std::map<std::string, Stamp> now = stamps_of(watch);
    for (const auto& [name, stamp] : watch.seen) {
      const auto still = now.find(name);
      const bool is_other = still == now.end() || still->second.identity != stamp.identity;
      if (stamp.is_folder && is_other) gone.push_back(name);
    }
    for (const auto& [name, stamp] : now) {
      const auto before = watch.seen.find(name);
      const bool is_same_folder = before != watch.seen.end() && stamp.is_folder &&
                                  before->second.identity == stamp.identity;
      if (!is_same_folder && (before == watch.seen.end() || before->second != stamp)) {
        changed.push_back(name);
      }
    }
    watch.seen = std::move(now);
  }
  for (const Name& name : awaited) retry_awaited(name);
  for (const std::string& name : gone) leave(path / name);
  for (const std::string& name : changed) on_created(identity, name);
}

std::map<std::string, Watcher::Stamp> Watcher::stamps_of(const Watch& watch) const {
  std::map<std::string, Stamp> stamps;
  int error = 0;
  for (const std::string& name : list_names(watch.path, error)) {
    struct stat about{};
    if (::stat((watch.path / name).c_str(), &about) != 0) continue;
    stamps[name] = {
        .identity = {about.st_dev, about.st_ino},
        .size = static_cast<std::uint64_t>(about.st_size),
        .modified_ns = std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec,
        .is_folder = S_ISDIR(about.st_mode)};
  }
  return stamps;
}

}  // namespace weft::ingest
