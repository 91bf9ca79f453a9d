// Prints the events of a command that follows the sources, flushed line by line: text for people,
// or with --json one JSON object a line.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/query/change_feed.hpp"

namespace weft::cli {

// May be used from any thread.
class WatchOutput {
 public:
  // Both outlive it, as does what `library` points at.
  WatchOutput(const Context& context, const query::Library& library)
      : context_(context), library_(library) {}

  void following(const ingest::Report& report);  // existing sources are ingested
  void waiting();                                // another process ingests
  void serving(const std::string& url);
  void grew(const query::GrownConversation& grown);
  // Runs `print` so that its output is not interleaved with other output.
  void together(const std::function<void()>& print);

 private:
  void put(const json::object& line);

  const Context& context_;
  query::Library library_;
  std::mutex mutex_;
};

}  // namespace weft::cli
