#include "weft/cli/follow/commit_sleep.hpp"

#include <poll.h>

#include <array>
#include <cerrno>

namespace weft::cli {
namespace {

// A commit is written before readers can see it, and only the writing is noticed. So the store is
// checked again a few times after the last notice.
constexpr std::array<int, 3> kLookAgainMs = {20, 200, 1'000};

}  // namespace

bool CommitSleep::until_changed() {
  for (;;) {
    std::array<pollfd, 3> ready = {{{.fd = stop_, .events = POLLIN, .revents = 0},
                                    {.fd = commits_->descriptor(), .events = POLLIN, .revents = 0},
                                    {.fd = out_, .events = 0, .revents = 0}}};
    const int rest = commits_->descriptor() < 0 ? store::kChangePollMs : -1;
    const int wait = looks_ < kLookAgainMs.size() ? kLookAgainMs[looks_] : rest;
    const int events = ::poll(ready.data(), ready.size(), wait);
    if (events < 0 && errno == EINTR) continue;
    if (events < 0 || ready[0].revents != 0) return false;
    if ((ready[2].revents & (POLLERR | POLLNVAL)) != 0) return false;
    looks_ = ready[1].revents != 0 ? 0 : looks_ + 1;
    commits_->clear();
    return true;
  }
}

}  // namespace weft::cli
