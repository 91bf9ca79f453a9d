// Answers requests: the half of HttpConnection from a parsed message to the bytes of the response.
//
// Every argument of a coroutine is a named variable here: g++ 12 destroys aggregates twice that are
// made inside of a co_await.
#include <boost/asio/post.hpp>

#include "weft/mcp/transports/http_connection.hpp"
#include "weft/mcp/transports/http_mirror.hpp"

namespace weft::mcp {

namespace asio = boost::asio;

namespace {

// Notifications that wait for a slow client. Beyond that many bytes, it loses its stream.
constexpr std::size_t kMostPendingBytes = 4u << 20;

const net::HttpResponse kStoppingResponse =
    net::to_response({503, "the server is stopping; try again once it has restarted"});
const net::HttpResponse kTooMany =
    net::to_response({429, "too many streams are open from this address; close one first"});
const net::HttpResponse kWantsStream =
    net::to_response({406, "this method answers with a stream; accept text/event-stream"});

net::HttpResponse bad_request(const json::value& id, const RpcError& error) {
  return {.status = 400, .body = to_error(id, error)};
}

net::HttpResponse forbidden(const json::value& id, net::Right right) {
  net::HttpRefusal refusal = lacks(right);
  const RpcError error{code::kForbidden, std::move(refusal.reason),
                       json::object{{"right", json::string(net::to_string(right))}}};
  return {
      .status = refusal.status, .body = to_error(id, error), .fields = std::move(refusal.fields)};
}

}  // namespace

// One request under way. Its destructor cancels what is not answered and closes the reply.
struct HttpConnection::Exchange {
  ServerState& state;
  const net::RequestHead& head;
  const std::string& client;
  Accepts accepts{};
  // A client that goes away has cancelled its request. A legacy one of MCP has not: its request is
  // answered, in case it has closed only its own side.
  bool ends_with_client = true;
  Session session{Session::Keeps::nothing};
  std::shared_ptr<HttpReply> reply{};
  std::shared_ptr<Ticket> ticket{};               // of a message
  std::shared_ptr<net::SiteQuestion> question{};  // of the site
  bool is_counted = false;                        // among the open streams of its client
  bool is_stream = false;
  bool is_answered = false;

  Exchange(ServerState& its_state, const net::RequestHead& its_head, const std::string& its_client)
      : state(its_state), head(its_head), client(its_client) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    if (!is_answered && ticket) ticket->cancel();
    if (!is_answered && question) question->cancel();
    if (reply) reply->close();
    if (is_counted && --state.streams[client] == 0) state.streams.erase(client);
  }

  void count() {
    if (!std::exchange(is_counted, true)) ++state.streams[client];
  }

  net::Framing framing() const {
    return head.is_http_1_0 ? net::Framing::until_close : net::Framing::chunked;
  }
};

HttpConnection::Awaitable<bool> HttpConnection::serve_message(const net::RequestHead& head,
                                                              net::Rights rights,
                                                              std::string body) {
  std::expected<Message, Malformed> message = parse_message(body);
  std::string().swap(body);
  if (!message) {
    const net::HttpResponse bad = bad_request(message.error().id, message.error().error);
    co_return co_await respond(head, bad);
  }
  const std::optional<net::Right> needed = state_.server.right_for(*message);
  if (needed && !rights.has(*needed)) {
    const net::HttpResponse refused = forbidden(message->id, *needed);
    co_return co_await respond(head, refused);
  }
  const std::vector<HeaderParameter> parameters = state_.server.header_parameters(*message);
  if (const std::optional<RpcError> error = check_mirrored(head, *message, parameters)) {
    const net::HttpResponse bad = bad_request(message->id, *error);
    co_return co_await respond(head, bad);
  }
  if (message->kind == Message::Kind::request) {
    co_return co_await serve_request(head, *std::move(message));
  }
  Session session(Session::Keeps::nothing);
  state_.server.serve(*std::move(message), session, nullptr);
  const net::HttpResponse accepted{.status = 202};
  co_return co_await respond(head, accepted);
}

HttpConnection::Awaitable<bool> HttpConnection::serve_request(const net::RequestHead& head,
                                                              Message message) {
  Exchange exchange(state_, head, client_);
  const Era era = is_modern(message) ? Era::modern : Era::legacy;
  exchange.ends_with_client = era == Era::modern;
  exchange.accepts = accepted_by(head);
  // A subscription has no answer but its stream.
  if (message.method == "subscriptions/listen") {
    if (!exchange.accepts.stream) co_return co_await respond(head, kWantsStream);
    if (!may_stream()) co_return co_await respond(head, kTooMany);
    exchange.count();  // before another request is read
  }
  exchange.reply = make_reply();
  exchange.ticket = state_.server.serve(std::move(message), exchange.session,
                                        std::make_shared<HttpOutlet>(exchange.reply, era));
  co_return co_await conclude(exchange);
}

HttpConnection::Awaitable<bool> HttpConnection::serve_question(const net::RequestHead& head,
                                                               Route route) {
  Exchange exchange(state_, head, client_);
  exchange.accepts = {.json = route == Route::question, .stream = route == Route::stream};
  if (route == Route::stream) {
    if (!may_stream()) co_return co_await respond(head, kTooMany);
    exchange.count();
  }
  exchange.reply = make_reply();
  exchange.question =
      state_.options.site->ask(head, std::make_shared<HttpSiteOutlet>(exchange.reply));
  co_return co_await conclude(exchange);
}

