// Shows weft's page in the person's browser.
#pragma once

#include <string>

#include "weft/cli/app/context.hpp"
#include "weft/cli/serve/running_server.hpp"

namespace weft::cli {

// Opens `path` of the server's page. Without a display, over SSH, and if no browser starts, prints
// the link. Where the server wants its token, the browser gets it through a file that only its
// owner can read.
Status open_page(const Context& context, const RunningServer& server, const std::string& path);

// The link alone, on stdout; over SSH with how to reach it, on stderr.
void print_link(const Context& context, const std::string& url);

}  // namespace weft::cli
