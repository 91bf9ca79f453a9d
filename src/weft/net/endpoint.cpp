#include "weft/net/endpoint.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "weft/net/ascii.hpp"

namespace weft::net {
namespace {

constexpr std::size_t kMostNameBytes = 255;

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_in_name(char c) {
  return is_digit(c) || ('a' <= c && c <= 'z') || c == '-' || c == '_' || c == '.';
}
bool is_in_v6(char c) { return is_digit(c) || ('a' <= c && c <= 'f') || c == ':' || c == '.'; }

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMostNameBytes && std::ranges::all_of(text, is_in_name);
}

// Has a colon, so that no name is taken for one.
bool is_v6(std::string_view text) {
  return text.find(':') != std::string_view::npos && std::ranges::all_of(text, is_in_v6);
}

std::unexpected<Error> invalid_url() {
  return fail(ErrorCode::invalid_input,
              "not the URL of an API: want https://HOST[:PORT][/PATH] or http://HOST[:PORT][/PATH],"
              " without a user, a query or a fragment");
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  const bool has_brackets = text.starts_with('[');
  const std::size_t end = has_brackets ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return std::nullopt;
  Authority authority{.host = to_lower(text.substr(0, end))};
  if (has_brackets) authority.host.erase(0, 1);
  if (!(has_brackets ? is_v6(authority.host) : is_name(authority.host))) return std::nullopt;
  text.remove_prefix(has_brackets ? end + 1 : end);
  if (text.empty()) return authority;
  if (!text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  std::uint16_t port = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || last != text.data() + text.size()) return std::nullopt;
  authority.port = port;
  return authority;
}

std::string Url::authority() const {
  return port == default_port() ? bracketed(host) : fmt::format("{}:{}", bracketed(host), port);
}

Result<Url> Url::parse(std::string_view text) {
  Url url;
  if (text.starts_with("https://")) {
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
    url.is_tls = false;
  } else {
    return invalid_url();
  }
  const std::size_t slash = std::min(text.find('/'), text.size());
  std::optional<Authority> authority = parse_authority(text.substr(0, slash));
  if (!authority || authority->port == 0) return invalid_url();
  url.host = std::move(authority->host);
  url.port = authority->port.value_or(url.default_port());
  url.prefix = text.substr(slash);
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  if (url.prefix.find_first_of("?# \t\r\n") != std::string::npos) return invalid_url();
  return url;
}

std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

bool is_address(const std::string& host) {
  in6_addr address{};  // has room for IPv4, too
  const int family = host.find(':') == std::string::npos ? AF_INET : AF_INET6;
  return ::inet_pton(family, host.c_str(), &address) == 1;
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  in6_addr v6{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6) != 0;
  return host == "localhost";
}

}  // namespace weft::net
