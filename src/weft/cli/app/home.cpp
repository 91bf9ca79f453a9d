#include "weft/cli/app/home.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "weft/base/try.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::optional<fs::path> home_of_user(const Environment& environment) {
  if (environment.home) return fs::path(*environment.home);
  const passwd* entry = ::getpwuid(::getuid());
  if (entry == nullptr || entry->pw_dir == nullptr || *entry->pw_dir == '\0') return std::nullopt;
  return fs::path(entry->pw_dir);
}

Result<fs::path> directory_of(const Environment& environment, const Places& places) {
  if (places.home) return fs::path(*places.home);
  if (environment.weft_home) return fs::path(*environment.weft_home);
  // The XDG base directory specification ignores relative paths.
  if (environment.xdg_data_home && fs::path(*environment.xdg_data_home).is_absolute()) {
    return fs::path(*environment.xdg_data_home) / "weft";
  }
  if (const std::optional<fs::path> home = home_of_user(environment)) {
    return *home / ".local/share/weft";
  }
  return fail(ErrorCode::invalid_input,
              "this user has no home directory: name one with --home DIR");
}

// The user's login, otherwise the name in the system's user database. A name that a keyring does
// not accept is skipped.
std::string name_of_user(const Environment& environment) {
  std::vector<std::string> names;
  if (environment.user) names.push_back(*environment.user);
  if (const passwd* entry = ::getpwuid(::getuid())) {
    if (entry->pw_gecos != nullptr) {
      const std::string full(entry->pw_gecos);
      names.push_back(full.substr(0, full.find(',')));
    }
    if (entry->pw_name != nullptr) names.emplace_back(entry->pw_name);
  }
  for (const std::string& name : names) {
    if (crypto::Keyring::check_owner_name(name)) return name;
  }
  return "owner";
}

}  // namespace

Environment read_environment() {
  Environment environment{.weft_home = variable("WEFT_HOME"),
                          .xdg_data_home = variable("XDG_DATA_HOME"),
                          .home = variable("HOME"),
                          .user = variable("USER"),
                          .passphrase_file = variable("WEFT_PASSPHRASE_FILE"),
                          .pager = variable("WEFT_PAGER")};
  if (!environment.pager) environment.pager = variable("PAGER");
  environment.terminal.no_colour = variable("NO_COLOR").has_value();
  environment.terminal.dumb = variable("TERM") == "dumb";
  // The Linux console prints the addresses of links.
  environment.terminal.no_links =
      variable("WEFT_NO_LINKS").has_value() || variable("TERM") == "linux";
  environment.terminal.is_remote = variable("SSH_CONNECTION").has_value();
  if (const auto columns = variable("COLUMNS")) {
    std::size_t number = 0;
    const char* end = columns->data() + columns->size();
    if (std::from_chars(columns->data(), end, number).ptr == end) {
      environment.terminal.columns = number;
    }
  }
  return environment;
}

Result<Home> find_home(const Environment& environment, const Places& places) {
  WEFT_TRY_VALUE(auto directory, directory_of(environment, places));
  WEFT_TRY_VALUE(
      auto store,
      store::StoreUrl::parse(places.store.value_or((directory / "weft.db").string()), directory));
  return Home{.directory = directory,
              .keyring = places.keys ? fs::path(*places.keys) : directory / "keyring.json",
              .store = std::move(store),
              .own_keyring = !places.keys.has_value(),
              .own_store = !places.store.has_value()};
}

Status make_home(const Home& home) {
  if (!home.own_keyring && !home.own_store) return {};
  const auto failed = [&](const std::string& why, ErrorCode code) {
    return fail(code, "making " + home.directory.string() + ": " + why);
  };
  std::error_code error;
  const fs::path parent = fs::absolute(home.directory, error).parent_path();
  if (!error) fs::create_directories(parent, error);
  if (error) return failed(error.message(), ErrorCode::denied);
  if (::mkdir(home.directory.c_str(), 0700) == 0) return {};
  if (errno != EEXIST) {
    const ErrorCode code = errno == ENOSPC ? ErrorCode::unavailable : ErrorCode::denied;
    return failed(std::generic_category().message(errno), code);
  }
  if (!fs::is_directory(home.directory, error)) {
    return failed("it exists and is not a directory", ErrorCode::invalid_input);
  }
  return {};
}

Result<LoadedKeyring> load_or_create_keyring(const Home& home, const Environment& environment,
                                             const FirstUse& first_use, Millis now,
                                             const AskPassphrase& ask) {
  Result<crypto::Keyring> there = crypto::load_keyring(home.keyring, ask);
  if (there) return LoadedKeyring{.keyring = *std::move(there)};
  if (there.error().code != ErrorCode::not_found) return fail(std::move(there).error());
  WEFT_TRY_VALUE(auto made,
                 crypto::Keyring::create(first_use.name.value_or(name_of_user(environment)), now,
                                         first_use.seal));
  Status saved = crypto::save_new_keyring(home.keyring, made, first_use.passphrase);
  if (saved) return LoadedKeyring{.keyring = std::move(made), .made = true};
  if (saved.error().code != ErrorCode::invalid_input) return fail(std::move(saved).error());
  // Another process created it first.
  there = crypto::load_keyring(home.keyring, ask);
  if (!there) return fail(std::move(there).error());
  return LoadedKeyring{.keyring = *std::move(there)};
}

}  // namespace weft::cli
