#include "weft/mcp/protocol/server.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>

#include "weft/mcp/protocol/methods.hpp"
#include "weft/mcp/protocol/session.hpp"
#include "weft/mcp/protocol/subscriptions.hpp"
#include "weft/mcp/protocol/workers.hpp"

namespace weft::mcp {
namespace {

constexpr std::size_t kQuickThreads = 4;
constexpr std::size_t kSlowThreads = 2;

// Reads the client of a request from its `_meta`; an error if that is not valid.
Served<Client> modern_client(const json::object& params) {
  const json::object* meta = meta_of(params);
  const auto version = meta != nullptr ? find_string(*meta, kMetaVersion) : std::nullopt;
  if (!version) {
    return reject(code::kInvalidParams, "_meta must contain " + std::string(kMetaVersion));
  }
  if (*version != kModernVersion) {
    return reject(
        code::kUnsupportedVersion, "Unsupported protocol version",
        json::object{{"supported", json::array{kModernVersion}}, {"requested", *version}});
  }
  const json::object* capabilities = find_object(*meta, kMetaCapabilities);
  if (capabilities == nullptr) {
    return reject(code::kInvalidParams, "_meta must contain " + std::string(kMetaCapabilities));
  }
  if (const json::value* level = find_member(*meta, kMetaLogLevel)) {
    if (!level->is_string() || !is_log_level(view(level->get_string()))) {
      return reject(code::kInvalidParams, "unknown log level");
    }
  }
  return Client{.era = Era::modern, .capabilities = *capabilities};
}

// Refuses the request itself, whatever it asks for.
bool is_bad_request(int code) {
  return code == code::kHeaderMismatch || code == code::kMissingCapability ||
         code == code::kUnsupportedVersion;
}

json::object as_legacy(json::object result) {
  for (const char* key : {"ttlMs", "cacheScope", "resultType"}) result.erase(key);
  return result;
}

}  // namespace

Session::Session(Keeps keeps, std::function<void(std::string message)> send)
    : state_(std::make_shared<SessionState>()) {
  state_->keeps_state = keeps == Keeps::state;
  state_->send = std::move(send);
}

Session::~Session() = default;

struct Server::Parts {
  Parts(const Features& offered, ServerContext* given) : features(offered), context(given) {}

  // --- from message to answer -----------------------------------------------------------------
  void handle_notification(const Message& message, SessionState& session);
  Served<Client> client_of(const Message& message, SessionState& session) const;
  void begin(const std::shared_ptr<Request>& request, const std::shared_ptr<SessionState>& session);
  // True if it was answered without a thread.
  bool serve_at_once(const std::shared_ptr<Request>& request,
                     const std::shared_ptr<SessionState>& session);
  void watch_for_changes() const {
    if (features.before_waiting != nullptr && context != nullptr) features.before_waiting(*context);
  }
  void work_on(const std::shared_ptr<Request>& request, const Tool* tool) const;
  void finish(Request& request, Served<> result) const;

  // --- requests under way -----------------------------------------------------------------------
  void ended(const Request& request);
  std::vector<std::shared_ptr<Request>> all_under_way() const;

  const Features features;
  ServerContext* const context;
  const Methods methods{features};
  Subscriptions subscriptions;

  mutable std::mutex mutex;
  std::condition_variable changed;
  // guarded by mutex; whether it is slow
  std::map<const Request*, std::pair<std::shared_ptr<Request>, bool>> under_way;
  bool is_closing = false;  // guarded by mutex

