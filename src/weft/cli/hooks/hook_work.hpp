// Answers a hook event of an agent: spools the file that grew, and starts a worker that ingests it.
#pragma once

#include "weft/cli/ingest/source_options.hpp"

namespace weft::cli {

// Reads the event from stdin and starts the worker. Returns the error if it cannot.
Status answer_hook(const Context& context, const SourceOptions& where);

}  // namespace weft::cli
