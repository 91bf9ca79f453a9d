#include "weft/cli/serve/run_up.hpp"

#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "weft/cli/follow/store_watch.hpp"
#include "weft/cli/follow/watch_output.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/serve/browser.hpp"
#include "weft/cli/serve/running_server.hpp"
#include "weft/cli/serve/serving.hpp"
#include "weft/cli/share/sync_follower.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

// A status line at the foot of the terminal: what came in since the start. Any thread may print to
// it.
class Board {
 public:
  explicit Board(const Context& context)
      : context_(context), line_(context.out(), std::chrono::milliseconds(0)) {}

  // Prints above the line, permanently.
  void note(std::string_view text) {
    const std::scoped_lock lock(mutex_);
    line_.clear();
    context_.note(text);
    show();
  }
  void set_url(std::string url) {
    const std::scoped_lock lock(mutex_);
    url_ = std::move(url);
    show();
  }
  // Shows the line from here on.
  void set_doing(std::string doing) {
    const std::scoped_lock lock(mutex_);
    doing_ = std::move(doing);
    show();
  }
  void add(const query::Library& library, const query::GrownConversation& grown) {
    const json::object about = query::describe(library, grown.row);
    const std::scoped_lock lock(mutex_);
    sessions_.insert(grown.row.format + ":" + grown.row.session_id);
    thoughts_ += grown.new_thoughts;
    last_ = local_time(now()) + " " + on_one_line(find_string(about, "project").value_or("-")) +
            ": " + first_words(find_string(about, "title").value_or(""));
    show();
  }

 private:
  void show() {
    if (doing_.empty()) return;
    std::string text = doing_ + (url_.empty() ? "" : ", serving at " + url_);
    if (thoughts_ == 0) {
      text += "; nothing new yet";
    } else {
      text += "; " + count(thoughts_, "thought") + " from " + count(sessions_.size(), "session") +
              ", last " + last_;
    }
    line_.show(text);
  }

  const Context& context_;
  std::mutex mutex_;
  ProgressLine line_;  // guarded by mutex_, as all below
  std::string doing_, url_, last_;
  std::set<std::string> sessions_;
  std::uint64_t thoughts_ = 0;
};

// Serves over HTTP on its own thread until `stop` becomes readable. Calls `serving` with the URL.
std::thread serve_aside(mcp::Server& server, const mcp::HttpOptions& http, const ListenAddress& at,
                        const std::filesystem::path& home, const std::string& admission, int stop,
                        Board& board, const std::function<void(const std::string& url)>& serving) {
  return std::thread([&server, http, at, home, admission, stop, &board, serving] {
    std::optional<ServerNote> note;
    const Status served = mcp::serve_http(server, http, stop, [&](std::uint16_t port) {
      note.emplace(home, at, port);
      serving(at.url(port));
      board.note("listening on " + at.url(port) + ", with the page at " + at.page_url(port) +
                 " (weft open): " + admission);
    });
    if (served) return;
    board.note(served.error().message +
               "; another weft process may be using the port. Following without serving; weft up "
               "--listen 127.0.0.1:0 picks a free port");
  });
}

}  // namespace

Answer run_up(const Context& context, const SourceOptions& source_options,
              const ServeOptions& serve_at, const std::function<Answer(const Opened&)>& show,
              bool opens_page) {
  Board board(context);
  std::optional<WatchOutput> lines;  // if there is no terminal to show a status line on
  std::unique_ptr<Serving> serving;
  Answer shown = Exit::done;
  bool has_shown = false;
  const auto show_once = [&] {
    if (std::exchange(has_shown, true)) return;
    const auto print = [&] { shown = show(serving->opened()); };
    lines ? lines->together(print) : print();
    if (!context.json()) context.print("\n");
    std::fflush(context.out());
  };
  const auto follows = [&](const ingest::Report& report) {
    show_once();
    if (lines) return lines->following(report);
    if (report.new_thoughts > 0) {
      board.note("ingested " + count(report.conversations.size(), "conversation") + " from " +
                 count(report.files, "file") + ": " + count(report.new_thoughts, "thought") +
                 " new");
    }
    board.set_doing("following");
  };
  const auto waits = [&] {
    show_once();
    if (lines) return lines->waiting();
    board.set_doing("another weft process ingests; this one takes over when it exits");
  };
  const auto grows = [&](const query::GrownConversation& grown) {
    lines ? lines->grew(grown) : board.add(serving->library(), grown);
  };
  StoreWatch following(context, {.following = follows, .waiting = waits, .grew = grows});
  Outcome<std::unique_ptr<Serving>> begun = Serving::begin(context, source_options, serve_at.allow,
                                                           following.calls(), following.progress());
  if (!begun) return refuse(std::move(begun));
  serving = *std::move(begun);
  if (context.json() || !is_terminal(context.out())) lines.emplace(context, serving->library());
  following.open(serving->store(), serving->library(), serving->stop_descriptor());
  Outcome<mcp::HttpOptions> http = serve_at.http(context);
  if (!http) return std::unexpected(http.error());
  http->site = &serving->page(serve_at.file_texts());

  const Result<std::vector<store::ConversationRow>> rows = serving->library().web.conversations({});
  if (rows && !rows->empty()) show_once();
  std::jthread opener;
  std::thread server = serve_aside(serving->server(), *http, serve_at.at(),
                                   context.home().directory, serve_at.admission(context, *http),
                                   serving->stop_descriptor(), board, [&](const std::string& url) {
                                     lines ? lines->serving(url) : board.set_url(url);
                                     if (!opens_page) return;
                                     // The server answers once this returns.
                                     opener = std::jthread([&context] {
                                       const auto running =
                                           find_running_server(context.home().directory);
                                       if (running) std::ignore = open_page(context, *running, "/");
                                     });
                                   });
  if (ingest::BackgroundIngest* background_ingest = serving->background_ingest()) {
    background_ingest->begin();
  } else {
    board.set_doing(serving->is_read_only()
                        ? "nothing is ingested, because the store cannot be written"
                        : "nothing is ingested, because this keyring cannot sign");
  }
  {
    const SyncFollower sync(context, serving->opened(),
                            [&](std::string_view line) { board.note(line); });
    following.run();
  }
  if (ingest::BackgroundIngest* background_ingest = serving->background_ingest())
    background_ingest->stop();
  ::kill(::getpid(), SIGTERM);  // if it was not ended by a signal, the server stops too
  server.join();
  return shown;
}

}  // namespace weft::cli
