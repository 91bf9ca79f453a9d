// Taking conversations in with a progress line, and telling what came of it: for the commands that
// take in and then end.
#pragma once

#include <functional>
#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {

using Work = std::function<Result<ingest::Report>(store::Store&, const crypto::Keyring&,
                                                  const ingest::Options&)>;

// What it means that no conversation was met.
struct WhenEmpty {
  Exit exit;
  std::string says;
};

// Does `work` with `options`, to which it adds the progress line, and prints the report. The
// keyring is there, and can sign.
Answer ingest_and_report(const Context& context, const Opened& opened, ingest::Options options,
                         const Work& work, const WhenEmpty& when_empty);

}  // namespace weft::cli
