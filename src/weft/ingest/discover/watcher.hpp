// Watches folders of sources, and names the files that changed.
//
//   Watcher watcher(folders);
//   watcher.begin();
//   … descriptor() is readable …
//   const Changes changes = watcher.look();
//
// Every folder below the given ones is watched through inotify, by the rules of find_files(). New
// folders are watched as they appear; for a folder that does not exist yet, the nearest existing
// one above it is watched. A folder is polled instead if the system has no watch left, or if it
// lies on another machine: polled() counts these, and the owner calls poll() about once a second.
//
// It has no thread and no loop of its own, and reads no file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/inotify.hpp"
#include "weft/ingest/discover/discover.hpp"

namespace weft::ingest {

struct Changes {
  // Files to ingest, each once: those that were written, created or renamed; the database whose log
  // was written; the file that stands for a conversation of many files.
  std::vector<Found> files{};
  // Notices were lost: anything may have changed.
  bool everything = false;

  bool empty() const { return files.empty() && !everything; }
};

// Used by one thread.
class Watcher {
 public:
  // At most `most_watches` are asked of the system.
  explicit Watcher(std::vector<Folder> folders,
                   std::size_t most_watches = std::numeric_limits<std::size_t>::max());
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Starts to watch. Existing files are not reported.
  void begin();
  // Readable when look() has changes; -1 if everything is polled.
  int descriptor() const { return inotify_.descriptor(); }
  // The changes since the last call. Never waits.
  Changes look();

  std::size_t watched() const { return inotify_.watched(); }
  std::size_t polled() const;
  // The changes in polled folders since the last call, by names, sizes and times.
  Changes poll();

 private:
  struct Stamp {
    Identity identity{};
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    bool is_folder = false;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  // One folder (or file behind a link) that is watched, for one reason or several.
  struct Watch {
    std::filesystem::path path;
    int number = -1;                      // the system's; -1: it is polled
    std::optional<std::size_t> root{};    // the root whose files it holds: these are reported
    int depth = 0;                        // below that root
    std::optional<Found> stands_for{};    // reported whatever changes here
    std::map<std::string, Stamp> seen{};  // if it is polled: its contents at the last look
  };
  // A folder that does not exist yet: a root, or the folder of a conversation of many files.
  struct Awaited {
    std::filesystem::path path;
    std::optional<std::size_t> root{};
    std::optional<Found> stands_for{};
  };
  using Name = std::pair<Identity, std::string>;  // in the folder of that identity

  enum class Notify { no, yes };

  // --- watcher.cpp: what is watched -----------------------------------------------------------
  void restart();
  // Watches a folder or a file, or returns the watch that it has. A new one has no root and stands
  // for nothing yet. Null if it cannot be watched; with `or_poll` it may be polled instead.
  Watch* watch(const std::filesystem::path& path, const Identity& identity, std::uint32_t what,
               bool or_poll);
  // Watches everything at a path below a root.
  void enter(const std::filesystem::path& path, std::size_t root, int depth, Notify notify);
  void enter_folder(const std::filesystem::path& path, const Identity& identity, std::size_t root,
                    int depth, Notify notify);
  // Watches what belongs to a file and lies elsewhere.
  void follow(const Found& found);
  // Enters a folder if it exists, else watches the nearest one above it.
  void await(const Awaited& awaited, Notify notify);
  // Watches the folders on the way to a path, for they may be renamed.
  void watch_above(const std::filesystem::path& path);
  // Drops the watches at a path and below it. Lost roots are awaited.
  void leave(const std::filesystem::path& path);

  // --- watcher_notices.cpp: what is noticed ---------------------------------------------------
  void handle(const Notice& notice);
  // A new name in a folder, and a name whose file was written.
  void on_created(const Identity& identity, const std::string& name);
  void on_written(const Watch& watch, const std::string& name);
  void add_change(Found found);
  // Looks again for what was awaited under that name.
  void retry_awaited(const Name& name);
  void poll_one(const Identity& identity);
  std::map<std::string, Stamp> stamps_of(const Watch& watch) const;
  Changes take_changes();

  std::vector<Folder> folders_;
  Inotify inotify_;
  std::map<Identity, Watch> watches_;
  std::map<int, Identity> by_number_;
  std::multimap<Name, Awaited> awaited_;
  std::map<std::filesystem::path, Found> changed_;
};

}  // namespace weft::ingest
