// Ears that keep what they hear, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/capture/proxy/tap.hpp"

namespace weft::capture {

struct HeardExchange {
  std::string target, asked, answered;
  bool is_asked = false;
  int status = 0;
  std::optional<How> how;
};
using HeardExchanges = std::vector<std::shared_ptr<HeardExchange>>;

class KeepingEar final : public Ear {
 public:
  explicit KeepingEar(std::shared_ptr<HeardExchange> into) : heard_(std::move(into)) {}
  void request_body(std::string_view bytes) override { heard_->asked += bytes; }
  void request_end() override { heard_->is_asked = true; }
  void response_head(const HttpHead& head) override { heard_->status = head.status(); }
  void response_body(std::string_view bytes) override { heard_->answered += bytes; }
  void end(How how) override { heard_->how = how; }

 private:
  std::shared_ptr<HeardExchange> heard_;
};

// All exchanges but those under /unheard are kept.
inline Listen keep_in(HeardExchanges& heard) {
  return [&heard](const HttpHead& head) -> std::unique_ptr<Ear> {
    if (head.target().starts_with("/unheard")) return nullptr;
    heard.push_back(std::make_shared<HeardExchange>());
    heard.back()->target = head.target();
    return std::make_unique<KeepingEar>(heard.back());
  };
}

}  // namespace weft::capture
