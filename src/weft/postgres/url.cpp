#include "weft/postgres/url.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "weft/base/try.hpp"

namespace weft::postgres {
namespace {

constexpr std::array<std::string_view, 2> kSchemes = {"postgres://", "postgresql://"};
constexpr std::array<std::string_view, 7> kFileOptions = {
    "sslrootcert", "sslcert", "sslkey", "sslcrl", "channel_binding", "service", "sslmode"};
constexpr std::array<std::string_view, 6> kModes = {"disable", "allow",     "prefer",
                                                    "require", "verify-ca", "verify-full"};
constexpr std::array<std::string_view, 5> kTargets = {"any", "read-write", "read-only", "primary",
                                                      "standby"};

std::unexpected<Error> refuse(std::string why) {
  return fail(ErrorCode::invalid_input, "the URL of the database: " + std::move(why));
}

std::unexpected<Error> refuse_password() {
  return refuse(
      "a password in it is seen in process lists and logs; leave it out, and put it into ~/.pgpass "
      "(PGPASSFILE), into PGPASSWORD or into a service file");
}

std::optional<int> digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Nothing if a `%` is not followed by two digits, or a control character is meant.
std::optional<std::string> decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const auto high = i + 2 < text.size() ? digit(text[i + 1]) : std::nullopt;
      const auto low = high ? digit(text[i + 2]) : std::nullopt;
      if (!low) return std::nullopt;
      c = static_cast<char>(*high * 16 + *low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') return std::nullopt;
    decoded += c;
  }
  return decoded;
}

std::string encode(std::string_view text, std::string_view left = "") {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || std::string_view("-._~").contains(c) ||
                          left.contains(c);
    if (is_plain) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[static_cast<unsigned char>(c) >> 4];
      encoded += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return encoded;
}

Result<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0) {
    return refuse("a port is a number from 1 to 65535");
  }
  return port;
}

// An identifier that needs no quotes anywhere.
bool is_schema(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_";
  constexpr std::size_t kMostBytes = 63;  // PostgreSQL cuts longer ones
  return !name.empty() && name.size() <= kMostBytes && kLetters.contains(name[0]) &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
             std::string_view::npos &&
         !name.starts_with("pg_");
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_local(std::string_view host) {
  return host.starts_with('/') || host.starts_with('@') || host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos);
}

bool Url::recognise(std::string_view text) {
  return std::ranges::any_of(kSchemes, [&](auto scheme) { return text.starts_with(scheme); });
}

Result<Url> Url::parse(std::string_view text) {
  std::string_view rest = text;
  for (const std::string_view scheme : kSchemes) {
    if (text.starts_with(scheme)) rest = text.substr(scheme.size());
  }
  if (rest.size() == text.size()) return refuse("it begins with postgres://");
  Url url;
  const std::size_t question = rest.find('?');
  std::string_view options = question == rest.npos ? "" : rest.substr(question + 1);
  WEFT_TRY(url.read_address(rest.substr(0, question)));
  while (!options.empty()) {
    const std::size_t end = options.find('&');
    WEFT_TRY(url.read_option(options.substr(0, end)));
    options = end == options.npos ? "" : options.substr(end + 1);
  }
  WEFT_TRY(url.check());
  return url;
}

// [user@][hosts]/database
Status Url::read_address(std::string_view address) {
  if (const std::size_t at = address.rfind('@'); at != address.npos) {
    const std::string_view user = address.substr(0, at);
    if (user.contains(':')) return refuse_password();
    const auto decoded = decode(user);
    if (!decoded || decoded->empty()) return refuse("the user before @ cannot be read");
    user_ = *decoded;
    address.remove_prefix(at + 1);
  }
  const std::size_t slash = address.find('/');
  if (slash != address.npos) {
    const auto decoded = decode(address.substr(slash + 1));
    if (!decoded) return refuse("the name of the database cannot be read");
    database_ = *decoded;
  }
  const std::string_view hosts = address.substr(0, slash);
  return hosts.empty() ? Status() : read_hosts(hosts);
}

// host[:port],…; an IPv6 address stands in brackets.
Status Url::read_hosts(std::string_view list) {
  while (true) {
    const std::size_t end = list.find(',');
    std::string_view name = list.substr(0, end);
    std::string_view port;
    if (name.starts_with('[')) {
      const std::size_t close = name.find(']');
      if (close == name.npos) return refuse("an IPv6 address stands in brackets: [::1]");
      port = name.substr(close + 1);
      name = name.substr(1, close - 1);
      if (!port.empty() && !port.starts_with(':')) return refuse("a port follows after a colon");
    } else if (const std::size_t colon = name.find(':'); colon != name.npos) {
      port = name.substr(colon);
      name = name.substr(0, colon);
    }
    const auto decoded = decode(name);
    if (!decoded || decoded->empty() || decoded->contains(',')) {
      return refuse("a host cannot be read");
    }
    Host host{.name = *decoded};
    if (!port.empty()) {
      WEFT_TRY_VALUE(host.port, parse_port(port.substr(1)));
    }
    hosts_.push_back(std::move(host));
    if (end == list.npos) return {};
    list = list.substr(end + 1);
  }
}

