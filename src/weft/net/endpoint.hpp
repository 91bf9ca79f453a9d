// Parses the names of servers: HOST[:PORT], as the Host field has it, and http URLs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::net {

struct Authority {
  std::string host;  // in lower case; an IPv6 address without its brackets
  std::optional<std::uint16_t> port{};

  friend bool operator==(const Authority&, const Authority&) = default;
};

// Parses "name", "name:port", "[v6]" and "[v6]:port". Empty for anything else: a name consists of
// letters, digits, '-', '_' and '.', at most 255 of them.
std::optional<Authority> parse_authority(std::string_view text);

struct Url {
  bool is_tls = true;
  std::string host;  // in lower case; an IPv6 address without its brackets
  std::uint16_t port = 443;
  std::string prefix{};  // of every path; empty, or begins with '/' and does not end with it

  // The port of the scheme.
  std::uint16_t default_port() const { return is_tls ? 443 : 80; }
  // The value of a Host field: without the port where that is the scheme's own.
  std::string authority() const;

  // Parses "https://api.anthropic.com" and "http://127.0.0.1:8080/gateway". invalid_input for
  // anything else: a URL with a user, a query or a fragment, and port 0.
  static Result<Url> parse(std::string_view text);
  friend bool operator==(const Url&, const Url&) = default;
};

// `host` as it is written before a port: an IPv6 address in brackets.
std::string bracketed(const std::string& host);
// Whether `host` is an IPv4 or IPv6 address; the latter without brackets.
bool is_address(const std::string& host);
// Whether `host` is this machine: "localhost", an address of 127.0.0.0/8, or ::1.
bool is_loopback(const std::string& host);

}  // namespace weft::net
