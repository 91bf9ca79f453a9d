// A session that is printed as it grows.
#pragma once

#include <functional>

#include "weft/cli/app/context.hpp"
#include "weft/query/transcript/entries.hpp"

namespace weft::cli {

// Prints what is there of the session that `name` names, and then what comes, until `stop` becomes
// readable or nobody reads any more. Sleeps while nothing is committed. A session that is not there
// yet is waited for.
Answer follow(const Context& context, const query::Library& library, const std::string& name,
              const query::EntriesOptions& wanted, int stop,
              const std::function<void(const transcript::TranscriptEntry&)>& print);

}  // namespace weft::cli
