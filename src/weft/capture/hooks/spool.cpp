#include "weft/capture/hooks/spool.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/base/posix.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPathBytes = 4096;
constexpr std::size_t kMaxLogBytes = 64u << 10;
constexpr std::size_t kMaxLineBytes = 500;
constexpr std::string_view kAtWork = ".now";
constexpr std::string_view kWorked = "taken in again";

std::unexpected<Error> failed_at(std::string_view doing, const fs::path& path) {
  return fail(errno_error(errno, doing, path));
}

bool is_hash(std::string_view name) {
  return name.size() == 64 && std::ranges::all_of(name, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

HookSpool::HookSpool(const fs::path& home) : directory_(home / "hooks") {}

fs::path HookSpool::name_of(const fs::path& file) const {
  return directory_ / to_hex(crypto::blake3(file.native()));
}

Status HookSpool::put(const fs::path& file) const {
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed_at("making", directory_);
  }
  return write_file_quickly(name_of(file), file.native());
}

Result<FileLock> HookSpool::try_wait() const {
  return FileLock::try_acquire(directory_ / "waiting");
}

Result<FileLock> HookSpool::run() const { return FileLock::acquire(directory_ / "running"); }

Result<std::vector<fs::path>> HookSpool::take() const {
  std::vector<fs::path> files;
  std::error_code failed;
  std::vector<fs::path> names;
  for (fs::directory_iterator at(directory_, failed), end; !failed && at != end;
       at.increment(failed)) {
    names.push_back(at->path());
  }
  if (failed) return fail(ErrorCode::unavailable, directory_.string() + ": " + failed.message());
  std::ranges::sort(names);
  for (const fs::path& name : names) {
    const bool is_left = name.extension() == kAtWork;  // by a worker that died
    if (!is_hash(is_left ? name.stem().native() : name.filename().native())) continue;
    fs::path at_work = name;
    if (!is_left) {
      at_work += kAtWork;
      if (::rename(name.c_str(), at_work.c_str()) != 0) continue;
    }
    const Result<std::string> path = read_file(at_work, kMaxPathBytes);
    if (!path || path->empty()) {
      ::unlink(at_work.c_str());
      continue;
    }
    if (std::ranges::find(files, fs::path(*path)) == files.end()) files.emplace_back(*path);
  }
  return files;
}

Status HookSpool::finish(const std::vector<fs::path>& files) const {
  for (const fs::path& file : files) {
    fs::path at_work = name_of(file);
    at_work += kAtWork;
    if (::unlink(at_work.c_str()) != 0 && errno != ENOENT) return failed_at("removing", at_work);
  }
  return {};
}

void HookLog::add(Millis now, std::string_view line) const {
  std::string text = read_file(path_, 2 * kMaxLogBytes).value_or("");
  std::string logged(line.substr(0, kMaxLineBytes));
  std::ranges::replace_if(logged, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  text += to_iso8601(now) + " " + logged + "\n";
  if (text.size() > kMaxLogBytes) {
    const std::size_t cut = text.find('\n', text.size() - kMaxLogBytes / 2);
    text.erase(0, cut == std::string::npos ? 0 : cut + 1);
  }
  std::ignore = write_file_quickly(path_, text);
}

void HookLog::failed(Millis now, std::string_view why) const { add(now, why); }

void HookLog::worked(Millis now) const {
  if (last_failure()) add(now, kWorked);
}

std::optional<std::string> HookLog::last_failure() const {
  const Result<std::string> text = read_file(path_, 2 * kMaxLogBytes);
  if (!text || text->empty()) return std::nullopt;
  std::string_view lines = *text;
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  const std::size_t begin = lines.rfind('\n');
  const std::string_view last = begin == std::string_view::npos ? lines : lines.substr(begin + 1);
  if (last.ends_with(kWorked)) return std::nullopt;
  return std::string(last);
}

}  // namespace weft::capture
