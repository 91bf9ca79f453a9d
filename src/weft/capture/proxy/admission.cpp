#include "weft/capture/proxy/admission.hpp"

#include <algorithm>

namespace weft::capture {

std::optional<std::string> find_refusal(const net::MessageHead& head, const net::Hosts& hosts,
                                        const std::vector<std::string>& origins,
                                        std::string_view local) {
  const std::vector<std::string_view> names = head.find_all("host");
  if (names.size() > 1) return "the request has more than one Host; send one";
  if (!names.empty() && !hosts.allow_host(names.front(), local)) {
    return "this Host is not allowed; weft record --host NAME allows one";
  }
  constexpr std::string_view kPage =
      "requests from web pages are refused; weft record --allow-origin ORIGIN or --host NAME "
      "allows "
      "one";
  const std::vector<std::string_view> from = head.find_all("origin");
  for (const std::string_view origin : from) {
    const bool is_listed = std::ranges::find(origins, origin) != origins.end();
    if (!is_listed && !hosts.allow_origin(origin, local)) return std::string(kPage);
  }
  const std::string_view site = head.find("sec-fetch-site").value_or("");
  if (from.empty() && (site == "cross-site" || site == "same-site")) return std::string(kPage);
  return std::nullopt;
}

}  // namespace weft::capture
