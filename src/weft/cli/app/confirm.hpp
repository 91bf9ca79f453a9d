// Asks the person on the terminal before something that cannot be undone.
#pragma once

#include <string_view>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// Whether there is somebody to ask: stdin and stdout are terminals, and the answer is not JSON.
bool can_ask(const Context& context);

// Prints `question` and reads a line. True for "y", "Y" and "yes".
bool is_answered_yes(const Context& context, std::string_view question);

}  // namespace weft::cli
