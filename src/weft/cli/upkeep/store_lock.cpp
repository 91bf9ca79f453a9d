#include "weft/cli/upkeep/store_lock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/upkeep/lock_holders.hpp"

namespace weft::cli {

Result<FileLock> hold_store(const Context& context) {
  using std::chrono::steady_clock;
  constexpr std::chrono::seconds kNotice{2}, kLimit{30};
  const std::filesystem::path path = lock_for(context, {});
  const auto began = steady_clock::now();
  const auto who = [&] {
    const std::string text = described(lock_holders(path));
    return text.empty() ? "another process" : text;
  };
  for (bool noticed = false;;) {
    Result<FileLock> lock = FileLock::try_acquire(path);
    if (lock || lock.error().code != ErrorCode::unavailable) return lock;
    const auto waited = steady_clock::now() - began;
    if (waited >= kLimit) {
      return fail(ErrorCode::unavailable,
                  fmt::format("{} uses the store {}, and did not end within 30 seconds; stop it, "
                              "then try again",
                              who(), context.home().store.shown()));
    }
    if (!noticed && waited >= kNotice) {
      noticed = true;
      context.note(fmt::format("waiting for {}, which uses {}; giving up after 30 seconds", who(),
                               context.home().store.shown()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace weft::cli
