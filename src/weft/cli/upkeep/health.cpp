// Checks of the home and its small files. health_store.cpp checks the store.
#include "weft/cli/upkeep/health.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "weft/capture/hooks/spool.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/upkeep/health_store.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/ingest/discover/remote.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLittleSpace = 1'000'000'000;
constexpr std::uint64_t kNoSpace = 20'000'000;

Check check_home(const Home& home) {
  const std::string path = home.directory.string();
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return {"home", Health::warn,
            path + " does not exist yet: create it with weft init or weft ingest"};
  }
  if (!S_ISDIR(status.st_mode))
    return {"home", Health::fail, path + " is not a directory: move it away, or use --home"};
  if (::access(path.c_str(), R_OK | W_OK | X_OK) != 0) {
    const bool is_read_only = errno == EROFS;
    return {"home", Health::fail,
            is_read_only ? path + " is on a read-only file system: remount it, or use --home"
                         : path + " is not writable: change its owner, or use --home"};
  }
  if ((status.st_mode & 077) != 0) {
    return {"home", Health::warn, path + " is accessible to other users: chmod 700 " + path};
  }
  return {"home", Health::ok, path};
}

// The nearest existing folder at or above the store.
fs::path existing_folder(const Home& home) {
  std::error_code error;
  fs::path place = home.store.folder();
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  return place;
}

std::vector<Check> check_file_system(const Home& home) {
  const fs::path place = existing_folder(home);
  if (!ingest::is_remote(place)) return {};
  return {{"file system", Health::warn,
           place.string() +
               " is on a network file system, where locks do not hold and a store can be damaged: "
               "use a home on a local disk with --home"}};
}

Check check_disk(const Home& home) {
  const fs::path place = existing_folder(home);
  struct statvfs disk{};
  if (::statvfs(place.c_str(), &disk) != 0) {
    return {"disk", Health::warn, "cannot determine the free space at " + place.string()};
  }
  const std::uint64_t free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  const std::string detail = byte_size(free) + " free at " + place.string();
  if (free < kNoSpace)
    return {"disk", Health::fail, detail + ": free some space, nothing can be stored"};
  if (free < kLittleSpace) return {"disk", Health::warn, detail + ": free some space soon"};
  return {"disk", Health::ok, detail};
}

Check check_config(const Context& context) {
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) {
    return {"config", Health::fail, config.error().message + ": correct or remove the file"};
  }
  const fs::path path = context.home().directory / "config.json";
  std::error_code ignored;
  return {"config", Health::ok,
          fs::exists(path, ignored) ? path.string() : "defaults: there is no " + path.string()};
}

Check check_keyring(const Home& home, const KeyringState& state) {
  if (state.keyring) {
    return {"keyring", Health::ok,
            fmt::format("{}, {}{}, seal mode {}", state.keyring->owner_name(),
                        crypto::to_string(state.keyring->kind()),
                        state.is_locked ? ", with a passphrase" : "",
                        crypto::to_string(state.keyring->seal_mode()))};
  }
  if (state.is_unopened) {
    return {"keyring", Health::ok, home.keyring.string() + " is locked with a passphrase"};
  }
  if (state.error.code == ErrorCode::not_found) {
    return {"keyring", Health::warn,
            "not found at " + home.keyring.string() + ": sealed reasoning cannot be read"};
  }
  return {"keyring", Health::fail, state.error.message};
}

KeyringState read_keyring(const Context& context) {
  KeyringState state;
  const bool has_file = context.environment().passphrase_file.has_value();
  Result<crypto::Keyring> keyring =
      crypto::load_keyring(context.home().keyring, [&]() -> Result<std::string> {
        state.is_locked = true;
        if (has_file) return ask_passphrase(context.environment());
        // Never prompts; that the keyring has a passphrase is enough of an answer.
        return fail(ErrorCode::denied, "locked");
      });
  if (keyring) {
    state.keyring = *std::move(keyring);
  } else {
    state.error = std::move(keyring).error();
    state.is_unopened = state.is_locked && !has_file;
  }
  return state;
}

// A small secret file: it exists for its owner alone, or not at all.
std::vector<Check> check_secret(std::string_view name, const fs::path& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return {{name, Health::fail, path.string() + " is not a regular file: remove it"}};
  }
  if ((status.st_mode & 077) != 0) {
    return {{name, Health::fail,
             path.string() + " is accessible to other users, and is refused: chmod 600 " +
                 path.string()}};
  }
  return {{name, Health::ok, path.string()}};
}

std::vector<Check> check_passphrase_file(const Environment& environment) {
  if (!environment.passphrase_file) return {};
  Result<std::string> text = read_passphrase(*environment.passphrase_file);
  if (!text) return {{"passphrase", Health::fail, text.error().message}};
  crypto::wipe(*text);
  return {{"passphrase", Health::ok, *environment.passphrase_file}};
}

// A hook cannot report its failures itself.
std::vector<Check> check_hooks(const Home& home) {
  const capture::HookLog log(home.directory);
  const std::optional<std::string> failure = log.last_failure();
  if (!failure) return {};
  return {{"hooks", Health::warn,
           fmt::format("the last ingest failed: {} ({})", *failure, log.path().string())}};
}

}  // namespace

std::string_view to_string(Health health) {
  switch (health) {
    case Health::ok: return "ok";
    case Health::warn: return "warn";
    case Health::fail: return "fail";
  }
  return "fail";
}

std::vector<Check> check_health(const Context& context) {
  const Home& home = context.home();
  const KeyringState keyring = read_keyring(context);
  std::vector<Check> checks = {check_home(home), check_config(context),
                               check_keyring(home, keyring)};
  const auto add = [&](std::vector<Check> more) {
    std::ranges::move(more, std::back_inserter(checks));
  };
  add(check_secret("token", home.directory / "serve.token"));
  add(check_passphrase_file(context.environment()));
  add(check_store(home, keyring));
  add(check_lock(home));
  checks.push_back(check_disk(home));
  add(check_file_system(home));
  add(check_hooks(home));
  return checks;
}

}  // namespace weft::cli
