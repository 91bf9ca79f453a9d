#include "weft/net/hosts.hpp"

#include <algorithm>
#include <optional>

#include "weft/net/ascii.hpp"

namespace weft::net {
namespace {

// A name of loopback, or the address that the client connected to.
bool is_own(std::string_view host, std::string_view local) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1" || host == local;
}

}  // namespace

Hosts::Hosts(std::uint16_t port, const std::vector<std::string>& names) : port_(port) {
  for (const std::string& name : names) {
    if (std::optional<Authority> authority = parse_authority(name)) {
      names_.push_back(*std::move(authority));
    }
  }
}

bool Hosts::is_own_host(std::string_view host, std::string_view local) const {
  const std::optional<Authority> asked = parse_authority(host);
  return asked && is_own(asked->host, local) && asked->port.value_or(port_) == port_;
}

bool Hosts::allow_host(std::string_view host, std::string_view local) const {
  if (is_own_host(host, local)) return true;
  const std::optional<Authority> asked = parse_authority(host);
  if (!asked) return false;
  return std::ranges::any_of(names_, [&](const Authority& name) {
    return asked->host == name.host && (!asked->port || *asked->port == name.port.value_or(port_));
  });
}

bool Hosts::allow_origin(std::string_view origin, std::string_view local) const {
  const Result<Url> asked = Url::parse(to_lower(origin));
  // An origin has no path, not even "/".
  if (!asked || !asked->prefix.empty() || origin.ends_with('/')) return false;
  if (is_own(asked->host, local) && asked->port == port_) return true;
  return std::ranges::any_of(names_, [&](const Authority& name) {
    if (asked->host != name.host) return false;
    if (name.port) return asked->port == *name.port;
    return asked->port == asked->default_port() || asked->port == port_;
  });
}

}  // namespace weft::net
