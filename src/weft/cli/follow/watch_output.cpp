#include "weft/cli/follow/watch_output.hpp"

#include "weft/cli/render/figures.hpp"

namespace weft::cli {

void WatchOutput::following(const ingest::Report& report) {
  if (context_.json()) {
    return put({{"event", "following"},
                {"time", to_iso8601(now())},
                {"conversations", report.conversations.size()},
                {"files", report.files},
                {"new_thoughts", report.new_thoughts}});
  }
  const std::string taken = report.new_thoughts == 0
                                ? "nothing new so far"
                                : "ingested " + count(report.conversations.size(), "conversation") +
                                      ", " + count(report.new_thoughts, "thought") + " new";
  context_.note(taken + "; following changes, until Ctrl-C");
}

void WatchOutput::waiting() {
  if (context_.json()) return put({{"event", "waiting"}, {"time", to_iso8601(now())}});
  context_.note(
      "another weft process ingests these sources; this one reports what it adds, and takes over "
      "when it exits");
}

void WatchOutput::serving(const std::string& url) {
  if (context_.json()) {
    return put({{"event", "serving"}, {"time", to_iso8601(now())}, {"url", url}});
  }
  context_.note("listening on " + url);
}

void WatchOutput::grew(const Grown& grown) {
  if (context_.json()) return put(to_json(library_, grown, now()));
  together([&] { context_.print(to_line(library_, grown, now(), context_.style()) + "\n"); });
}

void WatchOutput::put(const json::object& line) {
  together([&] { write_json(context_.out(), line, Layout::compact); });
}

void WatchOutput::together(const std::function<void()>& print) {
  const std::scoped_lock held(mutex_);
  print();
  std::fflush(context_.out());
}

}  // namespace weft::cli
