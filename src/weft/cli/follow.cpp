#include "weft/cli/follow.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "weft/query/follower.hpp"
#include "weft/store/notices.hpp"

namespace weft::cli {
namespace {

// A commit is written before readers are let see it, and only the writing is noticed. So it is
// looked again a few times after the last notice, and then no more.
constexpr std::array<int, 3> kLookAgainMs = {20, 200, 1'000};

class Sleep {
 public:
  Sleep(const Context& context, const store::Notices& notices, const StopSignals& signals)
      : out_(::fileno(context.out())), notices_(notices), signals_(signals) {}

  // Until there may be something new. False if a signal has come, or whoever reads is gone.
  bool until_changed() {
    for (;;) {
      std::array<pollfd, 3> ready = {{{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0},
                                      {.fd = notices_.descriptor(), .events = POLLIN, .revents = 0},
                                      {.fd = out_, .events = 0, .revents = 0}}};
      const int wait = looks_ < kLookAgainMs.size() ? kLookAgainMs[looks_] : -1;
      const int events = ::poll(ready.data(), ready.size(), wait);
      if (events < 0 && errno == EINTR) continue;
      if (events < 0 || ready[0].revents != 0) return false;
      if ((ready[2].revents & (POLLERR | POLLNVAL)) != 0) return false;
      const bool is_noticed = notices_.take();
      if (!is_noticed && events > 0) continue;
      looks_ = is_noticed ? 0 : looks_ + 1;
      return true;
    }
  }

 private:
  int out_;
  const store::Notices& notices_;
  const StopSignals& signals_;
  std::size_t looks_ = 0;  // how often it was looked since the last notice
};

}  // namespace

StopSignals::StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

StopSignals::~StopSignals() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Answer follow(const Context& context, const query::Library& library, const std::string& name,
              const query::EntriesOptions& wanted, const StopSignals& signals,
              const std::function<void(const transcript::TranscriptEntry&)>& print) {
  // Before the first look, so that nothing falls between that and the first sleep.
  Result<store::Notices> notices = store::Notices::open(context.home().store);
  if (!notices) return refuse(std::move(notices).error());
  Sleep sleep(context, *notices, signals);
  Asked<store::ConversationRow> row = conversation_called(library, name);
  for (bool is_told = false; !row; row = conversation_called(library, name)) {
    if (row.error().error.code != ErrorCode::not_found) return refuse(std::move(row));
    if (!is_told) context.note("there is no such conversation yet; waiting for it");
    is_told = true;
    if (!sleep.until_changed()) return Exit::done;
  }
  query::Follower follower(library, *row, wanted);
  for (;;) {
    Result<std::vector<transcript::TranscriptEntry>> entries = follower.next();
    if (!entries) return refuse(std::move(entries).error());
    for (const transcript::TranscriptEntry& entry : *entries) print(entry);
    if (std::fflush(context.out()) != 0) return Exit::done;  // nobody reads
    if (!sleep.until_changed()) return Exit::done;
  }
}

}  // namespace weft::cli
