// weft record: a proxy that records the exchanges between a program and a model's API.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <vector>

#include "weft/capture/proxy/journal_weaver.hpp"
#include "weft/capture/proxy/proxy.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/signals.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/serve/listen_address.hpp"
#include "weft/net/endpoint.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kListen = "127.0.0.1:4738";
constexpr std::uint16_t kPort = 4738;

struct Options {
  std::string upstream;
  std::string listen{kListen};
  std::vector<std::string> hosts, origins;
  bool allow_remote = false;
};

std::string check_listen(const std::string& text) {
  return parse_listen_address(text)
             ? std::string()
             : "expected ADDRESS:PORT, for example 127.0.0.1:4738 or [::1]:4738";
}

std::string check_host(const std::string& text) {
  return net::parse_authority(text) ? std::string()
                                    : "expected NAME or NAME:PORT, for example localhost:3000";
}

// "null" is the origin of every sandboxed page, so it cannot be allowed.
std::string check_origin(const std::string& text) {
  const std::size_t scheme = text.find("://");
  const bool is_origin = scheme != std::string::npos && scheme > 0 && scheme + 3 < text.size() &&
                         text.find('/', scheme + 3) == std::string::npos;
  return is_origin ? std::string()
                   : "expected SCHEME://HOST[:PORT], for example http://localhost:3000";
}

std::string check_upstream(const std::string& text) {
  const auto url = net::Url::parse(text);
  return url ? std::string() : url.error().message;
}

// Each exchange needs two sockets and a file: raises the limit as far as this user may.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void print_endpoint(const Context& context, const std::string& url, const std::string& upstream) {
  context.note("recording on " + url + ", forwarding to " + upstream);
  if (!context.json()) return;
  context.print_json(json::object{{"url", url}, {"upstream", upstream}});
  std::fflush(context.out());
}

Answer record(const Context& context, const Options& options) {
  const ListenAddress at = parse_listen_address(options.listen, kPort).value_or(ListenAddress());
  const net::Url upstream = net::Url::parse(options.upstream).value();
  if (!at.is_loopback && !options.allow_remote) {
    return refuse({ErrorCode::invalid_input,
                   "refusing to listen on " + options.listen +
                       ": other machines could reach it, and their API traffic would be readable "
                       "on the way and recorded; pass --allow-remote to allow that"},
                  Exit::usage);
  }
  const int signals = catch_signals();
  allow_many_files();
  Outcome<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  Outcome<ingest::Options> taking = options_for(context, {}, {});
  if (!taking) return refuse(std::move(taking));
  Result<capture::Journal> journal =
      capture::Journal::open(context.home().directory / "record", *opened->keyring);
  if (!journal) return refuse(std::move(journal).error(), Exit::failure);

  std::mutex mutex;
  const capture::Note note = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    context.note(line);
  };
  if (!upstream.is_tls && !net::is_loopback(upstream.host)) {
    note("traffic to " + upstream.host +
         " is not encrypted, and neither are its API keys; use https://");
  }
  capture::ExchangeWeaver weaver(*opened->store, *opened->keyring, *taking);
  capture::JournalWeaver journal_weaver(weaver, *journal, note);
  const capture::ProxyOptions proxy{.address = at.address,
                                    .port = at.port,
                                    .upstream = upstream,
                                    .hosts = options.hosts,
                                    .origins = options.origins,
                                    .admits_others = options.allow_remote,
                                    .open_listener =
                                        [&](const net::MessageHead& head) {
                                          return capture::open_journal_listener(
                                              head, *journal, journal_weaver, now, note);
                                        },
                                    .note = note};
  const Status ran = capture::run_proxy(proxy, signals, [&](std::uint16_t port) {
    std::string url = at.url(port);
    url.resize(url.rfind('/'));
    print_endpoint(context, url, options.upstream);
  });
  ::close(signals);
  if (!ran) return refuse(ran.error(), Exit::failure);
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("--upstream", options->upstream, "URL of the API to forward to",
                {.value = "URL", .required = true, .check = check_upstream});
  arguments.add("--listen", options->listen,
                "Address and port to listen on (default: 127.0.0.1:4738; port 0 picks a free one)",
                {.value = "HOST:PORT", .check = check_listen});
  arguments.add("--host", options->hosts,
                "Host name to accept in Host and Origin besides loopback; may be repeated",
                {.value = "NAME[:PORT]", .check = check_host});
  arguments.add("--allow-origin", options->origins,
                "Origin whose requests to accept, for a client that sends one; may be repeated",
                {.value = "ORIGIN", .check = check_origin});
  arguments.flag("--allow-remote", options->allow_remote,
                 "Accept other users, and --listen addresses that other machines can reach");
  return [options](Context& context) { return record(context, *options); };
}

}  // namespace

const Command& record_command() {
  static const Command command = {
      .name = "record",
      .group = Group::run_ingest,
      .summary = "record the exchanges between a program and an API",
      .about =
          "A proxy between a program and a model's API: Anthropic Messages, OpenAI Chat\n"
          "Completions and Responses, and compatible APIs. The traffic is neither changed nor\n"
          "delayed; each exchange is recorded alongside, and the requests of one conversation are\n"
          "joined. API keys are never stored. Set ANTHROPIC_BASE_URL or OPENAI_BASE_URL in the\n"
          "program to the address that weft prints. Programs of other users are refused, and so\n"
          "are requests from web pages; --allow-remote and --allow-origin allow them. Stops on\n"
          "Ctrl-C, after the exchanges under way have finished.",
      .examples =
          "weft record --upstream https://api.anthropic.com\n"
          "weft record --upstream https://api.openai.com --listen 127.0.0.1:4739",
      .see_also = "weft ingest, weft export, weft list",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
