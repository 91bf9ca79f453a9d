#include "weft/cli/serve/browser.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/serve/token.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::cli {
namespace {

// A file that only its owner can read, which sends the browser on with the token. A URL with the
// token in it would show in the list of processes.
Result<std::string> write_redirect(const Context& context, const std::string& url) {
  const std::filesystem::path& home = context.home().directory;
  Result<Token> token = read_or_make_token(home / "serve.token");
  if (!token) return fail(std::move(token).error());
  const std::filesystem::path path = home / "open.html";
  const std::string page = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>weft</title>"
      "<meta http-equiv=\"refresh\" content=\"0; url={}#token={}\">\n",
      url, token->text);
  Status written = write_file_atomically(path, page, 0600);
  if (!written) return fail(std::move(written).error());
  return "file://" + path.string();
}

bool has_display() {
  if (std::getenv("SSH_CONNECTION") != nullptr) return false;
  return std::getenv("BROWSER") != nullptr || std::getenv("DISPLAY") != nullptr ||
         std::getenv("WAYLAND_DISPLAY") != nullptr;
}

// Runs the browser that the user chose, else that of the desktop.
bool start_browser(const std::string& url) {
  const char* chosen = std::getenv("BROWSER");
  std::string program = chosen != nullptr && *chosen != '\0' ? chosen : "xdg-open";
  std::string argument = url;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) {
    return false;
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void print_link(const Context& context, const std::string& url) {
  if (context.json()) return context.print_json({{"url", url}});
  context.print(url + "\n");
  const Result<net::Url> parsed = net::Url::parse(url.substr(0, url.find('/', 7)));
  if (std::getenv("SSH_CONNECTION") != nullptr && parsed) {
    context.note(
        fmt::format("from your own machine: ssh -L {0}:127.0.0.1:{0} HOST, then open the "
                    "link there",
                    parsed->port));
  }
}

Status open_page(const Context& context, const RunningServer& server, const std::string& path) {
  const std::string url = server.url + path;
  if (!has_display()) {
    print_link(context, url);
    return {};
  }
  std::string opened = url;
  if (!server.admits_us) {
    WEFT_TRY_VALUE(opened, write_redirect(context, url));
  }
  if (!start_browser(opened)) {
    context.note("no browser could be started; open the link yourself");
    print_link(context, url);
  }
  return {};
}

}  // namespace weft::cli
