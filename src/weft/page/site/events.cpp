#include "weft/page/site/events.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <list>
#include <mutex>
#include <thread>

#include "weft/base/json.hpp"

namespace weft::page {
namespace {

std::string to_event(std::string_view name, const std::optional<Cid>& checkpoint,
                     const json::object& data) {
  const std::string id = checkpoint ? fmt::format("id: {}\n", checkpoint->str()) : std::string();
  return fmt::format("event: {}\n{}data: {}\n\n", name, id, canonical_json(data));
}

// One open stream.
struct Stream final : net::SiteQuestion {
  std::mutex mutex;
  std::shared_ptr<net::SiteOutlet> outlet;  // guarded by mutex; null once cancelled
  std::optional<Cid> checkpoint;            // guarded by mutex: everything up to it was told
  bool is_greeted = false;                  // guarded by mutex

  void cancel() override {
    const std::lock_guard lock(mutex);
    outlet = nullptr;
  }
};

}  // namespace

struct Events::Parts {
  const store::Store& store;
  std::unique_ptr<store::Changes> commits = store.changes();
  int wake = ::eventfd(0, EFD_CLOEXEC);
  std::mutex mutex{};
  std::list<std::shared_ptr<Stream>> streams{};  // guarded by mutex
  bool is_ending = false;                        // guarded by mutex
  std::thread thread{};

  void run();
  bool tell_all();  // false once it is to end
  Status tell(Stream& stream) const;
  Status greet(Stream& stream) const;
  void look() const {
    const std::uint64_t one = 1;
    while (::write(wake, &one, sizeof one) < 0 && errno == EINTR) {
    }
  }
};

// The first event of a stream. A checkpoint that the store does not know is one of another store,
// or was forgotten: the page then asks for everything again, as it does at first.
Status Events::Parts::greet(Stream& stream) const {
  auto newest = store.changes_since(stream.checkpoint);
  const bool resumes = newest && stream.checkpoint;
  if (!newest) newest = store.changes_since({});
  if (!newest) return fail(newest.error());
  if (!resumes) stream.checkpoint = newest->checkpoint;
  stream.outlet->send(to_event("hello", stream.checkpoint, {{"resumed", resumes}}));
  stream.is_greeted = true;
  return {};
}

Status Events::Parts::tell(Stream& stream) const {
  const std::lock_guard lock(stream.mutex);
  if (stream.outlet == nullptr) return {};
  if (!stream.is_greeted) {
    if (Status greeted = greet(stream); !greeted) return greeted;
  }
  const auto changes = store.changes_since(stream.checkpoint);
  if (!changes && changes.error().code != ErrorCode::not_found) return fail(changes.error());
  if (!changes || changes->forgot) {
    const auto newest = store.changes_since({});
    if (newest) stream.checkpoint = newest->checkpoint;
    stream.outlet->send(to_event("gone", stream.checkpoint, {}));
  } else {
    std::string told;
    for (const Cid& cid : changes->conversations) {
      const auto row = store.conversation(cid);
      if (!row) continue;  // forgotten meanwhile
      const bool is_last = &cid == &changes->conversations.back();
      told += to_event("grown", is_last ? changes->checkpoint : std::nullopt,
                       {{"conversation", cid.str()}, {"blocks", row->block_count}});
    }
    if (!told.empty()) stream.outlet->send(std::move(told));
    stream.checkpoint = changes->checkpoint;
  }
  return {};
}

bool Events::Parts::tell_all() {
  std::list<std::shared_ptr<Stream>> open;
  {
    const std::lock_guard lock(mutex);
    if (is_ending) return false;
    std::erase_if(streams, [](const std::shared_ptr<Stream>& stream) {
      const std::lock_guard one(stream->mutex);
      return stream->outlet == nullptr;
    });
    open = streams;
  }
  // A stream that cannot be served now is served after the next commit.
  for (const auto& stream : open) std::ignore = tell(*stream);
  return true;
}

void Events::Parts::run() {
  bool looks_again = false;
  const int watched = commits->descriptor();
  for (;;) {
    std::array<pollfd, 2> ready = {{{.fd = wake, .events = POLLIN, .revents = 0},
                                    {.fd = watched, .events = POLLIN, .revents = 0}}};
    const int idle = watched < 0 ? store::kChangePollMs : -1;
    const int many =
        ::poll(ready.data(), ready.size(), looks_again ? 4 * store::kChangeDelayMs : idle);
    if (many < 0) continue;
    const bool is_asked = ready[0].revents != 0;  // a stream was opened, or this ends
    if (is_asked) {
      std::uint64_t times = 0;
      while (::read(wake, &times, sizeof times) < 0 && errno == EINTR) {
      }
    }
    looks_again = ready[1].revents != 0;
    // Waits a moment, so that several commits in a row become one event.
    if (looks_again && !is_asked) ::poll(ready.data(), 1, store::kChangeDelayMs);
    commits->clear();
    if (!tell_all()) return;
  }
}

Events::Events(const store::Store& store) : parts_(new Parts{store}) {
  if (parts_->wake >= 0) parts_->thread = std::thread([parts = parts_.get()] { parts->run(); });
}

Events::~Events() {
  end();
  if (parts_->thread.joinable()) {
    {
      const std::lock_guard lock(parts_->mutex);
      parts_->is_ending = true;
    }
    parts_->look();
    parts_->thread.join();
  }
  if (parts_->wake >= 0) ::close(parts_->wake);
}

std::shared_ptr<net::SiteQuestion> Events::follow(std::optional<Cid> since,
                                                  std::shared_ptr<net::SiteOutlet> outlet) {
  auto stream = std::make_shared<Stream>();
  stream->outlet = std::move(outlet);
  stream->checkpoint = since;
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->streams.push_back(stream);
  }
  parts_->look();
  return stream;
}

void Events::end() {
  const std::lock_guard lock(parts_->mutex);
  for (const auto& stream : parts_->streams) {
    const std::lock_guard one(stream->mutex);
    if (stream->outlet != nullptr) stream->outlet->respond({});
    stream->outlet = nullptr;
  }
  parts_->streams.clear();
}

}  // namespace weft::page
