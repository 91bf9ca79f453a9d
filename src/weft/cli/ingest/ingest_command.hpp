// Runs an ingest with a progress line and prints its report: for the commands that ingest and then
// exit.
#pragma once

#include <functional>
#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {

using Work = std::function<Result<ingest::Report>(store::Store&, const crypto::Keyring&,
                                                  const ingest::Options&)>;

// How to treat an ingest that finds no conversation.
struct WhenEmpty {
  Exit exit;
  std::string says;
};

// Runs `work` with `options`, to which it adds the progress line, and prints the report. The
// keyring must be present and able to sign.
Answer ingest_and_report(const Context& context, const Opened& opened, ingest::Options options,
                         const Work& work, const WhenEmpty& when_empty, bool verbose = false);

}  // namespace weft::cli
