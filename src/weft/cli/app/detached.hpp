// Runs work in a detached process, which outlives its caller.
#pragma once

#include <functional>

#include "weft/base/result.hpp"

namespace weft::cli {

// Starts a process that runs `work`, and does not wait for it. The process has no terminal, no
// input and no output, and closes every descriptor but `kept`, so that nobody who waits for our
// pipes to close waits for it. Call it before starting any thread. unavailable if no process can be
// started.
Status do_detached(const std::function<void()>& work, int kept);

}  // namespace weft::cli
