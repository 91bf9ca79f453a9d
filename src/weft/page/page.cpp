#include "weft/page/page.hpp"

#include <boost/json/serialize.hpp>
#include <mutex>
#include <stop_token>

#include "weft/mcp/protocol/workers.hpp"
#include "weft/page/route.hpp"
#include "weft/page/site/events.hpp"
#include "weft/page/site/files.hpp"
#include "weft/page/site/target.hpp"
#include "weft/query/secrets/secret_mask.hpp"

namespace weft::page {
namespace {

constexpr std::string_view kEventsPath = "/api/events";
constexpr std::size_t kQuickThreads = 2, kSlowThreads = 1;

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found: return 404;
    case ErrorCode::invalid_input: return 400;
    case ErrorCode::denied: return 403;
    case ErrorCode::unavailable: return 503;
    case ErrorCode::conflict: return 409;
    case ErrorCode::corrupt:
    case ErrorCode::internal: break;
  }
  return 500;
}

// Every answer names the build of the page that it is for: an older page then asks to be reloaded.
net::HttpFields common_fields() {
  return {{"X-Weft-Build", std::string(build_of_page())},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Content-Security-Policy", "default-src 'none'; sandbox"}};
}

net::HttpResponse to_response(const Error& error) {
  const json::object body{{"error", json::object{{"code", json::string(to_string(error.code))},
                                                 {"message", error.message}}}};
  return {.status = status_of(error.code), .body = canonical_json(body), .fields = common_fields()};
}

// A question on its way through a thread.
struct Question final : net::SiteQuestion {
  std::stop_source stop;
  std::mutex mutex;
  std::shared_ptr<net::SiteOutlet> outlet;  // guarded by mutex; null once cancelled or answered

  void cancel() override {
    stop.request_stop();
    const std::lock_guard lock(mutex);
    outlet = nullptr;
  }
  void respond(net::HttpResponse response) {
    const std::lock_guard lock(mutex);
    if (outlet != nullptr) outlet->respond(std::move(response));
    outlet = nullptr;
  }
};

// A route, and what a path leaves open in it.
struct Matched {
  const Route* route = nullptr;
  std::string name;
};
Matched match(std::string_view path) {
  for (const Route* route : all_routes()) {
    if (auto name = match_path(route->path, path)) return {route, *std::move(name)};
  }
  return {};
}

// What answers are made from, beside the store.
struct Caches {
  NameCache names{};
  FileCache files{};
};

Result<net::HttpResponse> answer(const PageContext& context, Caches& caches, const Matched& asked,
                                 const std::string& query, std::stop_token stop) {
  Result<json::object> given = read_query(query);
  if (!given) return fail(std::move(given).error());
  auto arguments = mcp::read_arguments(asked.route->parameters, *given);
  if (!arguments) return fail(ErrorCode::invalid_input, arguments.error());
  const bool is_revealed = find_bool(*arguments, "reveal").value_or(false);
  const query::PinnedLibrary library(context.store, context.keyring,
                                     is_revealed ? query::Secrets::shown : query::Secrets::masked);
  const Asking asking{.context = context,
                      .library = library,
                      .arguments = *arguments,
                      .name = asked.name,
                      .names = caches.names,
                      .files = caches.files,
                      .stop = std::move(stop)};
  if (asked.route->respond != nullptr) return asked.route->respond(asking);
  Result<json::object> answered = asked.route->answer(asking);
  if (!answered) return fail(std::move(answered).error());
  // Texts of thoughts are masked already; titles, paths and the like are here.
  if (!asked.route->is_exact && !is_revealed) query::SecretMask(context.keyring).mask(*answered);
  return net::HttpResponse{.body = json::serialize(*answered)};
}

}  // namespace

struct Page::Parts {
  PageContext context;
  Events events{context.store};
  Caches caches{};
  // The threads end first: their questions use the rest.
  mcp::Workers quick{kQuickThreads}, slow{kSlowThreads};
};

Page::Page(PageContext context) : parts_(new Parts{std::move(context)}) {}
Page::~Page() = default;

Page::Part Page::part_of(std::string_view path) const {
  if (path == kEventsPath) return Part::stream;
  if (path.starts_with("/api/")) return match(path).route != nullptr ? Part::question : Part::none;
  return is_file(path) ? Part::file : Part::none;
}

net::Right Page::right_for(std::string_view path) const {
  const Route* route = match(path).route;
  return route == nullptr ? net::Right::read : route->right;
}

net::HttpResponse Page::file(const net::RequestHead& head) const { return respond_with_file(head); }

std::shared_ptr<net::SiteQuestion> Page::ask(const net::RequestHead& head,
                                             std::shared_ptr<net::SiteOutlet> outlet) {
  const Target target = split_target(head.target);
  if (target.path == kEventsPath) {
    const auto last = Cid::parse(head.find("last-event-id").value_or(""));
    return parts_->events.follow(last ? std::optional(*last) : std::nullopt, std::move(outlet));
  }
  auto question = std::make_shared<Question>();
  question->outlet = std::move(outlet);
  Matched asked = match(target.path);
  mcp::Workers& workers = asked.route->pace == Route::Pace::slow ? parts_->slow : parts_->quick;
  workers.give([question, asked = std::move(asked), query = std::string(target.query),
                &context = parts_->context, &caches = parts_->caches] {
    if (question->stop.stop_requested()) return;
    Result<net::HttpResponse> response =
        answer(context, caches, asked, query, question->stop.get_token());
    if (!response) return question->respond(to_response(response.error()));
    for (auto& field : common_fields()) response->fields.push_back(std::move(field));
    question->respond(*std::move(response));
  });
  return question;
}

void Page::drain() { parts_->events.end(); }

}  // namespace weft::page
