// What every command is handed: what was asked for, where things are, and the two
// streams. Answers go to stdout, everything else to stderr.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/cli/app/answer.hpp"
#include "weft/cli/app/home.hpp"
#include "weft/cli/render/document.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

// The options that every command takes.
struct GlobalOptions {
  bool json = false;
  ColourChoice colour = ColourChoice::automatic;
  Places places{};
};

// A store, and the keyring if there is one.
struct Opened {
  std::unique_ptr<store::Store> store;
  std::optional<crypto::Keyring> keyring{};

  // Borrows from this.
  query::Library library() const { return {*store, keyring ? &*keyring : nullptr}; }
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
  void note(std::string_view text) const;              // stderr: "weft: text"

  // For questions: makes nothing. Without a keyring things stay sealed.
  Asked<Opened> open_to_read() const;
  // For taking things in: makes home, store and, where a keyring is missing, that too,
  // and says so. The keyring can sign, and is that of the store's owner.
  Asked<Opened> open_to_write(const FirstUse& first_use) const;
  // For what others signed: makes home and store; the keyring is what is there.
  Asked<Opened> open_to_import() const;

  // The keyring that is there; empty if there is none where it lies by default.
  Asked<std::optional<crypto::Keyring>> find_keyring() const;
  AskPassphrase passphrase() const;

 private:
  Asked<std::unique_ptr<store::Store>> open_store(store::Create create) const;

  GlobalOptions options_;
  Environment environment_;
  Home home_;
  std::FILE* out_;
  std::FILE* err_;
  Style style_;
  Layout layout_;
};

// Names as people type them. What they name wrongly is not found: exit 1.
Asked<Cid> thought_called(const query::Library& library, const std::string& text);
Asked<store::ConversationRow> conversation_called(const query::Library& library,
                                                  const std::string& text);

// What the wall clock says.
Millis now();

}  // namespace weft::cli
