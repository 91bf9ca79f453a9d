// One request while it is served: what was asked, by whom, and the ways to say something before
// the answer.
//
// Lives as long as the request; used by one thread at a time. Whatever is told through it goes on
// the request's own stream, before its answer, and nowhere once it was cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/protocol.hpp"

namespace weft::mcp {

struct ServerContext;

// Who asks. Of a legacy client over HTTP, which keeps no session, nothing is known.
struct Client {
  Era era = Era::modern;
  std::string version{kModernVersion};
  json::object capabilities{};
};

class Call {
 public:
  // Sends a notification on the request's stream.
  using Tell = std::function<void(std::string_view method, json::object params)>;

  // `site` may be null where the features need none; all else is kept.
  Call(json::object params, Client client, ServerContext* context, std::stop_token stop, Tell tell);

  const json::object& params() const { return params_; }
  // A tool's: checked against its parameters, with what was left out filled in (parameter.hpp).
  const json::object& arguments() const { return arguments_; }
  void set_arguments(json::object arguments) { arguments_ = std::move(arguments); }

  const Client& client() const { return client_; }
  ServerContext& context() const { return *context_; }

  // Once true, nobody waits for the answer: give up soon.
  bool is_cancelled() const { return stop_.stop_requested(); }
  const std::stop_token& stop() const { return stop_; }

  // How far it has come, if the client asked to be told; only what is more than before, a few
  // times a second at most, and the last of it (done == total) always.
  void progress(double done, std::optional<double> total, std::string_view message = {});
  // A line of log, if the client wants lines of this level.
  void log(std::string_view level, json::value data);
  void tell(std::string_view method, json::object params);

 private:
  json::object params_, arguments_;
  Client client_;
  ServerContext* context_;
  std::stop_token stop_;
  Tell tell_;
  std::optional<json::value> token_;  // of progress
  std::optional<double> told_;        // progress so far
  std::int64_t told_at_ms_ = 0;
};

// "debug" to "emergency".
bool is_log_level(std::string_view level);

}  // namespace weft::mcp
