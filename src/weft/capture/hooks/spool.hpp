// The queue of files that hooks want ingested, and the locks of the one worker that ingests them.
//
//   hooks/<hash>      a file that has grown: its path
//   hooks/<hash>.now  a file that a worker is ingesting
//   hooks/waiting     the lock of the worker that waits for its turn
//   hooks/running     the lock of the worker that ingests
//   hook.log          the latest failures
//
// A hundred hooks within a second add a few names to the queue; they do not start a hundred
// processes: one worker runs, at most one waits, and a hook that finds one waiting leaves the work
// to it, for it has not read the queue yet. A name is queued before that check, and only the
// running worker takes names, so none is missed; the next worker takes over the names of one that
// died.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/file_lock.hpp"
#include "weft/base/result.hpp"
#include "weft/base/time.hpp"

namespace weft::capture {

class HookSpool {
 public:
  // The spool of a home. Its directory is created by the first put().
  explicit HookSpool(const std::filesystem::path& home);

  // Queues `file`. A file that is queued already is not an error.
  [[nodiscard]] Status put(const std::filesystem::path& file) const;

  // The lock of the waiting worker, which a hook passes on to the worker it starts. unavailable if
  // a worker waits already.
  Result<FileLock> try_wait() const;
  // Waits for the lock of the running worker.
  Result<FileLock> run() const;

  // The queued files, marked as being ingested.
  Result<std::vector<std::filesystem::path>> take() const;
  // Removes files that were ingested, or cannot be.
  [[nodiscard]] Status finish(const std::vector<std::filesystem::path>& files) const;

 private:
  std::filesystem::path name_of(const std::filesystem::path& file) const;
  std::filesystem::path directory_;
};

// The log of failures of detached workers: a file that stays small, without transcript text.
class HookLog {
 public:
  explicit HookLog(const std::filesystem::path& home) : path_(home / "hook.log") {}

  void failed(Millis now, std::string_view why) const;
  // Logs a success if the last line is a failure.
  void worked(Millis now) const;

  const std::filesystem::path& path() const { return path_; }
  // The last failure, with its time; empty if a worker succeeded since.
  std::optional<std::string> last_failure() const;

 private:
  void add(Millis now, std::string_view line) const;
  std::filesystem::path path_;
};

}  // namespace weft::capture
