#include "weft/cli/follow/store_watch.hpp"

#include <poll.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"

namespace weft::cli {
StoreWatch::StoreWatch(const Context& context, Callbacks callbacks)
    : context_(context), callbacks_(std::move(callbacks)), line_(context.err()) {}

void StoreWatch::open(const store::Store& store, const query::Library& library, int stop) {
  const std::scoped_lock lock(mutex_);
  store_ = &store;
  changes_.emplace(library);
  stop_ = stop;
}

// A full pipe must not keep the command from stopping.
bool StoreWatch::wait_for_output() const {
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
            const std::scoped_lock lock(mutex_);
            line_.clear();
            if (callbacks_.following && wait_for_output()) callbacks_.following(report);
            record_present_state();
          },
      .on_waiting =
          [this] {
            const std::scoped_lock lock(mutex_);
            if (callbacks_.waiting && wait_for_output()) callbacks_.waiting();
            record_present_state();
          },
      .on_polling =
          [this](std::size_t folders) {
            const std::scoped_lock lock(mutex_);
            context_.note(
                count(folders, "folder") +
                " polled every second: the system has no inotify watches left "
                "(fs.inotify.max_user_watches), or the folder is on a network file system");
          },
      .on_failure =
          [this](const Error& error) {
            const std::scoped_lock lock(mutex_);
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
    const std::scoped_lock lock(mutex_);
    line_.show(shown(progress, elapsed.count()));
  };
}

// Growth is reported from the first of the two events on: a process that waited continues with what
// it knows.
void StoreWatch::record_present_state() {
  if (std::exchange(reports_growth_, true)) return;
  if (!changes_->skip()) reports_growth_ = false;
}

bool StoreWatch::look() {
  std::vector<query::GrownConversation> all;
  {
    const std::scoped_lock lock(mutex_);
    if (!reports_growth_) return true;
    Result<std::vector<query::GrownConversation>> grown = changes_->next();
    if (grown) all = *std::move(grown);  // otherwise it is read again at the next write
  }
  for (const query::GrownConversation& grown : all) {
    if (!wait_for_output()) return false;
    const std::scoped_lock lock(mutex_);
    callbacks_.grew(grown);
  }
  return true;
}

void StoreWatch::run() {
  const std::unique_ptr<store::Changes> commits = store_->changes();
  bool looks_again = commits->descriptor() < 0;
  while (std::ferror(context_.out()) == 0) {
    std::array<pollfd, 2> ready = {{{.fd = stop_, .events = POLLIN, .revents = 0},
                                    {.fd = commits->descriptor(), .events = POLLIN, .revents = 0}}};
    const int most = commits->descriptor() < 0 ? store::kChangePollMs : 4 * store::kChangeDelayMs;
    const int many = ::poll(ready.data(), ready.size(), looks_again ? most : -1);
    if (many < 0) continue;
    if (ready[0].revents != 0) return;
    looks_again = many > 0 || commits->descriptor() < 0;
    if (many > 0 && ::poll(ready.data(), 1, store::kChangeDelayMs) > 0) return;
    commits->clear();
    if (!look()) return;
  }
}

}  // namespace weft::cli
