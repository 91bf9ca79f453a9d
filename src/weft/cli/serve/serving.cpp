#include "weft/cli/serve/serving.hpp"

#include <unistd.h>

#include "weft/capture/agent/recorder.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/signals.hpp"
#include "weft/keep/keeper.hpp"
#include "weft/mcp/answers/change_notifier.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/query/cost/load_prices.hpp"

namespace weft::cli {
namespace {

Outcome<Opened> open(const Context& context, bool is_read_only) {
  if (is_read_only) {
    context.note("the store " + context.home().store.shown() +
                 " can be read, but not written: questions are answered, nothing is ingested");
    return context.open_to_read();
  }
  Outcome<std::optional<crypto::Keyring>> keyring = context.find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  const bool signs_nothing = *keyring && !(*keyring)->can_sign();
  return signs_nothing ? context.open_to_read() : context.open_to_write({});
}

}  // namespace

// In the order in which they depend on each other: the server is destroyed first.
struct Serving::Parts {
  Opened opened;
  int signals = -1;
  std::unique_ptr<ingest::BackgroundIngest> background_ingest{};
  std::unique_ptr<capture::Recorder> recorder{};
  std::unique_ptr<mcp::ServerContext> site{};
  std::unique_ptr<mcp::Server> server{};
  std::unique_ptr<mcp::Changes> changes{};
  std::function<Result<json::object>()> keeper{};  // what it says; empty for a store in a file
  std::unique_ptr<page::Page> page{};              // from its first use on
};

Serving::Serving(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Serving::~Serving() {
  parts_->page.reset();
  parts_->changes.reset();
  if (parts_->background_ingest) parts_->background_ingest->stop();
  parts_->server.reset();
  if (parts_->signals >= 0) ::close(parts_->signals);
}

mcp::Server& Serving::server() { return *parts_->server; }

page::Page& Serving::page(page::FileTexts file_texts) {
  if (parts_->page == nullptr) {
    parts_->page =
        std::make_unique<page::Page>(page::PageContext{.store = parts_->site->store,
                                                       .keyring = parts_->site->keyring,
                                                       .prices = parts_->site->prices,
                                                       .folders = parts_->site->sources.folders,
                                                       .version = WEFT_VERSION,
                                                       .file_texts = file_texts,
                                                       .keeper = parts_->keeper});
  }
  return *parts_->page;
}

int Serving::stop_descriptor() const { return parts_->signals; }

ingest::BackgroundIngest* Serving::background_ingest() { return parts_->background_ingest.get(); }

bool Serving::is_read_only() const { return parts_->site->is_read_only; }

const Opened& Serving::opened() const { return parts_->opened; }

const store::Store& Serving::store() const { return *parts_->opened.store; }
query::Library Serving::library() const { return parts_->site->library(); }

Outcome<std::unique_ptr<Serving>> Serving::begin(
    const Context& context, const SourceOptions& where, const std::vector<std::string>& allow,
    ingest::IngestCallbacks calls, std::function<void(const ingest::Progress&)> progress) {
  const int signals = catch_signals();
  const store::StoreUrl& url = context.home().store;
  const bool is_read_only = url.exists() && !url.is_writable();
  Outcome<Opened> opened = open(context, is_read_only);
  if (!opened) return refuse(std::move(opened));
  Outcome<ingest::Options> sources = options_to_follow(context, where);
  if (!sources) return refuse(std::move(sources));
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(config.error());
  auto prices = query::load_prices(context.home().directory, config->prices);
  if (!prices) return refuse(std::move(prices).error());
  auto parts = std::make_unique<Parts>(Parts{.opened = *std::move(opened), .signals = signals});
  if (url.server()) {
    parts->keeper = [server = *url.server()] { return keep::read_report(server); };
  }
  store::Store& store = *parts->opened.store;
  const crypto::Keyring* keyring = parts->opened.keyring ? &*parts->opened.keyring : nullptr;
  parts->site =
      std::make_unique<mcp::ServerContext>(mcp::ServerContext{.store = store,
                                                              .keyring = keyring,
                                                              .sources = *sources,
                                                              .is_read_only = is_read_only,
                                                              .prices = *std::move(prices)});
  for (const std::string& directory : allow) {
    parts->site->allowed.emplace_back(with_home(directory, context.environment()));
  }
  if (!is_read_only && keyring != nullptr && keyring->can_sign()) {
    ingest::Options followed = *sources;
    followed.progress = std::move(progress);
    // One core is left for the agents.
    followed.at_once = std::max(2u, std::thread::hardware_concurrency()) - 1;
    parts->background_ingest = std::make_unique<ingest::BackgroundIngest>(
        store, *keyring, std::move(followed), lock_for(context, where), std::move(calls));
    parts->recorder = std::make_unique<capture::Recorder>(store, *keyring, *sources);
    parts->site->background_ingest = parts->background_ingest.get();
    parts->site->recorder = parts->recorder.get();
  }
  parts->server = std::make_unique<mcp::Server>(mcp::all_features(WEFT_VERSION), parts->site.get());
  parts->changes = std::make_unique<mcp::Changes>(*parts->server, *parts->site);
  return std::unique_ptr<Serving>(new Serving(std::move(parts)));
}

}  // namespace weft::cli
