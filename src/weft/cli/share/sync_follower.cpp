#include "weft/cli/share/sync_follower.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "weft/base/try.hpp"
#include "weft/remote/pull.hpp"
#include "weft/remote/push.hpp"

namespace weft::cli {
namespace {

constexpr int kLeastMs = 1'000;
constexpr int kLookMs = 10'000;
constexpr int kRestFactor = 9;  // a tenth of the time
constexpr std::chrono::minutes kRefusedFor(1);

}  // namespace

SyncFollower::SyncFollower(const Context& context, const Opened& opened, Note note)
    : context_(context), opened_(opened), note_(std::move(note)) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return;  // the command itself says so
  config_ = *std::move(config);
  std::erase_if(config_.remotes, [](const RemoteConfig& remote) { return !remote.sync; });
  if (config_.remotes.empty()) return;
  stop_ = Fd(::eventfd(0, EFD_CLOEXEC));
  if (!stop_) return;
  thread_ = std::thread([this] { run(); });
}

SyncFollower::~SyncFollower() {
  if (!thread_.joinable()) return;
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

bool SyncFollower::is_off() const {
  pollfd stop{.fd = stop_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&stop, 1, 0) > 0;
}

// First `least_ms`, then until something was committed here, or it is time to look.
bool SyncFollower::sleep(store::Changes& changes, int least_ms) {
  pollfd stop{.fd = stop_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&stop, 1, least_ms) > 0) return false;
  std::array<pollfd, 2> either = {
      {stop, {.fd = changes.descriptor(), .events = POLLIN, .revents = 0}}};
  ::poll(either.data(), either.size(), kLookMs);
  if (either[0].revents != 0) return false;
  const bool has_changed = either[1].revents != 0;
  if (has_changed && ::poll(&stop, 1, store::kChangeDelayMs) > 0) return false;
  changes.clear();
  return true;
}

void SyncFollower::run() {
  const std::unique_ptr<store::Changes> changes = opened_.store->changes();
  int rest_ms = 0;
  do {
    const auto began = std::chrono::steady_clock::now();
    for (const RemoteConfig& config : config_.remotes) sync(config);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::steady_clock::now() - began)
                          .count();
    rest_ms = static_cast<int>(std::clamp<std::int64_t>(took * kRestFactor, kLeastMs, 600'000));
  } while (sleep(*changes, rest_ms));
}

void SyncFollower::sync(const RemoteConfig& config) {
  const Result<std::string> state = sync_once(config);
  const bool is_busy = !state && state.error().code == ErrorCode::conflict;
  if (is_off() || is_busy) return;
  const std::string now = state ? *state
                                : fmt::format("cannot sync with {}, trying again: {}", config.name,
                                              state.error().message);
  std::string& said = said_[config.name];
  if (now == said) return;
  note_(now.empty() ? fmt::format("{} is in sync again", config.name) : now);
  said = now;
}

Result<std::string> SyncFollower::sync_once(const RemoteConfig& config) {
  Result<HomeRemote> remote =
      HomeRemote::open(context_, config, opened_.keys(), HomeRemote::Wait::no);
  if (!remote) return fail(std::move(remote).error());
  if (!remote->is_approved()) {
    return fmt::format(
        "{} is not synced: nothing was sent there yet, or other projects; begin with: "
        "weft push {}",
        config.name, config.name);
  }
  WEFT_TRY_VALUE(std::string pulled, pull(*remote));
  WEFT_TRY_VALUE(std::string pushed, push(*remote));
  return pulled.empty() ? pushed : pulled;
}

Result<std::string> SyncFollower::pull(HomeRemote& remote) {
  WEFT_TRY_VALUE(auto plan, remote::plan_pull(*opened_.store, opened_.keys(), remote.reader()));
  const auto began = std::chrono::steady_clock::now();
  std::erase_if(refused_, [&](const auto& one) { return began - one.second > kRefusedFor; });
  std::erase_if(plan.take,
                [&](const remote::Update& update) { return refused_.contains(update.tip); });
  const remote::PullOptions options{.index_sealed = config_.index_sealed,
                                    .scratch = remote.scratch(),
                                    .now = now(),
                                    .is_off = [this] { return is_off(); }};
  WEFT_TRY_VALUE(const auto report,
                 remote::pull(*opened_.store, opened_.keys(), remote.reader(), plan, options));
  for (const remote::Update& update : plan.take) {
    const auto is_it = [&](const auto& one) {
      return one.named.conversation == update.tip.conversation;
    };
    const bool is_refused =
        std::ranges::any_of(report.refused, is_it) || std::ranges::any_of(report.diverged, is_it);
    if (is_refused) refused_.emplace(update.tip, began);
  }
  if (refused_.empty()) return std::string();
  return fmt::format("something in {} is not taken; see: weft pull {}", remote.config().name,
                     remote.config().name);
}

Result<std::string> SyncFollower::push(HomeRemote& remote) {
  const RemoteConfig& config = remote.config();
  const remote::PushOptions options{
      .projects = config.projects, .now = now(), .is_off = [this] { return is_off(); }};
  WEFT_TRY_VALUE(const auto plan, remote::plan_push(*opened_.store, opened_.keys(), remote.reader(),
                                                    remote.state(), options));
  const remote::RemoteState before = remote.state();
  WEFT_TRY_VALUE(const auto writer, remote.open_to_write());
  WEFT_TRY_VALUE(const auto report, remote::push(*opened_.store, opened_.keys(), *writer, plan,
                                                 remote.state(), options));
  if (remote.state() != before) WEFT_TRY(remote.save_state());
  if (remote.state().pending.empty()) return std::string();
  return fmt::format("not everything goes to {}; see: weft push {}", config.name, config.name);
}

}  // namespace weft::cli
