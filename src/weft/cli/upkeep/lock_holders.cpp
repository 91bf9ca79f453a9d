#include "weft/cli/upkeep/lock_holders.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

namespace weft::cli {
namespace {

constexpr std::size_t kMaxCommandBytes = 60;

// One line of /proc/locks: "3: POSIX ADVISORY WRITE 4711 fe:01:131207 120 120". A line with an
// arrow is a process that waits.
struct Line {
  pid_t pid = 0;
  bool is_exclusive = false;
  unsigned major = 0, minor = 0;
  std::uint64_t inode = 0, first = 0;
};

std::optional<Line> parse_line(const std::string& text) {
  std::istringstream words(text);
  std::string number, kind, advisory, access, place;
  long pid = 0;
  Line line;
  if (!(words >> number >> kind) || kind == "->") return std::nullopt;
  if (!(words >> advisory >> access >> pid >> place >> line.first)) return std::nullopt;
  unsigned long long inode = 0;
  if (std::sscanf(place.c_str(), "%x:%x:%llu", &line.major, &line.minor, &inode) != 3) {
    return std::nullopt;
  }
  line.inode = inode;
  line.pid = static_cast<pid_t>(pid);
  line.is_exclusive = access == "WRITE";
  return line;
}

std::string command_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string text;
  for (std::string word; std::getline(file, word, '\0');) {
    // The program by its name alone, as a person types it.
    if (text.empty()) word = std::filesystem::path(word).filename().string();
    text += (text.empty() ? "" : " ") + word;
  }
  if (text.size() > kMaxCommandBytes) text = text.substr(0, kMaxCommandBytes) + "…";
  return text;
}

// File systems that span devices (btrfs, overlay) report another device here than stat does. Then
// the process must have the file open.
bool has_open(pid_t pid, const struct stat& file) {
  std::error_code failed;
  const std::filesystem::path folder = "/proc/" + std::to_string(pid) + "/fd";
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    struct stat info{};
    if (::stat(entry.path().c_str(), &info) == 0 && info.st_ino == file.st_ino &&
        info.st_dev == file.st_dev) {
      return true;
    }
  }
  return false;
}

// `first` is the first byte of the lock; empty for any.
std::vector<LockHolder> holders_at(const std::filesystem::path& path,
                                   std::optional<std::uint64_t> first) {
  std::vector<LockHolder> holders;
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return holders;
  std::ifstream locks("/proc/locks");
  for (std::string text; std::getline(locks, text);) {
    const std::optional<Line> line = parse_line(text);
    if (!line || !line->is_exclusive || line->inode != file.st_ino) continue;
    if (line->pid <= 0 || line->pid == ::getpid()) continue;
    if (first && line->first != *first) continue;
    const bool is_same = line->major == major(file.st_dev) && line->minor == minor(file.st_dev);
    if (!is_same && !has_open(line->pid, file)) continue;
    if (std::ranges::find(holders, line->pid, &LockHolder::pid) == holders.end()) {
      holders.push_back({.pid = line->pid, .command = command_of(line->pid)});
    }
  }
  return holders;
}

}  // namespace

std::vector<LockHolder> lock_holders(const std::filesystem::path& path) {
  return holders_at(path, std::nullopt);
}

std::vector<LockHolder> store_writers(const store::StoreUrl& store) {
  for (const store::StoreUrl::WriteLock& lock : store.write_locks()) {
    std::vector<LockHolder> holders = holders_at(lock.file, lock.byte);
    if (!holders.empty()) return holders;
  }
  return {};
}

std::string described(const std::vector<LockHolder>& holders) {
  std::string text;
  for (const LockHolder& holder : holders) {
    if (!text.empty()) text += " and ";
    text += "process " + std::to_string(holder.pid);
    if (!holder.command.empty()) text += " (" + holder.command + ")";
  }
  return text;
}

}  // namespace weft::cli
