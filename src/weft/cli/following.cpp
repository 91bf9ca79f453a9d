#include "weft/cli/following.hpp"

#include <poll.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "weft/cli/figures.hpp"
#include "weft/cli/where.hpp"

namespace weft::cli {
namespace {

// Where the system does not tell of writing, one looks every second.
constexpr int kPollMs = 1'000;

}  // namespace

Following::Following(const Context& context, Told told)
    : context_(context), told_(std::move(told)), line_(context.err()) {}

void Following::open(const query::Library& library) {
  const std::scoped_lock held(mutex_);
  growth_.emplace(library);
}

ingest::KeeperCalls Following::calls() {
  return {
      .on_following =
          [this](const ingest::Report& report) {
            const std::scoped_lock held(mutex_);
            line_.clear();
            if (told_.following) told_.following(report);
            know_what_is_there();
          },
      .on_waiting =
          [this] {
            const std::scoped_lock held(mutex_);
            if (told_.waiting) told_.waiting();
            know_what_is_there();
          },
      .on_polling =
          [this](std::size_t folders) {
            const std::scoped_lock held(mutex_);
            context_.note(
                count(folders, "folder") +
                " looked at every second: the system has no watches left "
                "(fs.inotify.max_user_watches), or what is there lies on another machine");
          },
      .on_failure =
          [this](const Error& error) {
            const std::scoped_lock held(mutex_);
            line_.clear();
            context_.note("what is new could not be taken in: " + error.message +
                          "; it is tried again");
          },
  };
}

std::function<void(const ingest::Progress&)> Following::progress() {
  const auto began = std::chrono::steady_clock::now();
  return [this, began](const ingest::Progress& progress) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - began);
    const std::scoped_lock held(mutex_);
    line_.show(shown(progress, elapsed.count()));
  };
}

// From the first of the two on growth is told: one that waited goes on with what it knows.
void Following::know_what_is_there() {
  if (std::exchange(tells_growth_, true)) return;
  if (!growth_->settle()) tells_growth_ = false;
}

void Following::look() {
  const std::scoped_lock held(mutex_);
  if (!tells_growth_) return;
  const Result<std::vector<Grown>> grown = growth_->look();
  if (!grown) return;  // it is looked again when more is written
  for (const Grown& one : *grown) told_.grew(one);
}

void Following::run(int stop) {
  ingest::StoreNotices notices(context_.home().store);
  bool looks_again = notices.descriptor() < 0;
  while (std::ferror(context_.out()) == 0) {
    std::array<pollfd, 2> ready = {{{.fd = stop, .events = POLLIN, .revents = 0},
                                    {.fd = notices.descriptor(), .events = POLLIN, .revents = 0}}};
    const int most = notices.descriptor() < 0 ? kPollMs : 4 * ingest::kNoticeMs;
    const int many = ::poll(ready.data(), ready.size(), looks_again ? most : -1);
    if (many < 0) continue;
    if (ready[0].revents != 0) return;
    looks_again = many > 0 || notices.descriptor() < 0;
    if (many > 0 && ::poll(ready.data(), 1, ingest::kNoticeMs) > 0) return;
    notices.clear();
    look();
  }
}

}  // namespace weft::cli