Status Url::read_option(std::string_view option) {
  const std::size_t equals = option.find('=');
  const auto name = decode(option.substr(0, equals));
  const auto value =
      equals == option.npos ? std::optional<std::string>() : decode(option.substr(equals + 1));
  if (name == "password" || name == "sslpassword" || name == "passfile") return refuse_password();
  if (!name || !value || value->empty()) return refuse("after ? stand names with values: a=b&c=d");
  return set_option(*name, *value);
}

Status Url::set_option(const std::string& name, const std::string& value) {
  if (name == "schema") {
    if (!is_schema(value)) {
      return refuse(
          "a schema is up to 63 small letters, digits and _, and begins with no digit and "
          "not with pg_");
    }
    schema_ = value;
    return {};
  }
  if (name == "user") {
    user_ = value;
    return {};
  }
  if (name == "host") {
    if (!hosts_.empty()) return refuse("it names a host twice");
    hosts_.push_back({.name = value});
    return {};
  }
  if (name == "port") {
    if (hosts_.size() != 1) return refuse("port= belongs to one host, which stands before it");
    WEFT_TRY_VALUE(hosts_[0].port, parse_port(value));
    return {};
  }
  if (name == "sslmode" && !is_one_of(kModes, value)) {
    return refuse("sslmode is disable, allow, prefer, require, verify-ca or verify-full");
  }
  if (name == "target_session_attrs" && !is_one_of(kTargets, value)) {
    return refuse("target_session_attrs is any, read-write, read-only, primary or standby");
  }
  if (name != "target_session_attrs" && !is_one_of(kFileOptions, name)) {
    return refuse(
        "unknown option; there are schema, host, port, user, sslmode, sslrootcert, "
        "sslcert, sslkey, sslcrl, target_session_attrs, channel_binding and service");
  }
  if (!find_option(name).empty()) return refuse("it has " + name + " twice");
  options_.emplace_back(name, value);
  return {};
}

Status Url::check() const {
  if (database_.empty() && find_option("service").empty()) {
    return refuse("it names no database: postgres://host/database");
  }
  const std::string mode = find_option("sslmode");
  const bool is_weak = mode == "disable" || mode == "allow" || mode == "prefer";
  // Without a host, the environment or a service file may name any.
  const bool is_far = hosts_.empty() || !std::ranges::all_of(hosts_, is_local, &Host::name);
  if (is_weak && is_far) {
    return refuse("sslmode=" + mode +
                  " would send transcripts to another machine without TLS; leave it out, or take "
                  "require");
  }
  return {};
}

std::string Url::find_option(std::string_view name) const {
  const auto found = std::ranges::find(options_, name, [](const auto& pair) { return pair.first; });
  return found == options_.end() ? "" : found->second;
}

std::string Url::str() const {
  std::string text = "postgres://";
  if (!user_.empty()) text += encode(user_) + "@";
  bool is_first = true;
  for (const Host& host : hosts_) {
    if (!std::exchange(is_first, false)) text += ",";
    text += host.name.contains(':') ? "[" + host.name + "]" : encode(host.name);
    if (host.port != Host().port) text += ":" + std::to_string(host.port);
  }
  text += "/" + encode(database_);
  char separator = '?';
  const auto add = [&](std::string_view name, std::string_view value) {
    text += std::exchange(separator, '&');
    text += std::string(name) + "=" + encode(value, "/:@,");
  };
  if (schema_ != Url().schema_) add("schema", schema_);
  for (const auto& [name, value] : options_) add(name, value);
  return text;
}

Url::Settings Url::settings(const Host* host) const {
  Settings settings = options_;
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty() && find_option(name).empty()) settings.emplace_back(name, std::move(value));
  };
  add("dbname", database_);
  add("user", user_);
  if (host != nullptr) {
    add("host", host->name);
    add("port", std::to_string(host->port));
  }
  // libpq leaves TLS out on Unix sockets whatever is asked, and its default may be any machine.
  add("sslmode", host != nullptr && is_local(host->name) ? "prefer" : "verify-full");
  add("gssencmode", "disable");  // encrypts too, but checks no name
  // Of several hosts, one may be a standby, where nothing can be written.
  add("target_session_attrs", hosts_.size() > 1 ? "read-write" : "any");
  add("application_name", "weft");
  add("client_encoding", "UTF8");
  return settings;
}

}  // namespace weft::postgres
