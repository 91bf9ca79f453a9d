#include "weft/mcp/transports/http_rules.hpp"

#include <algorithm>
#include <array>

#include "weft/crypto/secret.hpp"
#include "weft/net/ascii.hpp"

namespace weft::mcp {
namespace {

// The part of `rest` before `separator`. Removes both from `rest`.
std::string_view cut(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view first = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return net::trim(first);
}

std::unexpected<net::HttpRefusal> refuse(unsigned status, std::string reason) {
  return std::unexpected(net::HttpRefusal{status, std::move(reason)});
}

std::optional<net::HttpRefusal> check_caller(const net::RequestHead& head, const net::Hosts& hosts,
                                             std::string_view local) {
  if (head.count("host") != 1)
    return net::HttpRefusal{400, "the request must have exactly one Host field"};
  if (!hosts.allow_host(*head.find("host"), local)) {
    return net::HttpRefusal{403, "this Host is not allowed; weft serve --host NAME allows one"};
  }
  for (const auto& [name, value] : head.fields) {
    if (name == "origin" && !hosts.allow_origin(value, local)) {
      return net::HttpRefusal{
          403, "this Origin is not allowed; weft serve --host NAME allows the pages of one host"};
    }
  }
  return std::nullopt;
}

bool has_token(const net::RequestHead& head, std::string_view token) {
  if (head.count("authorization") != 1) return false;
  std::string_view given = *head.find("authorization");
  const std::string_view scheme = cut(given, ' ');
  return net::equals_ignoring_case(scheme, "bearer") &&
         crypto::equal_in_constant_time(net::trim(given), token);
}

// A proxy says so in one of these fields, or in Host has the name that its own clients use.
bool is_passed_on(const net::RequestHead& head, const net::Hosts& hosts, std::string_view local) {
  constexpr std::array<std::string_view, 5> kFields = {"forwarded", "x-forwarded-for",
                                                       "x-forwarded-host", "x-real-ip", "via"};
  return std::ranges::any_of(kFields, [&](auto name) { return head.find(name).has_value(); }) ||
         !hosts.is_own_host(*head.find("host"), local);
}

std::optional<net::HttpRefusal> check_authorization(const net::RequestHead& head,
                                                    const HttpRules& rules, const Caller& caller) {
  if (!rules.token && !rules.admits_own_user) return std::nullopt;
  if (rules.token && has_token(head, *rules.token)) return std::nullopt;
  if (rules.admits_own_user && caller.is_own_user &&
      !is_passed_on(head, rules.hosts, caller.local)) {
    return std::nullopt;
  }
  return net::HttpRefusal{
      401,
      "this server is for programs of the user who runs it; others must send its token as "
      "Authorization: Bearer TOKEN. The token is in serve.token in weft's home, or in the file "
      "that "
      "weft serve --token-file names",
      {{"WWW-Authenticate", "Bearer"}}};
}

bool is_json(const net::RequestHead& head) {
  if (head.count("content-type") != 1) return false;
  std::string_view type = *head.find("content-type");
  return net::equals_ignoring_case(cut(type, ';'), "application/json");
}

std::expected<Route, net::HttpRefusal> check_read(const net::RequestHead& head, Route route) {
  const bool is_head = head.method == "HEAD" && (route == Route::health || route == Route::file);
  if (head.method == "GET" || is_head) return route;
  if (route == Route::health || route == Route::file) {
    return std::unexpected(
        net::HttpRefusal{405, "this path supports GET and HEAD only", {{"Allow", "GET, HEAD"}}});
  }
  return std::unexpected(net::HttpRefusal{405, "this path supports GET only", {{"Allow", "GET"}}});
}

// Browsers say in this field whose page asks; other programs do not send it.
bool is_of_another_site(const net::RequestHead& head) {
  const auto site = head.find("sec-fetch-site");
  return site && *site != "same-origin" && *site != "none";
}

}  // namespace

std::expected<Route, net::HttpRefusal> admit(const net::RequestHead& head, const HttpRules& rules,
                                             const Caller& caller) {
  if (std::optional<net::HttpRefusal> refusal = check_caller(head, rules.hosts, caller.local)) {
    return std::unexpected(*std::move(refusal));
  }
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  if (path == "/healthz") return check_read(head, Route::health);
  const net::Site::Part part =
      rules.site == nullptr ? net::Site::Part::none : rules.site->part_of(path);
  if (part == net::Site::Part::file) return check_read(head, Route::file);
  if (is_of_another_site(head)) {
    return refuse(403, "only weft's own page may ask from a browser: open it, and ask there");
  }
  if (std::optional<net::HttpRefusal> refusal = check_authorization(head, rules, caller)) {
    return std::unexpected(*std::move(refusal));
  }
  if (part == net::Site::Part::question) return check_read(head, Route::question);
  if (part == net::Site::Part::stream) return check_read(head, Route::stream);
  if (path != "/mcp") return refuse(404, "not found; MCP is served at /mcp");
  if (head.method != "POST") {
    return std::unexpected(net::HttpRefusal{405, "/mcp supports POST only", {{"Allow", "POST"}}});
  }
  if (head.find("expect") && !waits_to_continue(head)) {
    return refuse(417, "unsupported Expect; only 100-continue is supported");
  }
  if (head.find("content-encoding") || !is_json(head)) {
    return refuse(415, "the body must be application/json without Content-Encoding");
  }
  const Accepts accepts = accepted_by(head);
  if (!accepts.json && !accepts.stream) {
    return refuse(406, "the client must accept application/json or text/event-stream");
  }
  if (head.content_length.value_or(0) > rules.most_body_bytes) {
    return refuse(413, "the body is too long; a message has at most " +
                           std::to_string(rules.most_body_bytes) + " bytes");
  }
  return Route::mcp;
}

Accepts accepted_by(const net::RequestHead& head) {
  Accepts accepts;
  if (!head.find("accept")) return {.json = true, .stream = true};
  for (const auto& [name, value] : head.fields) {
    if (name != "accept") continue;
    std::string_view ranges = value;
    while (!ranges.empty()) {
      std::string_view range = cut(ranges, ',');
      const std::string_view type = cut(range, ';');
      std::string_view weight = "1";
      while (!range.empty()) {
        const std::string_view parameter = cut(range, ';');
        if (parameter.starts_with("q=") || parameter.starts_with("Q="))
          weight = parameter.substr(2);
      }
      // "0", "0.", "0.000": not accepted.
      if (weight.find_first_not_of("0.") == std::string_view::npos) continue;
      const bool any = type == "*/*";
      accepts.json |=
          any || net::equals_ignoring_case(type, "application/json") || type == "application/*";
      accepts.stream |=
          any || net::equals_ignoring_case(type, "text/event-stream") || type == "text/*";
    }
  }
  return accepts;
}

bool waits_to_continue(const net::RequestHead& head) {
  return head.count("expect") == 1 &&
         net::equals_ignoring_case(*head.find("expect"), "100-continue");
}

}  // namespace weft::mcp
