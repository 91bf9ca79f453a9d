#include "weft/page/site/files.hpp"

#include <algorithm>
#include <array>

#include "weft/net/ascii.hpp"
#include "weft/page/site/target.hpp"

namespace weft::page {
namespace {

// The page's screens (page/src/app.tsx). A path below one names what it shows.
constexpr std::array<std::string_view, 8> kScreens = {"/sessions", "/search",   "/stats", "/cost",
                                                      "/sources",  "/licences", "/t",     "/c"};

// No string becomes markup, no script or style that is not a file of ours runs, and nothing is
// loaded from or sent to anywhere else.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; worker-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types weft-worker";

const File* find_file(std::string_view path) {
  const std::span<const File> files = all_files();
  const auto found = std::ranges::find(files, path, &File::path);
  return found == files.end() ? nullptr : &*found;
}

bool is_screen(std::string_view path) {
  return std::ranges::any_of(kScreens, [&](std::string_view screen) {
    return path.starts_with(screen) && (path.size() == screen.size() || path[screen.size()] == '/');
  });
}

// Whether a list of a request's field, as Accept-Encoding has, contains `name`. A weight of 0
// excludes it.
bool lists(const net::RequestHead& head, std::string_view field, std::string_view name) {
  std::string_view rest = head.find(field).value_or("");
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view item = net::trim(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const std::size_t semicolon = item.find(';');
    const std::string_view weight =
        semicolon == std::string_view::npos ? "" : net::trim(item.substr(semicolon + 1));
    item = net::trim(item.substr(0, semicolon));
    const bool is_excluded =
        weight.starts_with("q=0") && weight.find_first_not_of("0.", 2) == std::string_view::npos;
    if (net::equals_ignoring_case(item, name) && !is_excluded) return true;
  }
  return false;
}

}  // namespace

bool is_file(std::string_view path) { return find_file(path) != nullptr || is_screen(path); }

net::HttpResponse respond_with_file(const net::RequestHead& head) {
  const std::string_view path = split_target(head.target).path;
  const File* found = find_file(path);
  const File& file = found != nullptr ? *found : *find_file("/");
  const std::string etag = '"' + std::string(file.hash) + '"';
  const bool is_page = file.path == "/";
  net::HttpResponse response{
      .type = file.type,
      .fields = {{"ETag", etag},
                 {"Vary", "Accept-Encoding"},
                 {"Cross-Origin-Resource-Policy", "same-origin"},
                 {"Referrer-Policy", "no-referrer"}},
      // A name under /assets/ has the hash of its content, so that it never changes.
      .cache = is_page ? "no-cache" : "public, max-age=31536000, immutable"};
  if (is_page) {
    response.fields.emplace_back("Content-Security-Policy", kPolicy);
    response.fields.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    response.fields.emplace_back(
        "Permissions-Policy",
        "camera=(), geolocation=(), microphone=(), payment=(), usb=(), display-capture=()");
  }
  if (lists(head, "if-none-match", etag)) {
    response.status = 304;
    return response;
  }
  response.lent = file.bytes;
  if (!file.brotli.empty() && lists(head, "accept-encoding", "br")) {
    response.lent = file.brotli;
    response.fields.emplace_back("Content-Encoding", "br");
  } else if (!file.gzip.empty() && lists(head, "accept-encoding", "gzip")) {
    response.lent = file.gzip;
    response.fields.emplace_back("Content-Encoding", "gzip");
  }
  return response;
}

}  // namespace weft::page
