// weft init: creates a home with a keyring and an empty store.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/store/open.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::optional<std::string> name, seal;
  bool passphrase = false;
};

json::object to_json(const crypto::Keyring& keyring, const Home& home) {
  return {{"owner", thought::owner_identity(keyring).cid.str()},
          {"home", home.directory.string()},
          {"name", keyring.owner_name()},
          {"seal", crypto::to_string(keyring.seal_mode())},
          {"keyring", home.keyring.string()},
          {"store", home.store.shown()}};
}

// An existing home is never changed: the options must agree with it.
Status check_same(const crypto::Keyring& keyring, bool locked, const Options& options) {
  const auto differs = [&](const std::string& how) {
    return fail(ErrorCode::invalid_input,
                "this home already exists " + how +
                    ", which is part of every thought in it and cannot be changed");
  };
  if (options.name && *options.name != keyring.owner_name()) {
    return differs("and belongs to " + keyring.owner_name());
  }
  const std::string_view seal = crypto::to_string(keyring.seal_mode());
  if (options.seal && *options.seal != seal) {
    return differs("and its seal mode is " + std::string(seal));
  }
  if (options.passphrase && !locked) {
    return fail(ErrorCode::invalid_input,
                "this home already exists, and its keyring has no passphrase; set one with weft "
                "keys passphrase");
  }
  return {};
}

Answer init(const Context& context, const Options& options) {
  const Home& home = context.home();
  if (Status made = make_home(home); !made) return refuse(std::move(made).error());
  std::error_code ignored;
  Result<std::unique_ptr<store::Store>> store = nullptr;
  if (home.store.exists()) {
    store = store::open_store(home.store, store::Create::yes, context.wait_notice());
  }
  if (!store) return refuse(std::move(store).error());
  FirstUse first_use{.name = options.name};
  if (options.seal) first_use.seal = crypto::parse_seal_mode(*options.seal).value();
  if (options.passphrase && !std::filesystem::exists(home.keyring, ignored)) {
    Result<std::string> chosen = choose_passphrase(context.environment().passphrase_file);
    if (!chosen) return refuse(std::move(chosen).error());
    first_use.passphrase = *std::move(chosen);
  }
  bool locked = false;
  Result<LoadedKeyring> loaded = load_owner_keyring(store->get(), home, context.environment(),
                                                    first_use, now(), [&]() -> Result<std::string> {
                                                      locked = true;
                                                      return ask_passphrase(context.environment());
                                                    });
  if (first_use.passphrase) crypto::wipe(*first_use.passphrase);
  if (!loaded) return refuse(std::move(loaded).error());
  if (!loaded->keyring.can_sign()) {
    return refuse({ErrorCode::invalid_input,
                   "this home already exists, with a keyring that can open but not sign"},
                  Exit::no);
  }
  if (!loaded->made) {
    if (Status same = check_same(loaded->keyring, locked, options); !same) {
      return refuse(std::move(same).error(), Exit::no, "create another home with --home DIR");
    }
  }
  if (!*store) store = store::open_store(home.store, store::Create::yes);
  if (!store) return refuse(std::move(store).error());
  if (context.json()) {
    context.print_json(to_json(loaded->keyring, home));
    return Exit::done;
  }
  context.print(on_one_line(fmt::format(
                    "{} {}: {}, seal mode {}",
                    loaded->made ? "made" : "already exists:", home.directory.string(),
                    loaded->keyring.owner_name(), crypto::to_string(loaded->keyring.seal_mode()))) +
                "\n");
  if (loaded->made) {
    context.note("keep a backup of " + home.keyring.string() +
                 ": without it nobody can open or sign your thoughts");
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("--name", options->name, "Name of the owner (default: your user name)",
                {.value = "NAME", .check = why_no_name});
  arguments.add("--seal", options->seal, "What to seal: thinking (default) or all",
                {.value = "WHAT", .one_of = {"thinking", "all"}});
  arguments.flag("--passphrase", options->passphrase,
                 "Protect the keyring with a passphrase, typed or read from WEFT_PASSPHRASE_FILE");
  return [options](Context& context) { return init(context, *options); };
}

}  // namespace

const Command& init_command() {
  static const Command command = {
      .name = "init",
      .group = Group::begin,
      .summary = "create a home: a keyring and a store",
      .about =
          "Creates a home with a keyring and an empty store. The first `weft ingest` does that\n"
          "too; use this command to choose the owner's name, what is sealed, and a passphrase.\n"
          "The name and the seal mode are part of every thought, so they cannot be changed later.\n"
          "If the store already has an owner, no other keyring is created for it.",
      .examples =
          "weft init --name \"Ada Lovelace\"\n"
          "weft init --name Ada --seal all --passphrase\n"
          "weft init --home ./private --json",
      .see_also = "weft ingest, weft keys, weft doctor",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
