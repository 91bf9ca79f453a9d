// What a command that follows the sources prints of it: a line at a time, so that whoever reads
// along has it at once. For people, or with --json one JSON object a line.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/cli/follow/growth.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {

// Used from any thread.
class WatchOutput {
 public:
  // Both outlive it, as does what `library` points at.
  WatchOutput(const Context& context, const query::Library& library)
      : context_(context), library_(library) {}

  void following(const ingest::Report& report);  // what was there is taken in
  void waiting();                                // another process does that
  void serving(const std::string& url);
  void grew(const Grown& grown);
  // What `print` prints stands together.
  void together(const std::function<void()>& print);

 private:
  void put(const json::object& line);

  const Context& context_;
  query::Library library_;
  std::mutex mutex_;
};

}  // namespace weft::cli
