// Files that hooks want to have taken in, and the one worker that does it.
//
//   hooks/<hash>      a file that has grown: its path
//   hooks/<hash>.now  one that a worker is at
//   hooks/waiting     held by the worker that waits for its turn
//   hooks/running     held by the worker that takes in
//   hook.log          what went wrong, the end of it
//
// A hundred hooks in a second put down a few names and start no hundred processes: one worker runs,
// at most one waits, and whoever comes while one waits leaves the work to it, for it has not yet
// looked at what is to be done. A name is put down before that is asked, and taken up only by who
// runs, so nothing is missed; one that a worker died at is taken up by the next.
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
  // The home's; its directory is made when something is put down.
  explicit HookSpool(const std::filesystem::path& home);

  // Wants `file` to be taken in. Again is not an error.
  [[nodiscard]] Status put(const std::filesystem::path& file) const;

  // The right to wait, which whoever starts a worker hands down to it; unavailable if there is one
  // who waits already.
  Result<FileLock> try_wait() const;
  // Waits for the right to take in.
  Result<FileLock> run() const;

  // What there is to do; from now on it is being done.
  Result<std::vector<std::filesystem::path>> take() const;
  // It is done, or cannot be.
  [[nodiscard]] Status finish(const std::vector<std::filesystem::path>& files) const;

 private:
  std::filesystem::path name_of(const std::filesystem::path& file) const;
  std::filesystem::path directory_;
};

// Where failures are told that nobody is there to hear: a file that stays small. Lines hold no
// transcript text.
class HookLog {
 public:
  explicit HookLog(const std::filesystem::path& home) : path_(home / "hook.log") {}

  void failed(Millis now, std::string_view why) const;
  // Says so if the last thing said was a failure.
  void worked(Millis now) const;

  const std::filesystem::path& path() const { return path_; }
  // The last failure, with its time, unless it has worked since.
  std::optional<std::string> last_failure() const;

 private:
  void add(Millis now, std::string_view line) const;
  std::filesystem::path path_;
};

}  // namespace weft::capture
