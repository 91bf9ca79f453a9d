// The context of a command: global options, environment, home, and the two output streams. Answers
// go to stdout, everything else to stderr.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/cli/app/answer.hpp"
#include "weft/cli/app/home.hpp"
#include "weft/cli/render/document.hpp"
#include "weft/query/ask/standing.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

// The options of every command.
struct GlobalOptions {
  bool json = false;
  ColourChoice colour = ColourChoice::automatic;
  Places places{};
};

// A store, and the keyring if there is one.
struct Opened {
  std::unique_ptr<store::Store> store;
  std::optional<crypto::Keyring> keyring{};

  // Both borrow from this. A snapshot is one state of the store, for one answer. The library reads
  // the newest state at each question, for commands that write or wait.
  query::PinnedLibrary snapshot() const { return {*store, keys()}; }
  query::Library library() const { return {*store, keys()}; }
  const crypto::Keyring* keys() const { return keyring ? &*keyring : nullptr; }  // may be null
};

class Context {
 public:
  Context(GlobalOptions options, Environment environment, Home home, std::FILE* out,
          std::FILE* err);

  bool json() const { return options_.json; }
  const Home& home() const { return home_; }
  const Environment& environment() const { return environment_; }
  std::FILE* out() const { return out_; }
  std::FILE* err() const { return err_; }
  const Style& style() const { return style_; }  // of stdout
  Layout layout() const { return layout_; }

  void print(std::string_view text) const;             // stdout
  void print_json(const json::value& document) const;  // stdout
  // One JSON value or text of another tool on stdout, as it is; on a terminal, with what could
  // control it escaped.
  void print_json_line(const json::value& value) const;
  void print_export(std::string_view text) const;
  void note(std::string_view text) const;  // stderr: "weft: text"

  // For queries: creates and changes nothing, so it also reads a store that cannot be written.
  // Without a keyring, layers stay sealed.
  Outcome<Opened> open_to_read() const;
  // For changes to an existing store: creates nothing, but migrates an older store.
  Outcome<Opened> open_to_change() const;
  // For ingest: creates the home, the store and, if missing, a keyring, and reports it. The keyring
  // can sign, and belongs to the store's owner.
  Outcome<Opened> open_to_write(const FirstUse& first_use) const;
  // For thoughts signed by others: creates the home and the store; uses the existing keyring.
  Outcome<Opened> open_to_import() const;

  // The keyring of the home; empty if it is not found in its default place.
  Outcome<std::optional<crypto::Keyring>> find_keyring() const;
  AskPassphrase passphrase() const;
  // Tells the person which process a write waits for. For open_store(); borrows from this.
  std::function<void()> wait_notice() const;

 private:
  Outcome<std::unique_ptr<store::Store>> open_store(store::Create create) const;
  Outcome<Opened> with_keyring(Outcome<std::unique_ptr<store::Store>> store) const;

  GlobalOptions options_;
  Environment environment_;
  Home home_;
  std::FILE* out_;
  std::FILE* err_;
  Style style_;
  Layout layout_;
};

// Look up names as people type them. An unknown name is not_found: exit code 1.
Outcome<Cid> thought_called(const query::Library& library, const std::string& text);
Outcome<store::ConversationRow> conversation_called(const query::Library& library,
                                                    const std::string& text);
// A conversation, or any thought in one.
Outcome<query::Standing> standing_called(const query::Library& library, const std::string& text);

// The time of the wall clock.
Millis now();

}  // namespace weft::cli
