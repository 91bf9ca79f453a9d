// `weft up`: what is there is shown, what comes is followed, all of it is served. On a terminal a
// line at its foot says what came in; elsewhere each conversation that grew is a line.
#pragma once

#include <functional>

#include "weft/cli/app/answer.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/serve/serve_options.hpp"

namespace weft::cli {

// Until Ctrl-C. `show` is called once: at once if there are conversations, else when what is there
// is taken in. Where it cannot listen it says so and follows all the same.
Answer run_up(const Context& context, const SourceOptions& where, const ServeOptions& serve_at,
              const std::function<Answer(const Opened&)>& show);

}  // namespace weft::cli
