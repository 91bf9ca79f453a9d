#include "weft/ingest/discover/watcher.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "weft/ingest/discover/remote.hpp"

namespace weft::ingest {

namespace fs = std::filesystem;

namespace {

// Events of a folder on the way to a watched one, of a watched one, and of one in which an awaited
// folder may appear.
constexpr std::uint32_t kGone = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t kWithin = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | kGone;
constexpr std::uint32_t kComing = IN_CREATE | IN_MOVED_TO | kGone;

std::optional<Identity> folder_at(const fs::path& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return std::nullopt;
  return Identity{about.st_dev, about.st_ino};
}

bool is_link(const fs::path& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
}

bool is_at_or_below(const fs::path& path, const fs::path& top) {
  const std::string& inner = path.native();
  const std::string& outer = top.native();
  return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

}  // namespace

Watcher::Watcher(std::vector<Folder> folders, std::size_t most_watches)
    : folders_(std::move(folders)), inotify_(most_watches) {
  for (Folder& folder : folders_) {
    std::error_code ignored;
    folder.path = fs::absolute(folder.path, ignored).lexically_normal();
    if (!folder.path.has_filename()) folder.path = folder.path.parent_path();
  }
}

Watcher::~Watcher() = default;

void Watcher::begin() {
  for (std::size_t root = 0; root < folders_.size(); ++root) {
    await({.path = folders_[root].path, .root = root}, Notify::no);
  }
}

void Watcher::restart() {
  for (const auto& [identity, watch] : watches_) inotify_.remove(watch.number);
  watches_.clear();
  by_number_.clear();
  awaited_.clear();
  changed_.clear();
  begin();
}

std::size_t Watcher::polled() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(watches_, [](const auto& entry) { return entry.second.number < 0; }));
}

Watcher::Watch* Watcher::watch(const fs::path& path, const Identity& identity, std::uint32_t what,
                               bool or_poll) {
  const auto known = watches_.find(identity);
  if (known != watches_.end() && known->second.number < 0) return &known->second;
  const Result<int> number = or_poll && is_remote(path)
                                 ? fail(ErrorCode::unavailable, "it lies on another machine")
                                 : inotify_.add(path, what);
  if (!number && (number.error().code != ErrorCode::unavailable || !or_poll)) return nullptr;
  if (known != watches_.end()) {
    if (number && known->second.number == *number) return &known->second;
    leave(known->second.path);  // another folder had this identity before
  }
  if (number) by_number_[*number] = identity;
  return &watches_.insert_or_assign(identity, Watch{.path = path, .number = number.value_or(-1)})
              .first->second;
}

void Watcher::enter(const fs::path& path, std::size_t root, int depth, Notify notify) {
  const PathInfo info = inspect_path(folders_[root].adapter, path, depth);
  if (info.kind == PathInfo::Kind::folder) enter_folder(path, info.identity, root, depth, notify);
  if (info.kind != PathInfo::Kind::file) return;
  follow(info.found);
  if (notify == Notify::yes) add_change(info.found);
}

void Watcher::enter_folder(const fs::path& path, const Identity& identity, std::size_t root,
                           int depth, Notify notify) {
  Watch* entered = watch(path, identity, kWithin, true);
  if (entered == nullptr || entered->root) return;  // a link led here a second time
  entered->path = path;
  entered->root = root;
  entered->depth = depth;
  if (entered->number < 0) entered->seen = stamps_of(*entered);
  int error = 0;
  for (const std::string& name : list_names(path, error)) {
    enter(path / name, root, depth + 1, notify);
  }
}

void Watcher::follow(const Found& found) {
  const formats::TreeShape* tree = found.adapter == nullptr ? nullptr : found.adapter->tree;
  const std::string folder = tree == nullptr ? "" : tree->folder(found.path.string());
  if (!folder.empty()) {
    await({.path = (found.path.parent_path() / folder).lexically_normal(), .stands_for = found},
          Notify::no);
  }
  // Writes behind a link are noticed in another folder.
  struct stat about{};
  if (!is_link(found.path) || ::stat(found.path.c_str(), &about) != 0) return;
  const Identity identity{about.st_dev, about.st_ino};
  if (Watch* file = watch(found.path, identity, IN_MODIFY | kGone, false)) file->stands_for = found;
}

void Watcher::await(const Awaited& awaited, Notify notify) {
  for (;;) {
    if (const std::optional<Identity> there = folder_at(awaited.path)) {
      if (awaited.root) {
        watch_above(awaited.path);
        return enter(awaited.path, *awaited.root, 0, notify);
      }
      Watch* parts = watch(awaited.path, *there, kWithin, true);
      if (parts == nullptr) return;
      parts->stands_for = awaited.stands_for;
      if (parts->number < 0) parts->seen = stamps_of(*parts);
      if (notify == Notify::yes) add_change(*awaited.stands_for);
      return;
    }
    fs::path nearest = awaited.path, missing;
    std::optional<Identity> there;
    while (!there && nearest.has_relative_path()) {
      missing = nearest.filename();
      nearest = nearest.parent_path();
      there = folder_at(nearest);
    }
    if (!there || watch(nearest, *there, kComing, true) == nullptr) return;
    watch_above(nearest);
    const Name name{*there, missing.string()};
    const auto [first, last] = awaited_.equal_range(name);
    const bool is_known = std::any_of(
        first, last, [&](const auto& entry) { return entry.second.path == awaited.path; });
    if (!is_known) awaited_.emplace(name, awaited);
    if (!folder_at(nearest / missing)) return;
    // It was created before the watch was.
    std::erase_if(awaited_, [&](const auto& entry) {
      return entry.first == name && entry.second.path == awaited.path;
    });
    notify = Notify::yes;
  }
}

void Watcher::watch_above(const fs::path& path) {
  for (fs::path above = path.parent_path(); above.has_relative_path();
       above = above.parent_path()) {
    if (const auto there = folder_at(above)) watch(above, *there, kGone, false);
  }
}

void Watcher::leave(const fs::path& path) {
  std::vector<Awaited> lost;
  for (auto entry = watches_.begin(); entry != watches_.end();) {
    const auto& [identity, watch] = *entry;
    if (!is_at_or_below(watch.path, path)) {
      ++entry;
      continue;
    }
    if (watch.root && watch.depth == 0) lost.push_back({.path = watch.path, .root = watch.root});
    std::erase_if(awaited_, [&, id = identity](const auto& waiting) {
      if (waiting.first.first != id) return false;
      lost.push_back(waiting.second);
      return true;
    });
    inotify_.remove(watch.number);
    by_number_.erase(watch.number);
    entry = watches_.erase(entry);
  }
  for (const Awaited& awaited : lost) await(awaited, Notify::yes);
}

}  // namespace weft::ingest
