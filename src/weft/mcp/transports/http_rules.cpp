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

// The token that the request carries; points into `head`.
std::optional<std::string_view> find_token(const net::RequestHead& head) {
  if (head.count("authorization") != 1) return std::nullopt;
  std::string_view given = *head.find("authorization");
  const std::string_view scheme = cut(given, ' ');
  if (!net::equals_ignoring_case(scheme, "bearer")) return std::nullopt;
  return net::trim(given);
}

// A proxy says so in one of these fields, or in Host has the name that its own clients use.
bool is_passed_on(const net::RequestHead& head, const net::Hosts& hosts, std::string_view local) {
  constexpr std::array<std::string_view, 5> kFields = {"forwarded", "x-forwarded-for",
                                                       "x-forwarded-host", "x-real-ip", "via"};
  return std::ranges::any_of(kFields, [&](auto name) { return head.find(name).has_value(); }) ||
         !hosts.is_own_host(*head.find("host"), local);
}

// A proxy says in one of these fields how its own client reached it.
bool came_over_tls(const net::RequestHead& head) {
  const auto says_https = [&](std::string_view field, std::string_view text) {
    const auto value = head.find(field);
    return value && net::equals_ignoring_case(*value, text);
  };
  if (says_https("x-forwarded-proto", "https") || says_https("x-forwarded-scheme", "https")) {
    return true;
  }
  std::string_view all = head.find("forwarded").value_or("");
  std::string_view forwarded = cut(all, ',');  // the first is the one that the client reached
  while (!forwarded.empty()) {
    const std::string_view pair = cut(forwarded, ';');
    if (net::equals_ignoring_case(pair, "proto=https")) return true;
  }
  return false;
}

net::HttpRefusal not_admitted() {
  return {401,
          "this server is for programs of the user who runs it; others must send a token as "
          "Authorization: Bearer TOKEN. Whoever runs the server makes one for you with weft tokens "
          "add NAME; their own is in serve.token in weft's home, or in the file that weft serve "
          "--token-file names",
          {{"WWW-Authenticate", "Bearer"}}};
}

bool is_json(const net::RequestHead& head) {
  if (head.count("content-type") != 1) return false;
  std::string_view type = *head.find("content-type");
  return net::equals_ignoring_case(cut(type, ';'), "application/json");
}

std::expected<Admitted, net::HttpRefusal> check_read(const net::RequestHead& head, Route route,
                                                     net::Rights rights = {}) {
  const bool is_head = head.method == "HEAD" && (route == Route::health || route == Route::file);
  if (head.method == "GET" || is_head) return Admitted{route, rights};
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

std::optional<net::Rights> rights_of(const net::RequestHead& head, const HttpRules& rules,
                                     const Caller& caller) {
  if (!rules.token && !rules.admits_own_user && !rules.find_person) return net::Rights::all();
  const std::optional<std::string_view> token = find_token(head);
  if (token && rules.token && crypto::equal_in_constant_time(*token, *rules.token)) {
    return net::Rights::all();
  }
  if (rules.admits_own_user && caller.is_own_user &&
      !is_passed_on(head, rules.hosts, caller.local)) {
    return net::Rights::all();
  }
  return token && rules.find_person ? rules.find_person(*token) : std::nullopt;
}

net::HttpRefusal lacks(net::Right right) {
  const std::string name(net::to_string(right));
  return {403,
          "your token lacks the right `" + name +
              "`; whoever runs the server can give you a token that has it (weft tokens add NAME "
              "--rights " +
              name + ")",
          {{"WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"" + name + "\""}}};
}

std::expected<Admitted, net::HttpRefusal> admit(const net::RequestHead& head,
                                                const HttpRules& rules, const Caller& caller) {
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
  if (rules.needs_tls_proxy && !came_over_tls(head)) {
    return refuse(403,
                  "this server is reached through a proxy with TLS, which says so in "
                  "X-Forwarded-Proto: https; do not send it your token in the clear");
  }
  const std::optional<net::Rights> rights = rights_of(head, rules, caller);
  if (!rights) return std::unexpected(not_admitted());
  if (part == net::Site::Part::question || part == net::Site::Part::stream) {
    const net::Right needed = rules.site->right_for(path);
    if (!rights->has(needed)) return std::unexpected(lacks(needed));
    return check_read(head, part == net::Site::Part::question ? Route::question : Route::stream,
                      *rights);
  }
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
  return Admitted{Route::mcp, *rights};
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
