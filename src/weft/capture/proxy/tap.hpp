// What is heard of one connection between a program and an API while its bytes pass: exchange by
// exchange, each a request and the answer to it.
//
//   Tap tap(target, listen);
//   tap.from_client(bytes, to_upstream);   // appends what goes on to the upstream
//   tap.from_upstream(bytes);              // all of it goes on to the client, as it is
//   tap.close_upstream();                  // no more answers
//   tap.cut(How::client_gone);             // whatever is under way breaks off
//
// To the upstream goes what came, byte for byte, but for the host that a request names and the
// path that the upstream's URL begins with. Whose answer is whose follows from their order.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/net/http_follower.hpp"

namespace weft::capture {

// How an exchange ended.
enum class How {
  whole,
  client_gone,     // the client went away
  upstream_gone,   // the upstream went away before the answer was whole
  not_understood,  // what came is no HTTP
};

// Hears one exchange.
class ExchangeListener {
 public:
  virtual ~ExchangeListener() = default;
  virtual void request_body(std::string_view bytes) = 0;
  virtual void request_end() = 0;
  // Not those before the answer itself (100 Continue).
  virtual void response_head(const net::MessageHead& head) = 0;
  virtual void response_body(std::string_view bytes) = 0;
  // Nothing comes after it.
  virtual void end(How how) = 0;
};

// Null for an exchange that nobody wants to hear.
using Listen = std::function<std::unique_ptr<ExchangeListener>(const net::MessageHead& request)>;

// The reason to refuse a request; empty if it is accepted.
using FindRefusal = std::function<std::optional<std::string>(const net::MessageHead& request)>;

struct Target {
  std::string host;    // as the Host field says it
  std::string prefix;  // of the path; empty, or begins with '/' and does not end so
};

class Tap {
 public:
  static constexpr std::size_t kMostHeadBytes = 256u << 10;

  // Without `find_refusal` every request is accepted.
  Tap(Target target, Listen listen, FindRefusal find_refusal = {});

  void from_client(std::string_view bytes, std::string& to_upstream);
  void from_upstream(std::string_view bytes);
  void close_upstream();
  void cut(How how);

  // What the client sent is no HTTP, or `find_refusal` refuses it: nothing of it goes on, and
  // nobody hears it.
  bool is_refused() const { return is_refused_; }
  // The reason of `find_refusal`; empty for what is no HTTP.
  const std::string& refusal() const { return refusal_; }
  // A request came that is not answered, or has not come to its end; or the connection became a
  // tunnel.
  bool is_busy() const;
  // An answer is coming, or is still to come.
  bool is_answering() const { return !exchanges_.empty() || responses_.is_within(); }
  // It became a tunnel: whatever it speaks, nobody hears it.
  bool is_tunnel() const { return is_tunnel_; }
  // An answer came that is no HTTP.
  bool is_lost() const { return is_lost_; }
  // The answer that is coming ends with the connection.
  bool ends_with_connection() const { return responses_.ends_with_connection(); }

 private:
  struct Exchange {
    bool is_head = false;   // asks for a head alone
    bool is_asked = false;  // the request has come to its end
    bool is_answered = false;
    std::unique_ptr<ExchangeListener> listener{};
  };
  // The two sides of it.
  struct Requests final : net::HttpFollower::Listener {
    explicit Requests(Tap& of) : tap(of) {}
    net::HttpFollower::Behind on_head(const net::MessageHead& head) override;
    void on_raw(std::string_view bytes) override;
    void on_body(std::string_view bytes) override;
    void on_end() override;
    void on_lost() override;
    Tap& tap;
  };
  struct Responses final : net::HttpFollower::Listener {
    explicit Responses(Tap& of) : tap(of) {}
    net::HttpFollower::Behind on_head(const net::MessageHead& head) override;
    void on_raw(std::string_view) override {}
    void on_body(std::string_view bytes) override;
    void on_end() override;
    void on_lost() override;
    Tap& tap;
  };

  void drop_done();

  Target target_;
  Listen listen_;
  FindRefusal find_refusal_;
  Requests request_listener_{*this};
  Responses response_listener_{*this};
  net::HttpFollower requests_, responses_;
  std::deque<Exchange> exchanges_;      // the one that is being answered first
  std::string* to_upstream_ = nullptr;  // during from_client()
  std::string refusal_;
  bool is_refused_ = false, is_tunnel_ = false, is_lost_ = false;
};

}  // namespace weft::capture
