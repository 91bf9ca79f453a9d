// Implements `weft up`: shows the newest conversation, follows changes, and serves the store. On a
// terminal, a line at its foot says what came in; otherwise each conversation that grew is a line.
#pragma once

#include <functional>

#include "weft/cli/app/answer.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/serve/serve_options.hpp"

namespace weft::cli {

// Runs until Ctrl-C. `show` is called once: at once if there are conversations, otherwise when the
// existing sources are ingested. If it cannot listen, it says so and follows all the same.
// With `opens_page`, the page is opened in the browser once it is served.
Answer run_up(const Context& context, const SourceOptions& where, const ServeOptions& serve_at,
              const std::function<Answer(const Opened&)>& show, bool opens_page);

}  // namespace weft::cli
