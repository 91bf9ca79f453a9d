// Remote: a web elsewhere that conversations are pushed to and pulled from. Implementations: a
// folder of files (folder_remote.hpp) and another store (store_remote.hpp).
//
//   WEFT_TRY_VALUE(auto remote, open_remote("folder:/mnt/shared/weft", Access::write, keyring));
//   WEFT_TRY_VALUE(auto tips, remote->tips());
//
// A remote is not trusted: whoever reads from it checks every thought, as an import does
// (ingest/import.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/thoughts_file.hpp"
#include "weft/store/store.hpp"

namespace weft::remote {

// The tip of a conversation, which says what it has: its newest checkpoint.
struct Tip {
  Cid conversation;
  Cid checkpoint;
  friend auto operator<=>(const Tip&, const Tip&) = default;
};

// A conversation on its way from one web to another: what its state `tip` has and its state
// `since` has not. Everything, if the other web does not have the conversation.
struct Update {
  Tip tip;
  std::optional<Cid> since{};
};

// A signed statement that conversations were forgotten, with the identity that signed it.
struct Forgotten {
  thought::Thought tombstone;
  thought::Thought identity;
};

// What became of a request to remove something.
enum class Removal {
  done,   // it is not there any more
  asked,  // the statement is there, and the keeper of the web carries it out (keep/keeper.hpp)
};

struct Sent {
  std::uint64_t thoughts = 0, bytes = 0;
};

class Remote {
 public:
  virtual ~Remote() = default;

  // The random id of the web, 32 hex digits; what is remembered of a remote is remembered of this
  // id. Empty if nothing was pushed there yet. corrupt.
  [[nodiscard]] virtual Result<std::optional<std::string>> find_web_id() const = 0;
  // The same; made if there is none yet.
  [[nodiscard]] virtual Result<std::string> web_id() = 0;

  // Where a conversation lies, for messages.
  virtual std::string place_of(const Tip& tip) const = 0;

  // The state of every conversation. A folder may have several states of one: other machines write
  // to it at the same time.
  [[nodiscard]] virtual Result<std::vector<Tip>> tips() const = 0;
  // Of these conversations; those that are not there are left out.
  [[nodiscard]] virtual Result<std::vector<Tip>> tips_of(
      std::span<const Cid> conversations) const = 0;

  // The thoughts of these updates, perhaps with some that are older than `since`. not_found.
  [[nodiscard]] virtual Result<ingest::ThoughtsFile> read(
      const std::vector<Update>& updates) const = 0;

  // Adds these updates from `web`, each whole or not at all; again is not an error. `web` does not
  // change meanwhile, and has the tips as its newest. invalid_input if the remote refuses
  // thoughts; unavailable, denied.
  [[nodiscard]] virtual Result<Sent> write(const store::Web& web,
                                           const std::vector<Update>& updates) = 0;

  // Writes a conversation that is there as `tip` again, whole, in the place of what is there: for
  // one of which something is missing or changed. Fails as write() does.
  [[nodiscard]] virtual Result<Sent> rewrite(const store::Web& web, const Tip& tip) = 0;

  // What was forgotten there. Signatures are for the caller to check.
  [[nodiscard]] virtual Result<std::vector<Forgotten>> forgotten() const = 0;
  // Removes a conversation, if it is there, and keeps the statement for others who pull. Where this
  // user may add, but not remove, it asks for that; asking again is not an error, and asks anew
  // only if what was asked cannot be carried out any more. denied if the keyring cannot sign.
  [[nodiscard]] virtual Result<Removal> forget(const Tip& tip, const Forgotten& statement,
                                               Millis now) = 0;
  // Whether nothing of what was removed is left in the files there, as far as anybody can tell.
  [[nodiscard]] virtual Result<bool> is_wiped() const { return true; }
};

// What is done with the remote. For `write` it is created if it does not exist.
enum class Access { read, write };

struct Settings {
  Access access = Access::read;
  const crypto::Keyring* keyring = nullptr;  // outlives the remote; may be null
  std::filesystem::path scratch{};           // a folder for files without names
};

// Opens a remote by its URL: "folder:PATH", or the URL of a store ("sqlite:PATH"). not_found if
// there is none to read, or no folder above it. invalid_input for another URL.
Result<std::unique_ptr<Remote>> open_remote(const std::string& url, const Settings& settings);

// A remote that does not exist yet: it has nothing, and cannot be written.
std::unique_ptr<Remote> no_remote_yet();

inline constexpr std::string_view kFolderScheme = "folder:";

}  // namespace weft::remote
