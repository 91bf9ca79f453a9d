// Where weft keeps its things, and how they are made on first use.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/render/terminal.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::cli {

// What of the environment weft looks at. Read once, in main; empty is unset.
struct Environment {
  std::optional<std::string> weft_home{}, xdg_data_home{}, home{}, user{}, passphrase_file{};
  TerminalEnvironment terminal{};
};
Environment read_environment();

// What the command line says of places.
struct Places {
  std::optional<std::string> home{};   // --home
  std::optional<std::string> store{};  // --store, without its "sqlite:"
  std::optional<std::string> keys{};   // --keys
};

struct Home {
  std::filesystem::path directory, keyring, store;
  // Whether keyring and store lie where they do by default, inside the directory.
  bool own_keyring = true, own_store = true;
};

// $WEFT_HOME, else $XDG_DATA_HOME/weft, else ~/.local/share/weft. Makes nothing.
// invalid_input if there is no such place.
Result<Home> find_home(const Environment& environment, const Places& places);

// Makes the directory with mode 0700, if anything of ours is to lie in it; that it is
// there already is fine.
Status make_home(const Home& home);

// Who the owner of a new keyring is.
struct FirstUse {
  std::optional<std::string> name{};  // else the user's own
  crypto::SealMode seal = crypto::SealMode::thinking;
  std::optional<std::string> passphrase{};
};

struct Held {
  crypto::Keyring keyring;
  bool made = false;  // by us, just now
};

// Called for the passphrase of a keyring that has one.
using AskPassphrase = std::function<Result<std::string>()>;

// The home's keyring, made if there is none. Of two processes that make one at once,
// both hold the keyring of the one that was first.
Result<Held> hold_keyring(const Home& home, const Environment& environment,
                          const FirstUse& first_use, Millis now, const AskPassphrase& ask);

}  // namespace weft::cli
