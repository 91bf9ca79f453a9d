#include "weft/mcp/answers/change_notifier.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <map>
#include <thread>

#include "weft/mcp/protocol/uri.hpp"

namespace weft::mcp {
namespace {

// The conversation that a URI names; empty if it names none.
std::optional<std::string> conversation_in(std::string_view uri) {
  for (const std::string_view form : {"weft://conversation/{cid}", "weft://transcript/{cid}"}) {
    if (auto value = match_uri(form, uri)) return value;
  }
  return std::nullopt;
}

}  // namespace

struct Changes::Parts {
  Server& server;
  const ServerContext& context;
  std::unique_ptr<store::Changes> commits;
  int wake = -1;
  std::map<std::string, std::uint64_t>
      sizes{};  // the thought counts of the subscribed conversations
  std::uint64_t conversations = 0;
  bool is_counted = false;
  std::thread thread{};

  void run();
  void look();
};

void Changes::Parts::look() {
  std::vector<std::string> grown;
  std::map<std::string, std::uint64_t> now;
  for (const std::string& uri : server.subscribed()) {
    const std::optional<std::string> name = conversation_in(uri);
    if (!name) continue;
    const auto row = query::resolve_conversation(context.library(), *name);
    if (!row) continue;
    now[uri] = row->thought_count;
    const auto before = sizes.find(uri);
    if (before == sizes.end() || before->second != row->thought_count) grown.push_back(uri);
  }
  sizes = std::move(now);
  if (!grown.empty()) server.notify_changed(grown);
  if (!server.is_awaited(ListKind::resources)) {
    is_counted = false;
    return;
  }
  const auto rows = context.store.conversations({});
  if (!rows) return;
  const bool has_changed = !is_counted || rows->size() != conversations;
  conversations = rows->size();
  is_counted = true;
  if (has_changed) server.notify_changed(ListKind::resources);
}

void Changes::Parts::run() {
  bool looks_again = false;
  for (;;) {
    std::array<pollfd, 2> ready = {{{.fd = wake, .events = POLLIN, .revents = 0},
                                    {.fd = commits->descriptor(), .events = POLLIN, .revents = 0}}};
    const int many =
        ::poll(ready.data(), ready.size(), looks_again ? 4 * store::kChangeDelayMs : -1);
    if (many < 0) continue;
    if (ready[0].revents != 0) return;
    looks_again = many > 0;
    // Several writes in a row are reported once.
    if (looks_again && ::poll(ready.data(), 1, store::kChangeDelayMs) > 0) return;
    commits->clear();
    look();
  }
}

Changes::Changes(Server& server, const ServerContext& context)
    : parts_(new Parts{server, context, context.store.changes()}) {
  parts_->wake = ::eventfd(0, EFD_CLOEXEC);
  const bool is_watching = parts_->commits->descriptor() >= 0 && parts_->wake >= 0;
  if (is_watching) parts_->thread = std::thread([parts = parts_.get()] { parts->run(); });
}

Changes::~Changes() {
  if (parts_->thread.joinable()) {
    const std::uint64_t one = 1;
    while (::write(parts_->wake, &one, sizeof one) < 0 && errno == EINTR) {
    }
    parts_->thread.join();
  }
  if (parts_->wake >= 0) ::close(parts_->wake);
}

}  // namespace weft::mcp
