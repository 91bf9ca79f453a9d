#include "weft/cli/share/forget_remotely.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "weft/base/try.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/share/home_remote.hpp"
#include "weft/remote/push.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::cli {
namespace {

using Clock = std::chrono::steady_clock;
using State = RemoteForget::State;

constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr std::chrono::seconds kBetweenRequests{3};
constexpr std::size_t kFewestDigits = 6;

std::string_view to_string(State state) {
  switch (state) {
    case State::not_there: return "not_there";
    case State::carried_out: return "carried_out";
    case State::waiting: break;
  }
  return "waiting";
}

// What nothing that weft does gets at.
std::vector<std::string> not_reached_of(const RemoteConfig& remote) {
  if (remote.url.starts_with(remote::kFolderScheme)) {
    return {"versions and trash of the service that copies the folder", "machines that pulled"};
  }
  if (remote.url.starts_with("postgres")) {
    return {"archived logs of the server", "its standbys", "its backups", "machines that pulled"};
  }
  return {"backups", "machines that pulled"};
}

Result<remote::Removal> forget_all(remote::Remote& writer,
                                   const std::vector<remote::PushPlan::Forget>& all) {
  remote::Removal removal = remote::Removal::done;
  for (const remote::PushPlan::Forget& one : all) {
    WEFT_TRY_VALUE(const auto became, writer.forget(one.tip, one.statement, now()));
    if (became == remote::Removal::asked) removal = became;
  }
  return removal;
}

// Until the keeper has removed them and wiped the files there. Asks again now and then: what others
// added meanwhile may need another tombstone.
Status wait_for_keeper(remote::Remote& writer, const std::vector<remote::PushPlan::Forget>& all,
                       std::chrono::seconds wait, RemoteForget& result) {
  std::vector<Cid> conversations;
  for (const remote::PushPlan::Forget& one : all) conversations.push_back(one.tip.conversation);
  const Clock::time_point end = Clock::now() + wait;
  Clock::time_point asked = Clock::now();
  for (;;) {
    if (result.state == State::waiting) {
      WEFT_TRY_VALUE(const auto there, writer.tips_of(conversations));
      if (there.empty()) result.state = State::carried_out;
    }
    if (result.state == State::carried_out) {
      WEFT_TRY_VALUE(result.is_wiped, writer.is_wiped());
    }
    if (result.is_wiped || Clock::now() >= end) return {};
    std::this_thread::sleep_for(kBetweenLooks);
    if (result.state != State::waiting || Clock::now() - asked < kBetweenRequests) continue;
    asked = Clock::now();
    WEFT_TRY(forget_all(writer, all));
  }
}

}  // namespace

Outcome<RemoteForget> forget_remotely(const Context& context, const Opened& opened,
                                      const RemoteConfig& config,
                                      const std::vector<Cid>& conversations,
                                      std::chrono::seconds wait) {
  RemoteForget result{.remote = config, .not_reached = not_reached_of(config)};
  Result<HomeRemote> remote =
      HomeRemote::open(context, config, opened.keys(), HomeRemote::Wait::yes);
  if (!remote) return refuse(std::move(remote).error());
  auto planned = remote::plan_forgetting(*opened.store, opened.keys(), remote->reader());
  if (!planned) return refuse(std::move(planned).error());
  std::erase_if(*planned, [&](const remote::PushPlan::Forget& one) {
    return std::ranges::find(conversations, one.tip.conversation) == conversations.end();
  });
  if (planned->empty()) return result;
  auto writer = remote->open_to_forget();
  if (!writer) return refuse(std::move(writer).error());
  const Result<remote::Removal> removal = forget_all(**writer, *planned);
  if (!removal) return refuse(Error(removal.error()));
  result.state = *removal == remote::Removal::done ? State::carried_out : State::waiting;
  result.is_wiped = false;
  if (Status waited = wait_for_keeper(**writer, *planned, wait, result); !waited) {
    return refuse(std::move(waited).error(),
                  "the tombstone is there: the same command goes on waiting");
  }
  return result;
}

json::array to_json(const std::vector<RemoteForget>& all) {
  json::array array;
  for (const RemoteForget& one : all) {
    array.push_back({{"remote", one.remote.name},
                     {"url", one.remote.url},
                     {"state", json::string(to_string(one.state))},
                     {"wiped", one.is_wiped},
                     {"not_reached", json::array(one.not_reached.begin(), one.not_reached.end())}});
  }
  return array;
}

void print(const Context& context, const std::vector<RemoteForget>& all) {
  for (const RemoteForget& one : all) {
    std::string became = "has no such conversation of yours";
    if (one.state == State::carried_out) {
      became = one.is_wiped ? "forgotten, and nothing is left in its files"
                            : "forgotten; the keeper still has to rewrite its files";
    } else if (one.state == State::waiting) {
      became =
          "waiting for the keeper: the tombstone is there, and weft serve over that store carries "
          "it out";
    }
    context.print(fmt::format("{}: {}\n", on_one_line(one.remote.name), became));
    if (one.state == State::not_there) continue;
    context.print(fmt::format("  not reached there: {}\n", fmt::join(one.not_reached, ", ")));
  }
}

Result<std::vector<Cid>> find_forgotten(const store::Store& store, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string digits = colon == std::string::npos ? text : text.substr(colon + 1);
  std::optional<thought::Tombstone> found;
  std::optional<Cid> named;
  WEFT_TRY_VALUE(const auto tombstones, store.forgetting().tombstones());
  for (const Cid& cid : tombstones) {
    if (digits.size() < kFewestDigits) break;
    WEFT_TRY_VALUE(const auto thought, store.get_without_path(cid));
    const Result<thought::Tombstone> content = thought::to_tombstone(thought);
    if (!content) continue;
    for (const Cid& conversation : content->conversations) {
      const std::string name = conversation.str();
      if (!name.substr(name.rfind(':') + 1).starts_with(digits)) continue;
      if (named && *named != conversation) {
        return fail(ErrorCode::invalid_input,
                    text + " may be several forgotten conversations; give more of its CID");
      }
      if (!named) found = *content;  // the newest
      named = conversation;
    }
  }
  if (!found) {
    return fail(ErrorCode::not_found, "no conversation that was forgotten here is called " + text);
  }
  return found->conversations;
}

}  // namespace weft::cli
