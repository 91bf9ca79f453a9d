#include "weft/capture/proxy/journal_weaver.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "weft/base/json.hpp"

namespace weft::capture {
namespace {

using namespace std::chrono_literals;
// After a failure, and longer after each that follows.
constexpr std::chrono::milliseconds kFirstPause = 500ms, kLongestPause = 30s;

}  // namespace

struct JournalWeaver::Parts {
  enum class Done { yes, try_again };

  Done weave(const JournalEntry& entry) {
    const Result<RecordedExchange> recorded = entry.read();
    if (!recorded) {
      note("an exchange in the journal cannot be read, and is left there: " +
           recorded.error().message);
      return Done::yes;
    }
    if (recorded->method.empty()) {  // ended before anything was written
      entry.remove();
      return Done::yes;
    }
    // Whoever has no key may not have words recorded as the user's.
    if (recorded->status == 401 || recorded->status == 403) {
      note("an exchange is not recorded: the upstream refused it with " +
           std::to_string(recorded->status));
      entry.remove();
      return Done::yes;
    }
    const Result<LoggedExchange> logged = to_log(*recorded);
    if (!logged) {
      note("an exchange is not recorded: " + logged.error().message);
      entry.remove();
      return Done::yes;
    }
    const Result<WeaveOutcome> woven = weaver.weave(*logged);
    if (!woven) {
      note("an exchange is not woven yet, and waits in the journal: " + woven.error().message);
      return Done::try_again;
    }
    if (*woven == WeaveOutcome::forgotten) {
      note("an exchange is not recorded: its conversation was forgotten");
    }
    entry.remove();
    return Done::yes;
  }

  void run(const std::stop_token& stop) {
    std::chrono::milliseconds pause = kFirstPause;
    std::unique_lock lock(mutex);
    while (true) {
      if (waiting.empty()) {
        if (!changed.wait(lock, stop, [&] { return !waiting.empty(); })) return;
      }
      std::unique_ptr<JournalEntry> entry = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      const Done done = weave(*entry);
      lock.lock();
      if (done == Done::yes) {
        pause = kFirstPause;
        continue;
      }
      if (stop.stop_requested()) continue;   // it stays in the journal
      waiting.push_front(std::move(entry));  // in order
      changed.wait_for(lock, stop, pause, [] { return false; });
      pause = std::min(2 * pause, kLongestPause);
    }
  }

  ExchangeWeaver& weaver;
  Note note;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<std::unique_ptr<JournalEntry>> waiting;  // guarded by mutex
  std::jthread thread;
};

JournalWeaver::JournalWeaver(ExchangeWeaver& weaver, const Journal& journal, Note note)
    : parts_(new Parts{.weaver = weaver, .note = std::move(note)}) {
  Result<std::vector<std::unique_ptr<JournalEntry>>> orphans = journal.orphans();
  if (!orphans) {
    parts_->note(orphans.error().message);
  } else {
    for (std::unique_ptr<JournalEntry>& orphan : *orphans) {
      if (parts_->weave(*orphan) == Parts::Done::try_again) {
        parts_->waiting.push_back(std::move(orphan));
      }
    }
  }
  parts_->thread =
      std::jthread([parts = parts_.get()](const std::stop_token& stop) { parts->run(stop); });
}

JournalWeaver::~JournalWeaver() {
  parts_->thread.request_stop();
  parts_->thread.join();
}

void JournalWeaver::take(std::unique_ptr<JournalEntry> entry) {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->waiting.push_back(std::move(entry));
  }
  parts_->changed.notify_one();
}

namespace {

std::string text_of(const net::MessageHead& head, std::string_view name) {
  return std::string(head.find(name).value_or(""));
}

class JournalListener final : public ExchangeListener {
 public:
  JournalListener(std::unique_ptr<JournalEntry> entry, JournalWeaver& journal_weaver,
                  std::function<Millis()> clock, Note note)
      : entry_(std::move(entry)),
        journal_weaver_(journal_weaver),
        clock_(std::move(clock)),
        note_(std::move(note)) {}

  void ask(const net::MessageHead& request) {
    const json::object said{{"method", request.method()},
                            // What stands behind it may be a secret.
                            {"target", request.target().substr(0, request.target().find('?'))},
                            {"content_type", text_of(request, "content-type")},
                            {"content_encoding", text_of(request, "content-encoding")}};
    add(FrameKind::asked, canonical_json(said));
  }
  void request_body(std::string_view bytes) override { add(FrameKind::request_body, bytes); }
  void request_end() override { add(FrameKind::request_end, {}); }
  void response_head(const net::MessageHead& head) override {
    std::string id = text_of(head, "request-id");
    if (id.empty()) id = text_of(head, "x-request-id");
    const json::object said{{"status", head.status()},
                            {"content_type", text_of(head, "content-type")},
                            {"content_encoding", text_of(head, "content-encoding")},
                            {"request_id", id}};
    add(FrameKind::answered, canonical_json(said));
  }
  void response_body(std::string_view bytes) override { add(FrameKind::response_body, bytes); }
  void end(How how) override {
    const char byte = static_cast<char>(how);
    add(FrameKind::end, {&byte, 1});
    if (!entry_->is_lost()) journal_weaver_.take(std::move(entry_));
  }

 private:
  void add(FrameKind kind, std::string_view bytes) {
    if (entry_->is_lost()) return;
    entry_->add(kind, clock_(), bytes);
    if (entry_->is_lost()) {
      note_(
          "an exchange goes through unrecorded: the journal cannot be written (is the disk full?)");
    }
  }

  std::unique_ptr<JournalEntry> entry_;
  JournalWeaver& journal_weaver_;
  std::function<Millis()> clock_;
  Note note_;
};

}  // namespace

std::unique_ptr<ExchangeListener> open_listener(const net::MessageHead& request,
                                                const Journal& journal,
                                                JournalWeaver& journal_weaver,
                                                const std::function<Millis()>& clock,
                                                const Note& note) {
  if (format_of(request.method(), request.target()).empty()) return nullptr;
  Result<std::unique_ptr<JournalEntry>> entry = journal.begin();
  if (!entry) {
    note("an exchange goes through unrecorded: " + entry.error().message);
    return nullptr;
  }
  auto listener = std::make_unique<JournalListener>(*std::move(entry), journal_weaver, clock, note);
  listener->ask(request);
  return listener;
}

}  // namespace weft::capture