  std::unique_ptr<Workers> quick, slow;  // guarded by mutex; created when they are needed
};

void Server::Parts::ended(const Request& request) {
  subscriptions.forget(request);
  std::shared_ptr<Request> last;  // destroyed outside of the lock
  const std::scoped_lock lock(mutex);
  const auto found = under_way.find(&request);
  if (found != under_way.end()) {
    last = std::move(found->second.first);
    under_way.erase(found);
  }
  changed.notify_all();
}

std::vector<std::shared_ptr<Request>> Server::Parts::all_under_way() const {
  std::vector<std::shared_ptr<Request>> all;
  const std::scoped_lock lock(mutex);
  for (const auto& [pointer, entry] : under_way) all.push_back(entry.first);
  return all;
}

void Server::Parts::handle_notification(const Message& message, SessionState& session) {
  if (message.method != "notifications/cancelled") return;
  const json::value* id = find_member(message.params, "requestId");
  if (id == nullptr) return;
  std::shared_ptr<Request> request;
  {
    const std::scoped_lock lock(session.mutex);
    const auto found = session.under_way.find(canonical_json(*id));
    if (found != session.under_way.end()) request = found->second.lock();
  }
  if (request) request->cancel();
}

Served<Client> Server::Parts::client_of(const Message& message, SessionState& session) const {
  if (is_modern(message)) return modern_client(message.params);
  const std::scoped_lock lock(session.mutex);
  if (!session.keeps_state) return Client{.era = Era::legacy, .version = ""};
  if (session.client) return *session.client;
  if (message.method == "initialize" || message.method == "ping") {
    return Client{.era = Era::legacy, .version = ""};
  }
  return reject(code::kInvalidParams, "_meta must contain " + std::string(kMetaVersion) +
                                          ", or initialize must come first");
}

bool Server::Parts::serve_at_once(const std::shared_ptr<Request>& request,
                                  const std::shared_ptr<SessionState>& session) {
  const Message& message = request->message();
  if (request->client().era == Era::modern) {
    if (message.method != "subscriptions/listen") return false;
    if (Served<void> listening = subscriptions.listen(request); !listening) {
      request->reject(listening.error(), Verdict::served);
    } else {
      watch_for_changes();
    }
    return true;
  }
  const bool notifies = session->keeps_state && session->send != nullptr;
  if (message.method == "ping") {
    finish(*request, json::object());
    return true;
  }
  if (message.method == "initialize") {
    Served<> result = methods.initialize(message.params, {.notifies = notifies});
    if (result && session->keeps_state) {
      const json::object* capabilities = find_object(message.params, "capabilities");
      const std::scoped_lock lock(session->mutex);
      session->client =
          Client{.era = Era::legacy,
                 .version = std::string(find_string(*result, "protocolVersion").value_or("")),
                 .capabilities = capabilities != nullptr ? *capabilities : json::object()};
    }
    finish(*request, std::move(result));
    if (notifies) subscriptions.connect(session);
    return true;
  }
  const bool subscribes = message.method == "resources/subscribe";
  if (!notifies || (!subscribes && message.method != "resources/unsubscribe")) return false;
  const auto uri = find_string(message.params, "uri");
  if (!uri) {
    finish(*request, reject(code::kInvalidParams, message.method + ": uri is missing"));
    return true;
  }
  if (subscribes) {
    subscriptions.subscribe(session, std::string(*uri));
    watch_for_changes();
  } else {
    subscriptions.unsubscribe(session, std::string(*uri));
  }
  finish(*request, json::object());
  return true;
}

void Server::Parts::begin(const std::shared_ptr<Request>& request,
                          const std::shared_ptr<SessionState>& session) {
  const Message& message = request->message();
  if (serve_at_once(request, session)) return;
  if (!methods.knows(message.method, request->client().era)) {
    request->reject({code::kMethodNotFound, "Method not found"}, Verdict::no_such_method);
    return;
  }
  const Tool* tool = methods.find_called_tool(message.method, message.params);
  const bool is_slow = tool != nullptr && tool->pace == Tool::Pace::slow;
  const std::scoped_lock lock(mutex);
  if (const auto found = under_way.find(request.get()); found != under_way.end()) {
    found->second.second = is_slow;
  }
  std::unique_ptr<Workers>& workers = is_slow ? slow : quick;
  if (!workers) workers = std::make_unique<Workers>(is_slow ? kSlowThreads : kQuickThreads);
  workers->give([this, request, tool] { work_on(request, tool); });
}

void Server::Parts::work_on(const std::shared_ptr<Request>& request, const Tool* tool) const {
  if (request->stop().stop_requested()) return;
  try {
    Call call(request->message().params, request->client(), context, request->stop(),
              [&](std::string_view method, json::object params) {
                request->notify(method, std::move(params));
              });
    finish(*request, methods.answer(request->message().method, tool, call));
  } catch (const std::exception&) {
    // Out of memory, or a fault of our own: the next request may succeed. The message may quote
    // what was read, so it is not sent.
    request->reject({code::kInternalError, "Internal error"}, Verdict::served);
  }
}

void Server::Parts::finish(Request& request, Served<> result) const {
  if (!result) {
    request.reject(result.error(),
                   is_bad_request(result.error().code) ? Verdict::bad_request : Verdict::served);
  } else if (request.client().era == Era::modern) {
    request.answer(methods.finished(*std::move(result)));
  } else {
    request.answer(as_legacy(*std::move(result)));
  }
}

Server::Server(const Features& features, ServerContext* context)
    : parts_(std::make_unique<Parts>(features, context)) {}

Server::~Server() { stop(); }

std::shared_ptr<Ticket> Server::serve(Message message, Session& session,
                                      std::shared_ptr<Outlet> outlet) {
  Parts& parts = *parts_;
  const std::shared_ptr<SessionState>& state = session.state_;
  if (message.kind != Message::Kind::request) {
    if (message.kind == Message::Kind::notification) parts.handle_notification(message, *state);
    return nullptr;
  }
  Served<Client> client = parts.client_of(message, *state);
  const std::string id = canonical_json(message.id);
  const std::weak_ptr<SessionState> remembered = state;
  const auto request = std::make_shared<Request>(
      std::move(message), client ? *client : Client{}, std::move(outlet),
      [&parts, remembered, id](const Request& done) {
        if (const std::shared_ptr<SessionState> connected = remembered.lock()) {
          const std::scoped_lock lock(connected->mutex);
          const auto found = connected->under_way.find(id);
          if (found != connected->under_way.end() && found->second.lock().get() == &done) {
            connected->under_way.erase(found);
          }
        }
        parts.ended(done);
      });
  if (!client) {
    request->reject(client.error(), Verdict::bad_request);
    return request;
  }
  {
    const std::scoped_lock lock(parts.mutex);
    if (parts.is_closing) return nullptr;
    parts.under_way.emplace(request.get(), std::pair(request, false));
  }
  if (state->keeps_state) {
    const std::scoped_lock lock(state->mutex);
    state->under_way[id] = request;
  }
  parts.begin(request, state);
  return request;
}

std::vector<HeaderParameter> Server::header_parameters(const Message& message) const {
  std::vector<HeaderParameter> out;
  const Tool* tool = parts_->methods.find_called_tool(message.method, message.params);
  if (tool == nullptr || tool->input_schema.empty()) return out;
  const Result<ParsedJson> schema = parse_json(tool->input_schema);
  const json::object* object = schema ? schema->value.if_object() : nullptr;
  const json::object* properties = object != nullptr ? find_object(*object, "properties") : nullptr;
  if (properties == nullptr) return out;
  for (const auto& property : *properties) {
    const json::object* schema_of = property.value().if_object();
    const auto header =
        schema_of != nullptr ? find_string(*schema_of, "x-mcp-header") : std::nullopt;
    if (header) out.push_back({"Mcp-Param-" + std::string(*header), std::string(property.key())});
  }
  return out;
}

std::optional<net::Right> Server::right_for(const Message& message) const {
  constexpr std::array<std::string_view, 5> kTellsNothing = {
      "initialize", "ping", "server/discover", "tools/list", "logging/setLevel"};
  if (message.kind != Message::Kind::request) return std::nullopt;
  if (std::ranges::find(kTellsNothing, message.method) != kTellsNothing.end()) return std::nullopt;
  const Tool* tool = parts_->methods.find_called_tool(message.method, message.params);
  return tool != nullptr && !tool->hints.is_read_only ? net::Right::push : net::Right::read;
}

void Server::notify_changed(const std::vector<std::string>& uris) {
  parts_->subscriptions.notify_changed(uris);
}

void Server::notify_changed(ListKind list) { parts_->subscriptions.notify_changed(list); }

std::vector<std::string> Server::subscribed() const { return parts_->subscriptions.subscribed(); }

bool Server::is_awaited(ListKind list) const { return parts_->subscriptions.is_awaited(list); }

void Server::drain() {
  Parts& parts = *parts_;
  parts.subscriptions.close(
      [&](json::object result) { return parts.methods.finished(std::move(result)); });
  std::vector<std::shared_ptr<Request>> slow;
  {
    const std::scoped_lock lock(parts.mutex);
    for (const auto& [pointer, entry] : parts.under_way) {
      if (entry.second) slow.push_back(entry.first);
    }
  }
  for (const std::shared_ptr<Request>& request : slow) request->cancel();
  std::unique_lock lock(parts.mutex);
  parts.changed.wait(lock, [&] { return parts.under_way.empty(); });
}

void Server::stop() {
  Parts& parts = *parts_;
  {
    const std::scoped_lock lock(parts.mutex);
    parts.is_closing = true;
  }
  for (const std::shared_ptr<Request>& request : parts.all_under_way()) request->cancel();
  std::unique_ptr<Workers> quick, slow;
  {
    const std::scoped_lock lock(parts.mutex);
    quick = std::move(parts.quick);
    slow = std::move(parts.slow);
  }
  // Their destructors wait for the work under way.
}

}  // namespace weft::mcp
