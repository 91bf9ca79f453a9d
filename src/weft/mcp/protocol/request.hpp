// A request under way: its client, and its outlet, which closes with the answer.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "weft/mcp/protocol/server.hpp"

namespace weft::mcp {

class Request final : public Ticket {
 public:
  // `ended` is called once, when the request is answered or cancelled.
  Request(Message message, Client client, std::shared_ptr<Outlet> outlet,
          std::function<void(const Request&)> ended);

  const Message& message() const { return message_; }
  const Client& client() const { return client_; }
  std::stop_token stop() const { return stop_.get_token(); }

  // All three do nothing once it is answered or cancelled.
  void notify(std::string_view method, json::object params);
  void answer(json::object result);
  void reject(const RpcError& error, Verdict verdict);

  void cancel() override;

 private:
  void close(std::string text, Verdict verdict);

  const Message message_;
  const Client client_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::shared_ptr<Outlet> outlet_;  // guarded by mutex_; null once it has ended
  std::function<void(const Request&)> ended_;
};

}  // namespace weft::mcp
