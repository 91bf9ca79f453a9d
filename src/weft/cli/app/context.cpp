#include "weft/cli/app/context.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "weft/base/json/compact.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/serve/running_server.hpp"
#include "weft/cli/upkeep/lock_holders.hpp"
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
      layout_(is_terminal(out) ? Layout::indented : Layout::compact) {
  if (options_.json || !takes_links(out, environment_.terminal)) return;
  style_.page = find_page(home_.directory).value_or("");
}

void Context::print(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), out_); }

void Context::print_json(const json::value& document) const { write_json(out_, document, layout_); }

void Context::print_json_line(const json::value& value) const {
  std::string line;
  append_compact(line, value);
  print_export(line + "\n");
}

void Context::print_export(std::string_view text) const {
  if (layout_ == Layout::compact) print(text);
  else print(escaped_for_terminal(text));
}

void Context::note(std::string_view text) const {
  const std::string line = "weft: " + on_one_line(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), err_);
}

AskPassphrase Context::passphrase() const {
  return [this] { return ask_passphrase(environment_); };
}

std::function<void()> Context::wait_notice() const {
  return [this] {
    const std::string who = described(store_writers(home_.store));
    note(fmt::format("waiting for {}, which is writing to {}; giving up after 30 seconds",
                     who.empty() ? "another process" : who, home_.store.shown()));
  };
}

namespace {

Outcome<std::unique_ptr<store::Store>> found(Result<std::unique_ptr<store::Store>> store,
                                             const Home& home) {
  if (store) return *std::move(store);
  if (store.error().code != ErrorCode::not_found) return refuse(std::move(store).error());
  if (home.store.server()) {
    return refuse({ErrorCode::not_found,
                   "no store at " + home.store.shown() + " yet, or none that this role may see"},
                  "create one there with weft push or weft ingest FILE, or ask its owner for USAGE "
                  "on the schema");
  }
  return refuse({ErrorCode::not_found, "no store at " + home.store.shown() + " yet"},
                home.own_store ? "ingest a transcript first: weft ingest FILE"
                               : "create one there with weft ingest FILE");
}

}  // namespace

Outcome<std::unique_ptr<store::Store>> Context::open_store(store::Create create) const {
  return found(store::open_store(home_.store, create, wait_notice()), home_);
}

Outcome<std::optional<crypto::Keyring>> Context::find_keyring() const {
  Result<crypto::Keyring> keyring = crypto::load_keyring(home_.keyring, passphrase());
  if (keyring) return *std::move(keyring);
  if (keyring.error().code == ErrorCode::not_found && home_.own_keyring) return std::nullopt;
  return refuse(std::move(keyring).error());
}

Outcome<Opened> Context::with_keyring(Outcome<std::unique_ptr<store::Store>> store) const {
  if (!store) return refuse(std::move(store));
  Outcome<std::optional<crypto::Keyring>> keyring = find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  return Opened{.store = *std::move(store), .keyring = *std::move(keyring)};
}

Outcome<Opened> Context::open_to_read() const {
  Outcome<std::unique_ptr<store::Store>> store =
      found(store::open_store_to_read(home_.store), home_);
  // In the home of another user, the store may be readable and the keyring never is.
  const bool is_closed = ::faccessat(AT_FDCWD, home_.keyring.c_str(), R_OK, AT_EACCESS) != 0 &&
                         errno == EACCES && home_.own_keyring;
  if (!store || !is_closed) return with_keyring(std::move(store));
  note("the keyring " + home_.keyring.string() +
       " cannot be read: permission denied; sealed layers stay sealed");
  return Opened{.store = *std::move(store)};
}

Outcome<Opened> Context::open_to_change() const {
  return with_keyring(open_store(store::Create::no));
}

Outcome<Opened> Context::open_to_write(const FirstUse& first_use) const {
  if (Status made = make_home(home_); !made) return refuse(std::move(made).error());
  Outcome<std::unique_ptr<store::Store>> store = nullptr;
  // Opened first, because it may have an owner; created last, once there is a keyring.
  if (home_.store.exists()) store = open_store(store::Create::yes);
  if (!store) return refuse(std::move(store));
  Result<LoadedKeyring> loaded =
      load_owner_keyring(store->get(), home_, environment_, first_use, now(), passphrase());
  if (!loaded) return refuse(std::move(loaded).error());
  if (loaded->made) {
    note(fmt::format(
        "created a keyring for {} at {}; without it sealed reasoning cannot be read: keep a backup",
        loaded->keyring.owner_name(), home_.keyring.string()));
  }
  if (!loaded->keyring.can_sign()) {
    return refuse({ErrorCode::denied, "the keyring at " + home_.keyring.string() +
                                          " can open layers, but cannot sign"},
                  "ingesting needs the owner's keyring: name it with --keys FILE");
  }
  if (!*store) store = open_store(store::Create::yes);
  if (!store) return refuse(std::move(store));
  return Opened{.store = *std::move(store), .keyring = std::move(loaded->keyring)};
}

Outcome<Opened> Context::open_to_import() const {
  if (Status made = make_home(home_); !made) return refuse(std::move(made).error());
  Outcome<std::optional<crypto::Keyring>> keyring = find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  Outcome<std::unique_ptr<store::Store>> store = open_store(store::Create::yes);
  if (!store) return refuse(std::move(store));
  return Opened{.store = *std::move(store), .keyring = *std::move(keyring)};
}

namespace {

template <class T>
Outcome<T> named(Result<T> found, const std::string& text) {
  if (found) return *std::move(found);
  Error error = std::move(found).error().within("'" + text + "'");
  const bool no = error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_input;
  return refuse(std::move(error), no ? Exit::no : Exit::failure);
}

}  // namespace

Outcome<Cid> thought_called(const query::Library& library, const std::string& text) {
  return named(query::resolve_thought(library, text), text);
}

Outcome<store::ConversationRow> conversation_called(const query::Library& library,
                                                    const std::string& text) {
  return named(query::resolve_conversation(library, text), text);
}

Outcome<query::Standing> standing_called(const query::Library& library, const std::string& text) {
  return named(query::resolve_standing(library, text), text);
}

Millis now() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             system_clock::now().time_since_epoch())
      .count();
}

}  // namespace weft::cli
