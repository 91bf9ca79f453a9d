// A session that is printed as it grows.
#pragma once

#include <functional>

#include "weft/cli/context.hpp"
#include "weft/query/entries.hpp"

namespace weft::cli {

// From here on SIGINT and SIGTERM only make a descriptor readable. Made before any thread is begun.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// Prints what is there of the session that `name` names, and then what comes, until a signal comes
// or nobody reads any more. Sleeps while nothing is committed. A session that is not there yet is
// waited for.
Answer follow(const Context& context, const query::Library& library, const std::string& name,
              const query::EntriesOptions& wanted, const StopSignals& signals,
              const std::function<void(const transcript::TranscriptEntry&)>& print);

}  // namespace weft::cli
