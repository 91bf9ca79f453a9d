// Listeners that keep exchanges in memory, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/capture/proxy/exchange_tap.hpp"

namespace weft::capture {

struct KeptExchange {
  std::string target, asked, answered;
  bool is_asked = false;
  int status = 0;
  std::optional<ExchangeEnd> how;
};
using KeptExchanges = std::vector<std::shared_ptr<KeptExchange>>;

class KeepingListener final : public ExchangeListener {
 public:
  explicit KeepingListener(std::shared_ptr<KeptExchange> into) : recorded_(std::move(into)) {}
  void request_body(std::string_view bytes) override { recorded_->asked += bytes; }
  void request_end() override { recorded_->is_asked = true; }
  void response_head(const net::MessageHead& head) override { recorded_->status = head.status(); }
  void response_body(std::string_view bytes) override { recorded_->answered += bytes; }
  void end(ExchangeEnd end) override { recorded_->how = end; }

 private:
  std::shared_ptr<KeptExchange> recorded_;
};

// All exchanges but those under /unheard are kept.
inline OpenListener keep_in(KeptExchanges& recorded) {
  return [&recorded](const net::MessageHead& head) -> std::unique_ptr<ExchangeListener> {
    if (head.target().starts_with("/unheard")) return nullptr;
    recorded.push_back(std::make_shared<KeptExchange>());
    recorded.back()->target = head.target();
    return std::make_unique<KeepingListener>(recorded.back());
  };
}

}  // namespace weft::capture
