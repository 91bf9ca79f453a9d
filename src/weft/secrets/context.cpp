#include "weft/secrets/context.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <string>

#include "weft/base/ascii.hpp"
#include "weft/secrets/checksum.hpp"
#include "weft/secrets/pattern.hpp"
#include "weft/secrets/placeholder.hpp"

namespace weft::secrets {
namespace {

constexpr std::array<std::string_view, 17> kSchemes = {
    "postgres", "postgresql", "mysql", "mariadb", "mongodb",   "mongodb+srv",
    "redis",    "rediss",     "amqp",  "amqps",   "mssql",     "sqlserver",
    "ldap",     "ldaps",      "smtp",  "smtps",   "clickhouse"};

bool is_local(std::string_view host) {
  return host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("0.0.0.0") ||
         host.starts_with("[::1]") || host.find('.') == std::string_view::npos;
}

bool is_documentation(std::string_view host) {
  return host.find("example.") != std::string_view::npos || host.starts_with("host");
}

// Bits for each character, by how often each occurs.
double entropy_of(std::string_view text) {
  std::array<int, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    const double share = count / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

bool has_digit_and_letter(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return is_in_class(c, 'd'); }) &&
         std::ranges::any_of(text, [](char c) { return is_in_class(c, 'l'); });
}

}  // namespace

std::optional<Finding> find_private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ", kKind = "PRIVATE KEY", kDashes = "-----";
  constexpr std::size_t kLongest = 16 << 10, kShortestBody = 64;
  const std::string_view here = text.substr(at, kLongest);
  if (!here.starts_with(kBegin)) return std::nullopt;
  const std::size_t kind = here.substr(0, 64).find(kKind);
  if (kind == std::string_view::npos) return std::nullopt;
  std::size_t body = here.find(kDashes, kind);
  if (body == std::string_view::npos || body > kind + 24) return std::nullopt;
  body += kDashes.size();
  const std::size_t end = here.find("-----END ", body);
  // A key that was cut off is one, too.
  std::size_t stop = end;
  if (end == std::string_view::npos) {
    stop = body;
    while (stop < here.size() &&
           (is_in_class(here[stop], 's') ||
            kWhiteSpace.find(here[stop]) != std::string_view::npos || here[stop] == '\\'))
      ++stop;
  }
  std::string_view inside = here.substr(body, stop - body);
  // Headers of an encrypted key, or of PGP, end with an empty line.
  if (inside.find(':') != std::string_view::npos) {
    for (const std::string_view gap : {"\n\n", "\\n\\n", "\r\n\r\n", "\\r\\n\\r\\n"}) {
      const std::size_t found = inside.find(gap);
      if (found == std::string_view::npos) continue;
      inside.remove_prefix(found);
      break;
    }
  }
  const std::size_t armour_sum = inside.rfind('=');  // PGP's checksum stands on a line of its own
  const bool is_pgp = here.substr(0, kind).find("PGP") != std::string_view::npos;
  if (is_pgp && armour_sum != std::string_view::npos) inside = inside.substr(0, armour_sum);
  if (inside.size() < kShortestBody) return std::nullopt;
  if (end != std::string_view::npos && !is_pgp && !is_base64(inside)) return std::nullopt;
  if (end != std::string_view::npos) {
    stop = here.find(kDashes, end + kDashes.size());
    stop = stop == std::string_view::npos ? here.size() : stop + kDashes.size();
  }
  return Finding{.offset = at, .length = stop, .rule = &kPrivateKey};
}

std::optional<Finding> find_url_password(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostScheme = 12, kMostUser = 128, kMostPassword = 256;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kMostScheme &&
         (is_in_class(text[begin - 1], 'a') || text[begin - 1] == '+'))
    --begin;
  const std::string scheme = to_lower(text.substr(begin, at - begin));
  if (scheme.empty()) return std::nullopt;
  std::size_t colon = at + 3;
  const auto ends = [&](std::size_t i) {
    return i >= text.size() || kWhiteSpace.find(text[i]) != std::string_view::npos ||
           std::string_view("/?#\"'`<>\\").find(text[i]) != std::string_view::npos;
  };
  while (!ends(colon) && text[colon] != ':' && text[colon] != '@' && colon - at < kMostUser)
    ++colon;
  if (ends(colon) || text[colon] != ':') return std::nullopt;
  std::size_t stop = colon + 1;
  while (!ends(stop) && text[stop] != '@' && stop - colon < kMostPassword) ++stop;
  if (ends(stop) || text[stop] != '@') return std::nullopt;
  const std::string_view user = text.substr(at + 3, colon - at - 3);
  const std::string_view password = text.substr(colon + 1, stop - colon - 1);
  const std::string_view host = text.substr(stop + 1, 64);
  if (is_placeholder_password(password) || equals_ignoring_case(user, password))
    return std::nullopt;
  if (is_documentation(host)) return std::nullopt;
  const bool is_database = std::ranges::find(kSchemes, scheme) != kSchemes.end();
  const Rule* rule = is_database && !is_local(host.substr(0, host.find_first_of(":/?")))
                         ? &kDatabasePassword
                         : &kUrlPassword;
  return Finding{.offset = colon + 1, .length = password.size(), .rule = rule};
}

std::optional<Finding> find_assigned(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 7> kNames = {"key",    "token",      "secret", "password",
                                                      "passwd", "credential", "auth"};
  constexpr std::size_t kMostName = 64, kLeast = 16, kMost = 256;
  constexpr double kLeastEntropy = 3.5;
  // The name before it, quoted or not.
  std::size_t end = at;
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '"' || text[end - 1] == '\'' ||
                     text[end - 1] == '\\'))
    --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin < kMostName && is_in_class(text[begin - 1], 'u')) --begin;
  const std::string name = to_lower(text.substr(begin, end - begin));
  const bool is_named = std::ranges::any_of(
      kNames, [&](std::string_view word) { return name.find(word) != std::string::npos; });
  if (!is_named) return std::nullopt;
  std::size_t from = at + 1;
  while (from < text.size() &&
         (text[from] == ' ' || text[from] == '"' || text[from] == '\'' || text[from] == '\\'))
    ++from;
  std::size_t stop = from;
  while (stop < text.size() && stop - from <= kMost && is_in_class(text[stop], 't')) ++stop;
  const std::string_view value = text.substr(from, stop - from);
  if (value.size() < kLeast || value.size() > kMost) return std::nullopt;
  if (!has_digit_and_letter(value) || is_placeholder(value) || entropy_of(value) < kLeastEntropy) {
    return std::nullopt;
  }
  return Finding{.offset = from, .length = value.size(), .rule = &kAssigned};
}

}  // namespace weft::secrets
