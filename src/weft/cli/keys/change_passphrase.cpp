#include "weft/cli/keys/change_passphrase.hpp"

#include <fmt/format.h>

#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/keys/passphrase_users.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::cli {
namespace {

void print_users(const Context& context, const std::vector<PassphraseUser>& users) {
  if (users.empty()) return;
  context.print(
      "These start weft where nobody can type a passphrase. Set WEFT_PASSPHRASE_FILE in their\n"
      "environment, to a file that contains it and that only you can read (mode 0600):\n");
  for (const PassphraseUser& user : users) {
    context.print(fmt::format("  {:<4} {}, in {}\n", user.kind, on_one_line(user.name),
                              on_one_line(user.path)));
  }
}

json::array to_json(const std::vector<PassphraseUser>& users) {
  json::array list;
  for (const PassphraseUser& user : users) {
    list.push_back({{"kind", user.kind}, {"name", user.name}, {"path", user.path}});
  }
  return list;
}

}  // namespace

Answer change_passphrase(const Context& context, const PassphraseOptions& options) {
  const std::filesystem::path& path = context.home().keyring;
  bool was_locked = false;
  Result<crypto::Keyring> keyring = crypto::load_keyring(path, [&]() -> Result<std::string> {
    was_locked = true;
    return ask_passphrase(context.environment());
  });
  if (!keyring) {
    const bool missing = keyring.error().code == ErrorCode::not_found;
    return refuse(std::move(keyring).error(), missing ? "create a keyring with weft init" : "");
  }
  if (options.remove && !was_locked) {
    return refuse({ErrorCode::not_found, "the keyring " + path.string() + " has no passphrase"});
  }
  std::optional<std::string> passphrase;
  if (!options.remove) {
    Result<std::string> chosen = choose_passphrase(options.new_file);
    if (!chosen) return refuse(std::move(chosen).error().within("nothing was changed"));
    passphrase = *std::move(chosen);
  }
  Status replaced = crypto::replace_keyring(path, *keyring, passphrase);
  if (passphrase) crypto::wipe(*passphrase);
  if (!replaced) return refuse(std::move(replaced).error());
  const std::string_view done = options.remove ? "removed" : was_locked ? "changed" : "set";
  const std::vector<PassphraseUser> users =
      options.remove ? std::vector<PassphraseUser>() : passphrase_users(context.environment());
  if (context.json()) {
    context.print_json(json::object{{"keyring", path.string()},
                                    {"passphrase", done},
                                    {"needs_passphrase_file", to_json(users)}});
    return Exit::done;
  }
  context.print(fmt::format("{} the passphrase of {}\n", done, on_one_line(path.string())));
  print_users(context, users);
  return Exit::done;
}

}  // namespace weft::cli