// Waits for the answer and writes it.
HttpConnection::Awaitable<bool> HttpConnection::conclude(Exchange& exchange) {
  watch();
  exchange.is_answered = co_await pump(exchange);
  if (!exchange.is_answered) co_return false;
  co_await unwatch();
  const bool in_step = !exchange.is_stream || exchange.framing() == net::Framing::chunked;
  co_return in_step && !is_gone_ && afterwards(exchange.head) == net::Afterwards::keep;
}

// The reply and the connection own each other until the reply is closed.
std::shared_ptr<HttpReply> HttpConnection::make_reply() {
  return std::make_shared<HttpReply>(
      [self = shared_from_this()](HttpReply::Reason reason) {
        asio::post(self->socket_.get_executor(), [self, reason] {
          if (reason == HttpReply::Reason::overfull) self->abandon();
          self->wake();
        });
      },
      kMostPendingBytes);
}

// Writes parts of a stream until the request is answered. False if there is no answer, or no
// client.
HttpConnection::Awaitable<bool> HttpConnection::pump(Exchange& exchange) {
  using Clock = std::chrono::steady_clock;
  for (Clock::time_point last = Clock::now();;) {
    const HttpReply::Pending pending = exchange.reply->take();
    if (is_abandoned_ || (is_gone_ && exchange.ends_with_client) || pending.is_overfull) {
      co_return false;
    }
    if (!is_admitted(exchange.head)) co_return false;
    for (const std::string& part : pending.parts) {
      // A client that cannot have a stream, or another one, gets no notifications.
      const bool can_stream = exchange.accepts.stream && (exchange.is_counted || may_stream());
      if (is_gone_ || !can_stream) break;
      if (!exchange.is_stream) co_await open_stream(exchange);
      co_await write_part(exchange, part);
      last = Clock::now();
    }
    if (pending.answer) {
      co_await finish(exchange, *pending.answer);
      co_return true;
    }
    if (pending.is_dropped) {
      if (!exchange.is_stream) co_await respond(exchange.head, kStoppingResponse);
      co_return false;
    }
    if (!pending.parts.empty()) continue;  // writing took time: there may be more
    const auto silent = std::chrono::duration_cast<Milliseconds>(Clock::now() - last);
    if (silent < state_.options.keep_alive) {
      co_await wait(state_.options.keep_alive - silent);
      continue;
    }
    last = Clock::now();
    // An answer that takes this long becomes a stream as well, so that no proxy gives up on it.
    if (is_gone_ || !exchange.accepts.stream) continue;
    if (!exchange.is_counted && !may_stream()) continue;
    if (!exchange.is_stream) co_await open_stream(exchange);
    co_await write_part(exchange, net::kIdleComment);
  }
}

HttpConnection::Awaitable<> HttpConnection::open_stream(Exchange& exchange) {
  exchange.is_stream = true;
  exchange.count();
  const net::Framing framing = exchange.framing();
  const net::Afterwards after =
      framing == net::Framing::chunked ? afterwards(exchange.head) : net::Afterwards::close;
  const std::string head = net::stream_head(framing, after);
  co_await write(head);
}

HttpConnection::Awaitable<> HttpConnection::write_part(const Exchange& exchange,
                                                       std::string_view part) {
  const bool is_chunk = exchange.framing() == net::Framing::chunked;
  const std::string bytes = is_chunk ? net::to_chunk(part) : std::string(part);
  co_await write(bytes);
}

HttpConnection::Awaitable<> HttpConnection::finish(Exchange& exchange,
                                                   const net::HttpResponse& answer) {
  if (!exchange.is_stream && (exchange.accepts.json || answer.status != 200)) {
    co_await respond(exchange.head, answer);
    co_return;
  }
  if (!exchange.is_stream) co_await open_stream(exchange);
  if (!answer.body.empty()) {
    const std::string event = net::to_event(answer.body);
    co_await write_part(exchange, event);
  }
  if (exchange.framing() == net::Framing::chunked) co_await write(net::kLastChunk);
}

HttpConnection::Awaitable<bool> HttpConnection::respond(const net::RequestHead& head,
                                                        const net::HttpResponse& response) {
  const net::Afterwards after = afterwards(head);
  const std::string head_of = net::head_bytes(response, after);
  bool is_written = co_await write(head_of);
  // Not joined with the head: it may be long, and lent.
  if (is_written && head.method != "HEAD") is_written = co_await write(response.content());
  co_return is_written&& after == net::Afterwards::keep;
}

net::Afterwards HttpConnection::afterwards(const net::RequestHead& head) const {
  return head.keeps_alive && !state_.acceptor.is_stopping() ? net::Afterwards::keep
                                                            : net::Afterwards::close;
}

bool HttpConnection::is_admitted(const net::RequestHead& head) const {
  const Caller caller{.local = local_, .is_own_user = peer().is_own_user};
  return rights_of(head, state_.rules, caller).has_value();
}

bool HttpConnection::may_stream() const {
  const auto open = state_.streams.find(client_);
  return open == state_.streams.end() || open->second < state_.options.most_streams_each;
}

}  // namespace weft::mcp
