#include "weft/capture/proxy/journal_weaver.hpp"

#include <fmt/format.h>
#include <malloc.h>

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
// After a failure; doubled after each further one.
constexpr std::chrono::milliseconds kFirstPause = 500ms, kLongestPause = 30s;

// Returns free memory to the system after a large exchange. The C library would keep it.
class ReturnMemory {
 public:
  explicit ReturnMemory(std::size_t bytes) : is_large_(bytes > (1u << 20)) {}
  ReturnMemory(const ReturnMemory&) = delete;
  ReturnMemory& operator=(const ReturnMemory&) = delete;
  ~ReturnMemory() {
    if (is_large_) ::malloc_trim(0);
  }

 private:
  const bool is_large_;
};

}  // namespace

struct JournalWeaver::Parts {
  enum class Outcome { done, retry };

  Outcome weave(const JournalEntry& entry) {
    Result<RecordedExchange> recorded = entry.read();
    if (!recorded) {
      note(fmt::format("cannot read the journal entry {}, which stays there: {}",
                       entry.path().string(), recorded.error().message));
      return Outcome::done;
    }
    if (recorded->method.empty()) {  // the process ended before anything was written
      entry.remove();
      return Outcome::done;
    }
    // A program without a key must not have its text recorded as the user's.
    if (recorded->status == 401 || recorded->status == 403) {
      // A client that tries again and again must not fill the log.
      if (const std::uint64_t count = ++refused; count <= 10 || count % 100 == 0) {
        note(fmt::format("an exchange is not recorded: the upstream refused it with {} ({} so far)",
                         recorded->status, count));
      }
      entry.remove();
      return Outcome::done;
    }
    const std::size_t bytes = recorded->request.size() + recorded->response.size();
    const ReturnMemory return_memory(bytes);
    const Result<LoggedExchange> logged = to_log(*recorded);
    std::string().swap(recorded->request);  // not needed twice
    std::string().swap(recorded->response);
    if (!logged) {
      note("an exchange is not recorded: " + logged.error().message);
      entry.remove();
      return Outcome::done;
    }
    const Result<WeaveOutcome> woven = weaver.weave(*logged);
    if (!woven) {
      note("an exchange is not woven yet; it stays in the journal and is retried: " +
           woven.error().message);
      return Outcome::retry;
    }
    if (*woven == WeaveOutcome::forgotten) {
      note("an exchange is not recorded: its conversation was forgotten");
    }
    entry.remove();
    return Outcome::done;
  }

  void run(const std::stop_token& stop) {
    std::chrono::milliseconds pause = kFirstPause;
    std::unique_lock lock(mutex);
    while (true) {
      if (queue.empty()) {
        if (!changed.wait(lock, stop, [&] { return !queue.empty(); })) return;
      }
      std::unique_ptr<JournalEntry> entry = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      const Outcome outcome = weave(*entry);
      lock.lock();
      if (outcome == Outcome::done) {
        pause = kFirstPause;
        continue;
      }
      if (stop.stop_requested()) continue;  // it stays in the journal
      queue.push_front(std::move(entry));   // keep the order
      changed.wait_for(lock, stop, pause, [] { return false; });
      pause = std::min(2 * pause, kLongestPause);
    }
  }

  ExchangeWeaver& weaver;
  Note note;
  std::uint64_t refused = 0;  // exchanges that the upstream answered with 401 or 403
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<std::unique_ptr<JournalEntry>> queue;  // guarded by mutex
  std::jthread thread;
};

JournalWeaver::JournalWeaver(ExchangeWeaver& weaver, const Journal& journal, Note note)
    : parts_(new Parts{.weaver = weaver, .note = std::move(note)}) {
  Result<std::vector<std::unique_ptr<JournalEntry>>> orphans = journal.orphans();
  if (!orphans) {
    parts_->note(orphans.error().message);
  } else {
    for (std::unique_ptr<JournalEntry>& orphan : *orphans) {
      if (parts_->weave(*orphan) == Parts::Outcome::retry) {
        parts_->queue.push_back(std::move(orphan));
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

void JournalWeaver::enqueue(std::unique_ptr<JournalEntry> entry) {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->queue.push_back(std::move(entry));
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

  void begin(const net::MessageHead& request) {
    const json::object fields{{"method", request.method()},
                              {"target", api_path(request.target())},
                              {"content_type", text_of(request, "content-type")},
                              {"content_encoding", text_of(request, "content-encoding")}};
    add(FrameKind::request_head, canonical_json(fields));
  }
  void request_body(std::string_view bytes) override { add(FrameKind::request_body, bytes); }
  void request_end() override { add(FrameKind::request_end, {}); }
  void response_head(const net::MessageHead& head) override {
    std::string id = text_of(head, "request-id");
    if (id.empty()) id = text_of(head, "x-request-id");
    const json::object fields{{"status", head.status()},
                              {"content_type", text_of(head, "content-type")},
                              {"content_encoding", text_of(head, "content-encoding")},
                              {"request_id", id}};
    add(FrameKind::response_head, canonical_json(fields));
  }
  void response_body(std::string_view bytes) override { add(FrameKind::response_body, bytes); }
  void end(ExchangeEnd end) override {
    const char byte = static_cast<char>(end);
    add(FrameKind::end, {&byte, 1});
    if (!entry_->has_failed()) journal_weaver_.enqueue(std::move(entry_));
  }

 private:
  void add(FrameKind kind, std::string_view bytes) {
    if (entry_->has_failed()) return;
    entry_->add(kind, clock_(), bytes);
    if (entry_->has_failed()) {
      note_(
          "an exchange goes through unrecorded: cannot write its journal entry; is the disk full?");
    }
  }

  std::unique_ptr<JournalEntry> entry_;
  JournalWeaver& journal_weaver_;
  std::function<Millis()> clock_;
  Note note_;
};

}  // namespace

std::unique_ptr<ExchangeListener> open_journal_listener(const net::MessageHead& request,
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
  listener->begin(request);
  return listener;
}

}  // namespace weft::capture
