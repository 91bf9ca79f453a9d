// Locates the home, its keyring and its store, and creates them on first use.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/render/terminal.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/store/open.hpp"

namespace weft::cli {

// The environment variables that weft uses. Read once, in main; empty is unset.
struct Environment {
  std::optional<std::string> weft_home{}, xdg_data_home{}, home{}, user{}, passphrase_file{};
  std::optional<std::string> pager{};  // $WEFT_PAGER, else $PAGER
  TerminalEnvironment terminal{};
};
Environment read_environment();

// The locations given on the command line.
struct Places {
  std::optional<std::string> home{};   // --home
  std::optional<std::string> store{};  // --store, a URL
  std::optional<std::string> keys{};   // --keys
};

struct Home {
  std::filesystem::path directory, keyring;
  store::StoreUrl store;
  // Whether keyring and store lie in their default places inside the directory.
  bool own_keyring = true, own_store = true;
};

// $WEFT_HOME, else $XDG_DATA_HOME/weft, else ~/.local/share/weft. Creates nothing. invalid_input if
// none of them is set.
Result<Home> find_home(const Environment& environment, const Places& places);

// Creates the directory with mode 0700, if the keyring or the store is to lie in it. An existing
// directory is not an error.
Status make_home(const Home& home);

// The properties of a new keyring.
struct FirstUse {
  std::optional<std::string> name{};  // default: the user's name
  crypto::SealMode seal = crypto::SealMode::thinking;
  std::optional<std::string> passphrase{};
};

struct LoadedKeyring {
  crypto::Keyring keyring;
  bool made = false;  // created by this call
};

// Called for the passphrase of a locked keyring.
using AskPassphrase = std::function<Result<std::string>()>;

// The home's keyring; creates it if the home has none. If two processes create it at the same time,
// both get the keyring of the first.
Result<LoadedKeyring> load_or_create_keyring(const Home& home, const Environment& environment,
                                             const FirstUse& first_use, Millis now,
                                             const AskPassphrase& ask);

}  // namespace weft::cli
