// Decides which requests `weft record` accepts: those of programs, and those of web pages only if
// the user allows the page's host or origin. Otherwise a page could have its own text recorded as
// the user's, or use a model on this machine that requires no key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/net/hosts.hpp"
#include "weft/net/http_head.hpp"

namespace weft::capture {

// The reason to refuse a request, in plain ASCII without quotes; empty if it is accepted. `local`
// is the address that the client connected to.
//
// Refuses a Host that is not in `hosts`, an Origin that is neither in `hosts` nor in `origins`, and
// a request that has no Origin but a Sec-Fetch-Site of another site. Accepts a request without a
// Host: no browser sends one.
std::optional<std::string> find_refusal(const net::MessageHead& head, const net::Hosts& hosts,
                                        const std::vector<std::string>& origins,
                                        std::string_view local);

}  // namespace weft::capture
