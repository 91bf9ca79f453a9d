#include "weft/cli/app/context.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/store_owner.hpp"
#include "weft/store/open.hpp"

namespace weft::cli {

Context::Context(GlobalOptions options, Environment environment, Home home, std::FILE* out,
                 std::FILE* err)
    : options_(std::move(options)),
      environment_(std::move(environment)),
      home_(std::move(home)),
      out_(out),
      err_(err),
      style_(style_of(out, options_.colour, environment_.terminal)),
      layout_(is_terminal(out) ? Layout::indented : Layout::compact) {}

void Context::print(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), out_); }

void Context::print_json(const json::value& document) const { write_json(out_, document, layout_); }

void Context::note(std::string_view text) const {
  const std::string line = "weft: " + on_one_line(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), err_);
}

AskPassphrase Context::passphrase() const {
  return [this] { return ask_passphrase(environment_); };
}

Asked<std::unique_ptr<store::Store>> Context::open_store(store::Create create) const {
  Result<std::unique_ptr<store::Store>> store = store::open_store(home_.store, create);
  if (store) return *std::move(store);
  if (store.error().code != ErrorCode::not_found) return refuse(std::move(store).error());
  return refuse({ErrorCode::not_found, "no store at " + home_.store.shown() + " yet"},
                home_.own_store ? "ingest a transcript first: weft ingest FILE"
                                : "create one there with weft ingest FILE");
}

Asked<std::optional<crypto::Keyring>> Context::find_keyring() const {
  Result<crypto::Keyring> keyring = crypto::load_keyring(home_.keyring, passphrase());
  if (keyring) return *std::move(keyring);
  if (keyring.error().code == ErrorCode::not_found && home_.own_keyring) return std::nullopt;
  return refuse(std::move(keyring).error());
}

Asked<Opened> Context::open_to_read() const {
  Asked<std::unique_ptr<store::Store>> store = open_store(store::Create::no);
  if (!store) return refuse(std::move(store));
  Asked<std::optional<crypto::Keyring>> keyring = find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  return Opened{.store = *std::move(store), .keyring = *std::move(keyring)};
}

Asked<Opened> Context::open_to_write(const FirstUse& first_use) const {
  if (Status made = make_home(home_); !made) return refuse(std::move(made).error());
  Asked<std::unique_ptr<store::Store>> store = nullptr;
  // Opened first, because it may have an owner; created last, once there is a keyring.
  if (home_.store.exists()) store = open_store(store::Create::yes);
  if (!store) return refuse(std::move(store));
  Result<Held> held =
      hold_owner_keyring(store->get(), home_, environment_, first_use, now(), passphrase());
  if (!held) return refuse(std::move(held).error());
  if (held->made) {
    note(fmt::format(
        "created a keyring for {} at {}; without it sealed reasoning cannot be read: keep a backup",
        held->keyring.owner_name(), home_.keyring.string()));
  }
  if (!held->keyring.can_sign()) {
    return refuse({ErrorCode::denied, "the keyring at " + home_.keyring.string() +
                                          " can open layers, but cannot sign"},
                  "ingesting needs the owner's keyring: name it with --keys FILE");
  }
  if (!*store) store = open_store(store::Create::yes);
  if (!store) return refuse(std::move(store));
  return Opened{.store = *std::move(store), .keyring = std::move(held->keyring)};
}

Asked<Opened> Context::open_to_import() const {
  if (Status made = make_home(home_); !made) return refuse(std::move(made).error());
  Asked<std::optional<crypto::Keyring>> keyring = find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  Asked<std::unique_ptr<store::Store>> store = open_store(store::Create::yes);
  if (!store) return refuse(std::move(store));
  return Opened{.store = *std::move(store), .keyring = *std::move(keyring)};
}

namespace {

template <class T>
Asked<T> named(Result<T> found, const std::string& text) {
  if (found) return *std::move(found);
  Error error = std::move(found).error().within("'" + text + "'");
  const bool no = error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_input;
  return refuse(std::move(error), no ? Exit::no : Exit::failure);
}

}  // namespace

Asked<Cid> thought_called(const query::Library& library, const std::string& text) {
  return named(query::resolve_thought(library, text), text);
}

Asked<store::ConversationRow> conversation_called(const query::Library& library,
                                                  const std::string& text) {
  return named(query::resolve_conversation(library, text), text);
}

Millis now() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             system_clock::now().time_since_epoch())
      .count();
}

}  // namespace weft::cli
