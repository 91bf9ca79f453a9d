// Prints a session and keeps printing as it grows.
#pragma once

#include <functional>

#include "weft/cli/app/context.hpp"
#include "weft/query/transcript/entries.hpp"

namespace weft::cli {

// Prints the entries of the session called `name`, then each new one, until `stop` becomes readable
// or stdout is closed. Sleeps while nothing is committed. Waits for a session that does not exist
// yet.
Answer follow(const Context& context, const Opened& opened, const std::string& name,
              const query::EntriesOptions& wanted, int stop,
              const std::function<void(const transcript::TranscriptEntry&)>& print);

}  // namespace weft::cli
