// weft doctor: checks the home, the keyring, the store, the disk and the hooks.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "weft/capture/hooks/spool.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/store/open.hpp"

namespace weft::cli {
namespace {

enum class Health { ok, warn, fail };

std::string_view to_string(Health health) {
  switch (health) {
    case Health::ok: return "ok";
    case Health::warn: return "warn";
    case Health::fail: return "fail";
  }
  return "fail";
}

struct Check {
  std::string_view name;
  Health status;
  std::string detail;  // the finding and, if something is wrong, the remedy
};

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
    return {"home", Health::fail, path + " is not writable: change its owner, or use --home"};
  }
  if ((status.st_mode & 077) != 0) {
    return {"home", Health::warn, path + " is accessible to other users: chmod 700 " + path};
  }
  return {"home", Health::ok, path};
}

Check check_keyring(const Context& context) {
  const Home& home = context.home();
  // Never prompts for a passphrase; that the keyring has one is enough of an answer.
  bool locked = false;
  const auto ask = [&]() -> Result<std::string> {
    locked = true;
    if (context.environment().passphrase_file) return ask_passphrase(context.environment());
    return fail(ErrorCode::denied, "locked");
  };
  const Result<crypto::Keyring> keyring = crypto::load_keyring(home.keyring, ask);
  if (keyring) {
    return {"keyring", Health::ok,
            fmt::format("{}, {}{}, seal mode {}", keyring->owner_name(),
                        crypto::to_string(keyring->kind()), locked ? ", with a passphrase" : "",
                        crypto::to_string(keyring->seal_mode()))};
  }
  const Error& error = keyring.error();
  if (locked && !context.environment().passphrase_file) {
    return {"keyring", Health::ok, home.keyring.string() + " is locked with a passphrase"};
  }
  if (error.code == ErrorCode::not_found) {
    return {"keyring", Health::warn,
            "not found at " + home.keyring.string() + ": sealed reasoning cannot be read"};
  }
  return {"keyring", Health::fail, error.message};
}

std::vector<Check> check_store(const Home& home) {
  const std::string path = home.store.shown();
  const std::optional<store::StoreUrl::Status> status = home.store.find_status();
  if (!status) {
    return {{"store", Health::warn, "not found at " + path + ": create it with weft ingest FILE"}};
  }
  const Result<std::unique_ptr<store::Store>> store =
      store::open_store(home.store, store::Create::no);
  if (!store) {
    const bool damaged = store.error().code == ErrorCode::corrupt;
    return {
        {"store", Health::fail,
         store.error().message + (damaged ? ": restore a backup, or ingest the files again" : "")}};
  }
  std::vector<Check> checks;
  if (!home.own_store && !status->is_private) {
    checks.push_back(
        {"store", Health::warn, path + " is accessible to other users: chmod 600 " + path});
  } else {
    checks.push_back({"store", Health::ok, fmt::format("{}, {}", path, byte_size(status->bytes))});
  }
  const auto rows = (*store)->conversations({});
  if (!rows) {
    checks.push_back(
        {"contents", Health::fail, rows.error().message + ": run weft verify for details"});
    return checks;
  }
  std::uint64_t thoughts = 0;
  for (const store::ConversationRow& row : *rows) thoughts += row.thought_count;
  checks.push_back(
      {"contents", Health::ok,
       fmt::format("{}, {}", count(rows->size(), "conversation"), count(thoughts, "thought"))});
  return checks;
}

Check check_disk(const Home& home) {
  // The nearest existing directory above the store.
  std::error_code error;
  std::filesystem::path place = home.store.folder();
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) {
    place = place.parent_path();
  }
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

// A hook cannot report its failures itself.
std::vector<Check> check_hooks(const Home& home) {
  const capture::HookLog log(home.directory);
  const std::optional<std::string> failure = log.last_failure();
  if (!failure) return {};
  return {{"hooks", Health::warn,
           fmt::format("the last ingest failed: {} ({})", *failure, log.path().string())}};
}

Answer doctor(const Context& context) {
  std::vector<Check> checks = {check_home(context.home()), check_keyring(context)};
  for (Check& check : check_store(context.home())) checks.push_back(std::move(check));
  checks.push_back(check_disk(context.home()));
  for (Check& check : check_hooks(context.home())) checks.push_back(std::move(check));
  bool fails = false;
  json::array list;
  Table table({{}, {}, {}});
  for (const Check& check : checks) {
    fails = fails || check.status == Health::fail;
    list.push_back(
        {{"name", check.name}, {"status", to_string(check.status)}, {"detail", check.detail}});
    table.add(
        {std::string(to_string(check.status)), std::string(check.name), on_one_line(check.detail)});
  }
  if (context.json()) {
    context.print_json(json::object{{"checks", std::move(list)}});
  } else {
    context.print(table.str(context.style()));
  }
  return fails ? Exit::no : Exit::done;
}

Action prepare(Arguments&) {
  return [](Context& context) { return doctor(context); };
}

}  // namespace

const Command& doctor_command() {
  static const Command command = {
      .name = "doctor",
      .group = Group::check,
      .summary = "check the home, keyring, store and disk",
      .about =
          "Checks the home, the keyring, the store, the free disk space and the hooks. Each line\n"
          "says ok, warn or fail and, if something is wrong, how to fix it. Changes nothing and\n"
          "never prompts for a passphrase. Exit code 1 if a check fails.",
      .examples =
          "weft doctor\n"
          "weft doctor --home ./private --json",
      .see_also = "weft verify, weft init",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
