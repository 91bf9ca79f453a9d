// What `weft hook` does when an agent calls it: puts down what has grown, and sees to it that a
// worker takes it in.
#pragma once

#include "weft/cli/ingest/source_options.hpp"

namespace weft::cli {

// Reads the event from stdin and hands the work over. Why not, if it cannot.
Status answer_hook(const Context& context, const SourceOptions& where);

}  // namespace weft::cli
