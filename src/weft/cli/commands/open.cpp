// weft open: opens the page in the browser.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "weft/base/file.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/serve/running_server.hpp"
#include "weft/cli/serve/token.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string name;
  bool print = false;
};

// The path of the page that shows a conversation or a thought; "/" for no name.
Outcome<std::string> path_of(const Context& context, const std::string& name) {
  if (name.empty()) return "/";
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  if (const auto row = query::resolve_conversation(library, name)) return "/c/" + row->cid.str();
  Outcome<Cid> cid = thought_called(library, name);
  if (!cid) return refuse(std::move(cid));
  return "/t/" + cid->str();
}

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

Answer open(const Context& context, const Options& options) {
  Outcome<std::string> path = path_of(context, options.name);
  if (!path) return refuse(std::move(path));
  const auto server = find_running_server(context.home().directory);
  if (!server) {
    return refuse({ErrorCode::unavailable,
                   "no server runs for this home; start one with weft up or weft serve"});
  }
  const std::string url = server->url + *path;
  if (options.print || context.json() || !has_display()) {
    print_link(context, url);
    return Exit::done;
  }
  std::string opened = url;
  if (!server->admits_us) {
    Result<std::string> redirect = write_redirect(context, url);
    if (!redirect) return refuse(std::move(redirect).error());
    opened = *std::move(redirect);
  }
  if (!start_browser(opened)) {
    context.note("no browser could be started; open the link yourself");
    print_link(context, url);
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("NAME", options->name, "A conversation or a thought (default: the first screen)");
  arguments.flag("--print", options->print, "Print the link, and start no browser");
  return [options](Context& context) { return open(context, *options); };
}

}  // namespace

const Command& open_command() {
  static const Command command = {
      .name = "open",
      .group = Group::serve,
      .summary = "open weft's page in the browser",
      .about =
          "Opens the page of the server that weft up or weft serve runs for this home, at a\n"
          "conversation or a thought if one is named. Without a display, and over SSH, it prints\n"
          "the link instead. Where the server wants its token, the browser gets it through a file\n"
          "that only you can read.",
      .examples =
          "weft open\n"
          "weft open 3f2a91c0\n"
          "weft open --print",
      .see_also = "weft up, weft serve",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
