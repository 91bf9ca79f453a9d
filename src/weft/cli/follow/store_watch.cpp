#include "weft/cli/follow/store_watch.hpp"

#include <poll.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"

namespace weft::cli {
namespace {

// Where the system does not report writes, the store is polled every second.
constexpr int kPollMs = 1'000;

}  // namespace

StoreWatch::StoreWatch(const Context& context, Told told)
    : context_(context), told_(std::move(told)), line_(context.err()) {}

void StoreWatch::open(const query::Library& library, int stop) {
  const std::scoped_lock held(mutex_);
  growth_.emplace(library);
  stop_ = stop;
}

// A full pipe must not keep the command from stopping.
bool StoreWatch::may_speak() const {
  std::array<pollfd, 2> ready = {
      {{.fd = stop_, .events = POLLIN, .revents = 0},
       {.fd = ::fileno(context_.out()), .events = POLLOUT, .revents = 0}}};
  while (::poll(ready.data(), ready.size(), -1) < 0) {
  }
  return ready[0].revents == 0;
}

ingest::IngestCallbacks StoreWatch::calls() {
  return {
      .on_following =
          [this](const ingest::Report& report) {
            const std::scoped_lock held(mutex_);
            line_.clear();
            if (told_.following && may_speak()) told_.following(report);
            know_what_is_there();
          },
      .on_waiting =
          [this] {
            const std::scoped_lock held(mutex_);
            if (told_.waiting && may_speak()) told_.waiting();
            know_what_is_there();
          },
      .on_polling =
          [this](std::size_t folders) {
            const std::scoped_lock held(mutex_);
            context_.note(
                count(folders, "folder") +
                " polled every second: the system has no inotify watches left "
                "(fs.inotify.max_user_watches), or the folder is on a network file system");
          },
      .on_failure =
          [this](const Error& error) {
            const std::scoped_lock held(mutex_);
            line_.clear();
            context_.note("ingest failed: " + error.message + "; it will be tried again");
          },
  };
}

std::function<void(const ingest::Progress&)> StoreWatch::progress() {
  const auto began = std::chrono::steady_clock::now();
  return [this, began](const ingest::Progress& progress) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - began);
    const std::scoped_lock held(mutex_);
    line_.show(shown(progress, elapsed.count()));
  };
}

// Growth is reported from the first of the two events on: a process that waited continues with what
// it knows.
void StoreWatch::know_what_is_there() {
  if (std::exchange(reports_growth_, true)) return;
  if (!growth_->settle()) reports_growth_ = false;
}

bool StoreWatch::look() {
  std::vector<Grown> all;
  {
    const std::scoped_lock held(mutex_);
    if (!reports_growth_) return true;
    Result<std::vector<Grown>> grown = growth_->look();
    if (grown) all = *std::move(grown);  // otherwise it is read again at the next write
  }
  for (const Grown& grown : all) {
    if (!may_speak()) return false;
    const std::scoped_lock held(mutex_);
    told_.grew(grown);
  }
  return true;
}

void StoreWatch::run() {
  ingest::StoreNotices notices(context_.home().store);
  bool looks_again = notices.descriptor() < 0;
  while (std::ferror(context_.out()) == 0) {
    std::array<pollfd, 2> ready = {{{.fd = stop_, .events = POLLIN, .revents = 0},
                                    {.fd = notices.descriptor(), .events = POLLIN, .revents = 0}}};
    const int most = notices.descriptor() < 0 ? kPollMs : 4 * ingest::kNoticeMs;
    const int many = ::poll(ready.data(), ready.size(), looks_again ? most : -1);
    if (many < 0) continue;
    if (ready[0].revents != 0) return;
    looks_again = many > 0 || notices.descriptor() < 0;
    if (many > 0 && ::poll(ready.data(), 1, ingest::kNoticeMs) > 0) return;
    notices.clear();
    if (!look()) return;
  }
}

}  // namespace weft::cli
