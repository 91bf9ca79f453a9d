#include "weft/cli/follow/print_live_session.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "weft/query/transcript/follower.hpp"

namespace weft::cli {
namespace {

// A commit is written before readers can see it, and only the writing is noticed. So the store is
// checked again a few times after the last notice.
constexpr std::array<int, 3> kLookAgainMs = {20, 200, 1'000};

class Sleep {
 public:
  Sleep(const Context& context, const store::Store& store, int stop)
      : out_(::fileno(context.out())), commits_(store.changes()), stop_(stop) {}

  // Until there may be something new. False if it is to stop, or the reader of stdout is gone.
  bool until_changed() {
    for (;;) {
      std::array<pollfd, 3> ready = {
          {{.fd = stop_, .events = POLLIN, .revents = 0},
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

 private:
  int out_;
  std::unique_ptr<store::Changes> commits_;
  int stop_;
  std::size_t looks_ = 0;  // number of checks since the last notice
};

}  // namespace

Answer follow(const Context& context, const Opened& opened, const std::string& name,
              const query::EntriesOptions& wanted, int stop,
              const std::function<void(const transcript::TranscriptEntry&)>& print) {
  // Created before the first read, so that nothing is missed between that and the first sleep.
  Sleep sleep(context, *opened.store, stop);
  const query::Library library = opened.library();
  Outcome<store::ConversationRow> row = conversation_called(library, name);
  for (bool is_reported = false; !row; row = conversation_called(library, name)) {
    if (row.error().error.code != ErrorCode::not_found) return refuse(std::move(row));
    if (!is_reported) context.note("no such conversation yet; waiting for it");
    is_reported = true;
    if (!sleep.until_changed()) return Exit::done;
  }
  query::Follower follower(library, *row, wanted);
  for (;;) {
    Result<std::vector<transcript::TranscriptEntry>> entries = follower.next();
    if (!entries) return refuse(std::move(entries).error());
    for (const transcript::TranscriptEntry& entry : *entries) print(entry);
    if (std::fflush(context.out()) != 0) return Exit::done;  // the reader is gone
    if (!sleep.until_changed()) return Exit::done;
  }
}

}  // namespace weft::cli
