// Notices which files of the sources change: one watcher for all of them.
//
//   Watcher watcher(folders);
//   watcher.begin();
//   … descriptor() is readable …
//   const Changes changes = watcher.look();
//
// Every folder below the given ones is watched through the system (inotify), by the rules by which
// find_files() looks through them; folders that come are watched from then on, those that go are
// not any more, and for a folder that is not there yet the nearest one above it is watched. Where
// the system has no watch left, or lies on another machine, a folder is polled instead: then
// `polled()` says of how many that is, and poll() is to be called about once a second.
//
// It has no thread and no loop of its own, and reads no file: that is for whoever owns it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/ingest/discover/discover.hpp"
#include "weft/ingest/discover/inotify.hpp"

namespace weft::ingest {

struct Changes {
  // What is to be looked at, each once: files that were written, came or got another name; the
  // database whose log was written; the file that stands for a conversation of many.
  std::vector<Found> files{};
  // Notices were lost: anything may have changed.
  bool everything = false;

  bool empty() const { return files.empty() && !everything; }
};

// Used by one thread.
class Watcher {
 public:
  // No more than `most_watches` are asked of the system.
  explicit Watcher(std::vector<Folder> folders,
                   std::size_t most_watches = std::numeric_limits<std::size_t>::max());
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // From now on changes are noticed. What is there already is not told.
  void begin();
  // Readable when look() has something to say; -1 if all is polled.
  int descriptor() const { return inotify_.descriptor(); }
  // What changed since the last call; never waits.
  Changes look();

  std::size_t watched() const { return inotify_.watched(); }
  std::size_t polled() const;
  // What changed in polled folders since the last call: names, sizes and times are compared.
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
    std::optional<std::size_t> root{};    // of whose files it is a folder: these are told
    int depth = 0;                        // below that root
    std::optional<Found> stands_for{};    // told whatever changes here
    std::map<std::string, Stamp> seen{};  // where it is polled: how it was
  };
  // What is waited for: a root that is not there, or the folder of a conversation of many files.
  struct Awaited {
    std::filesystem::path path;
    std::optional<std::size_t> root{};
    std::optional<Found> stands_for{};
  };
  using Name = std::pair<Identity, std::string>;  // in the folder of that identity

  enum class Notify { no, yes };

  // --- watcher.cpp: what is watched -----------------------------------------------------------
  void restart();
  // The watch of a folder, or of a file, which may be there already; new ones have no reason yet.
  // Null if it cannot be watched. `or_poll`: if it can be by looking, that is fine.
  Watch* watch(const std::filesystem::path& path, const Identity& identity, std::uint32_t what,
               bool or_poll);
  // All that lies at a path below a root.
  void enter(const std::filesystem::path& path, std::size_t root, int depth, Notify tell);
  void enter_folder(const std::filesystem::path& path, const Identity& identity, std::size_t root,
                    int depth, Notify tell);
  // What belongs to a file and lies elsewhere.
  void follow(const Found& found);
  // Enters what is there, and else watches where it would come to be.
  void await(const Awaited& awaited, Notify tell);
  // The folders on the way to a path may get another name.
  void watch_above(const std::filesystem::path& path);
  // What was at a path and below is not there any more; roots among it are waited for.
  void leave(const std::filesystem::path& path);

  // --- watcher_notices.cpp: what is noticed ---------------------------------------------------
  void heed(const Notice& notice);
  // A name that is new in a folder, and one whose file was written.
  void came(const Identity& identity, const std::string& name);
  void written(const Watch& watch, const std::string& name);
  void tell(Found found);
  // What was waited for by that name is looked for again.
  void meet(const Name& name);
  void poll_one(const Identity& identity);
  std::map<std::string, Stamp> stamps_of(const Watch& watch) const;
  Changes take();

  std::vector<Folder> folders_;
  Inotify inotify_;
  std::map<Identity, Watch> watches_;
  std::map<int, Identity> by_number_;
  std::multimap<Name, Awaited> awaited_;
  std::map<std::filesystem::path, Found> told_;
};

}  // namespace weft::ingest
