#include "weft/base/inotify.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace weft {
namespace {

ErrorCode code_of(int error) {
  if (error == ENOENT || error == ENOTDIR) return ErrorCode::not_found;
  if (error == EACCES) return ErrorCode::denied;
  return ErrorCode::unavailable;
}

}  // namespace

Inotify::Inotify(std::size_t most)
    : descriptor_(most == 0 ? -1 : ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), most_(most) {}

Inotify::~Inotify() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<int> Inotify::add(const std::filesystem::path& path, std::uint32_t what) {
  if (descriptor_ < 0) return fail(ErrorCode::unavailable, "the system gives no notices");
  const int watch = ::inotify_add_watch(descriptor_, path.c_str(), what | IN_MASK_ADD);
  if (watch < 0) {
    const int error = errno;
    return fail(code_of(error), std::strerror(error));  // NOLINT(concurrency-mt-unsafe)
  }
  if (watches_.contains(watch)) return watch;
  if (watches_.size() >= most_) {
    ::inotify_rm_watch(descriptor_, watch);
    return fail(ErrorCode::unavailable, "the limit of watches is reached");
  }
  watches_.insert(watch);
  return watch;
}

void Inotify::remove(int watch) {
  if (watches_.erase(watch) > 0) ::inotify_rm_watch(descriptor_, watch);
}

std::vector<Notice> Inotify::read() {
  std::vector<Notice> notices;
  if (descriptor_ < 0) return notices;
  alignas(inotify_event) std::array<char, 64u << 10> bytes{};
  for (;;) {
    const ssize_t size = ::read(descriptor_, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return notices;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, bytes.data() + at, sizeof event);
      const char* name = bytes.data() + at + sizeof event;
      // The name is padded with NULs.
      notices.push_back({event.wd, event.mask, std::string(name, ::strnlen(name, event.len))});
      if (notices.back().is(IN_IGNORED)) watches_.erase(event.wd);
      at += sizeof event + event.len;
    }
  }
}

}  // namespace weft
