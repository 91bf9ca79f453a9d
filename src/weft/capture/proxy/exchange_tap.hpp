// Taps one connection between a client and an API: as its bytes pass, reports each exchange (a
// request and its response) to a listener.
//
//   ExchangeTap tap(target, open_listener);
//   tap.from_client(bytes, to_upstream);       // appends what to send to the upstream; returns how
//                                              // many bytes it has read
//   tap.from_upstream(bytes);                  // pass all of it to the client, as it is
//   tap.close_upstream();                      // no more responses
//   tap.cut(ExchangeEnd::client_gone);         // ends every exchange under way
//
// Bytes to the upstream are those of the client, but for the Host of each request and the path
// prefix of the upstream's URL. Responses belong to requests in order. For one thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/net/http_follower.hpp"

namespace weft::capture {

// How an exchange ended. Numbers on disk.
enum class ExchangeEnd {
  complete = 0,
  client_gone = 1,     // the client closed its connection
  upstream_gone = 2,   // the upstream closed its connection before the response was complete
  not_understood = 3,  // one side sent something other than HTTP
};

// Receives one exchange.
class ExchangeListener {
 public:
  virtual ~ExchangeListener() = default;
  virtual void request_body(std::string_view bytes) = 0;
  virtual void request_end() = 0;
  // Of the final response, not of interim ones (100 Continue).
  virtual void response_head(const net::MessageHead& head) = 0;
  virtual void response_body(std::string_view bytes) = 0;
  // The last call.
  virtual void end(ExchangeEnd end) = 0;
};

// Null for an exchange that is not to be recorded.
using OpenListener =
    std::function<std::unique_ptr<ExchangeListener>(const net::MessageHead& request)>;

// The reason to refuse a request; empty if it is accepted.
using FindRefusal = std::function<std::optional<std::string>(const net::MessageHead& request)>;

struct Target {
  std::string host;    // the value of the Host field
  std::string prefix;  // of the path; empty, or begins with '/' and does not end with it
};

class ExchangeTap {
 public:
  static constexpr std::size_t kMostHeadBytes = 256u << 10;
  // Each request that is not answered has an open file in the journal.
  static constexpr std::size_t kMostUnanswered = 16;

  // Without `find_refusal` every request is accepted.
  ExchangeTap(Target target, OpenListener open_listener, FindRefusal find_refusal = {});

  // Reads all of `bytes`, unless a request begins in them while kMostUnanswered are not answered:
  // the rest is for later.
  std::size_t from_client(std::string_view bytes, std::string& to_upstream);
  void from_upstream(std::string_view bytes);
  void close_upstream();
  void cut(ExchangeEnd end);

  // The client sent something other than HTTP, or `find_refusal` refused a request. Nothing of it
  // is passed on or recorded.
  bool is_refused() const { return is_refused_; }
  // The reason of `find_refusal`; empty if the client did not send HTTP.
  const std::string& refusal() const { return refusal_; }
  // Another request may begin.
  bool has_room() const { return exchanges_.size() < kMostUnanswered; }
  // A request is incomplete or not answered, or the connection is a tunnel.
  bool is_busy() const;
  // A response is under way, or is still to come.
  bool is_answering() const { return !exchanges_.empty() || responses_.is_within(); }
  // The connection was upgraded to another protocol, which is not recorded.
  bool is_tunnel() const { return is_tunnel_; }
  // The upstream sent something other than HTTP.
  bool has_invalid_response() const { return has_invalid_response_; }
  // The response under way ends with the connection.
  bool ends_with_connection() const { return responses_.ends_with_connection(); }

 private:
  struct Exchange {
    bool is_head_request = false;
    bool is_request_complete = false;
    bool is_response_complete = false;
    std::unique_ptr<ExchangeListener> listener{};
  };
  struct Requests final : net::HttpFollower::Listener {
    explicit Requests(ExchangeTap& of) : tap(of) {}
    bool may_begin() const override { return tap.has_room(); }
    net::HttpFollower::Next on_head(const net::MessageHead& head) override;
    void on_raw(std::string_view bytes) override;
    void on_body(std::string_view bytes) override;
    void on_end() override;
    void on_invalid() override;
    ExchangeTap& tap;
  };
  struct Responses final : net::HttpFollower::Listener {
    explicit Responses(ExchangeTap& of) : tap(of) {}
    net::HttpFollower::Next on_head(const net::MessageHead& head) override;
    void on_raw(std::string_view) override {}
    void on_body(std::string_view bytes) override;
    void on_end() override;
    void on_invalid() override;
    ExchangeTap& tap;
  };

  // The exchange that the next bytes of the upstream belong to; null if there is none.
  Exchange* find_unanswered();
  void remove_complete();

  Target target_;
  OpenListener open_listener_;
  FindRefusal find_refusal_;
  Requests request_listener_{*this};
  Responses response_listener_{*this};
  net::HttpFollower requests_, responses_;
  std::deque<Exchange> exchanges_;      // in the order of their requests
  std::string* to_upstream_ = nullptr;  // during from_client()
  std::string refusal_;
  bool is_refused_ = false, is_tunnel_ = false, has_invalid_response_ = false;
};

}  // namespace weft::capture
