#include "weft/store/notices.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace weft::store {

Result<Notices> Notices::open(const std::filesystem::path& store) {
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::canonical(store, failed);
  if (failed) return fail(ErrorCode::not_found, store.string() + ": " + failed.message());
  Notices notices(file.filename().string(), ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  // The folder, for the log beside the store is made anew now and then.
  const bool is_watching = notices.descriptor_ >= 0 &&
                           ::inotify_add_watch(notices.descriptor_, file.parent_path().c_str(),
                                               IN_MODIFY | IN_CREATE | IN_MOVED_TO) >= 0;
  if (is_watching) return notices;
  return fail(ErrorCode::unavailable,
              "watching " + file.string() + ": " + std::generic_category().message(errno));
}

Notices::~Notices() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool Notices::take() const {
  alignas(inotify_event) std::array<char, 16u << 10> buffer{};
  bool is_written = false;
  for (;;) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got <= 0) return is_written;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = buffer.data() + at + sizeof event;
      // Beside the store itself lie its log, and the log's index, which readers write, too.
      const std::string_view told = event.len > 0 ? std::string_view(name) : std::string_view();
      is_written = is_written || (event.mask & IN_Q_OVERFLOW) != 0 || told == names_ ||
                   told == names_ + "-wal";
      at += sizeof event + event.len;
    }
  }
}

}  // namespace weft::store
