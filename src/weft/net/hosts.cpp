#include "weft/net/hosts.hpp"

#include <algorithm>
#include <charconv>

namespace weft::net {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_in_name(char c) {
  return is_digit(c) || ('a' <= c && c <= 'z') || c == '-' || c == '_' || c == '.';
}
bool is_in_v6(char c) { return is_digit(c) || ('a' <= c && c <= 'f') || c == ':' || c == '.'; }

bool is_name(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2) {
    return std::ranges::all_of(text.substr(1, text.size() - 2), is_in_v6);
  }
  return !text.empty() && std::ranges::all_of(text, is_in_name);
}

// Loopback's own names, and the address that was reached.
bool is_own(std::string_view name, std::string_view local) {
  if (name == "localhost" || name == "127.0.0.1" || name == "[::1]") return true;
  if (local.find(':') == std::string_view::npos) return name == local;
  return name.size() == local.size() + 2 && name.starts_with('[') &&
         name.substr(1).starts_with(local);
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  Authority authority;
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  authority.name = lower(text.substr(0, colon));
  if (!is_name(authority.name)) return std::nullopt;
  if (colon == std::string_view::npos) return authority;
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  authority.port = port;
  return authority;
}

Hosts::Hosts(std::uint16_t port, const std::vector<std::string>& names) : port_(port) {
  for (const std::string& name : names) {
    if (std::optional<Authority> authority = parse_authority(name)) {
      names_.push_back(*std::move(authority));
    }
  }
}

bool Hosts::allow_host(std::string_view host, std::string_view local) const {
  const std::optional<Authority> asked = parse_authority(host);
  if (!asked) return false;
  if (is_own(asked->name, local) && asked->port.value_or(port_) == port_) return true;
  return std::ranges::any_of(names_, [&](const Authority& name) {
    return asked->name == name.name && (!asked->port || *asked->port == name.port.value_or(port_));
  });
}

bool Hosts::allow_origin(std::string_view origin, std::string_view local) const {
  const std::string scheme = lower(origin.substr(0, origin.find("://")));
  const std::uint16_t usual = scheme == "https" ? 443 : 80;
  if (scheme != "https" && scheme != "http") return false;
  if (!origin.substr(scheme.size()).starts_with("://")) return false;
  const std::optional<Authority> asked = parse_authority(origin.substr(scheme.size() + 3));
  if (!asked) return false;
  const std::uint16_t port = asked->port.value_or(usual);
  if (is_own(asked->name, local) && port == port_) return true;
  return std::ranges::any_of(names_, [&](const Authority& name) {
    return asked->name == name.name &&
           (name.port ? port == *name.port : port == usual || port == port_);
  });
}

}  // namespace weft::net
