// Work that goes on after whoever asked for it has gone.
#pragma once

#include <functional>

#include "weft/base/result.hpp"

namespace weft::cli {

// Has a process of its own do `work`, and does not wait for it. That process has no terminal,
// no input and nowhere to print, and nothing of ours is open in it but `kept`, so nobody who waits
// for our pipes to close waits for it. To be called before any thread is begun. unavailable if
// there can be no more processes.
Status do_detached(const std::function<void()>& work, int kept);

}  // namespace weft::cli
