#include "weft/mcp/protocol/call.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "weft/mcp/answers/server_context.hpp"

namespace weft::mcp {
namespace {

constexpr std::int64_t kProgressEveryMs = 25;
constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Call::Call(json::object params, Client client, ServerContext* context, std::stop_token stop,
           Notify notify)
    : params_(std::move(params)),
      client_(std::move(client)),
      context_(context),
      stop_(std::move(stop)),
      notify_(std::move(notify)) {
  const json::object* meta = find_object(params_, "_meta");
  const json::value* token = meta != nullptr ? find_member(*meta, "progressToken") : nullptr;
  if (token != nullptr && (token->is_string() || token->is_int64() || token->is_uint64())) {
    token_ = *token;
  }
}

Call::~Call() = default;

const query::Library& Call::library() const {
  if (library_ == nullptr) {
    library_ = std::make_unique<query::PinnedLibrary>(context_->store, context_->keyring,
                                                      query::Secrets::masked);
  }
  return *library_;
}

void Call::progress(double done, std::optional<double> total, std::string_view message) {
  if (!token_ || (last_progress_ && done <= *last_progress_)) return;
  const std::int64_t now = now_ms();
  const bool is_last = total && done >= *total;
  if (last_progress_ && !is_last && now - last_progress_ms_ < kProgressEveryMs) return;
  last_progress_ = done;
  last_progress_ms_ = now;
  json::object params{{"progressToken", *token_}, {"progress", done}};
  if (total) params["total"] = *total;
  if (!message.empty()) params["message"] = message;
  notify("notifications/progress", std::move(params));
}

void Call::log(std::string_view level, json::value data) {
  if (client_.era == Era::modern) {
    const json::object* meta = find_object(params_, "_meta");
    const auto wanted = meta != nullptr ? find_string(*meta, kMetaLogLevel) : std::nullopt;
    if (!wanted) return;
    if (std::ranges::find(kLevels, level) < std::ranges::find(kLevels, *wanted)) return;
  }
  notify("notifications/message",
         {{"level", level}, {"logger", "weft"}, {"data", std::move(data)}});
}

void Call::notify(std::string_view method, json::object params) {
  if (notify_ && !is_cancelled()) notify_(method, std::move(params));
}

bool is_log_level(std::string_view level) {
  return std::ranges::find(kLevels, level) != kLevels.end();
}

}  // namespace weft::mcp
