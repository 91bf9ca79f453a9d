// Library: the web and the keyring that every query reads with.
#pragma once

#include <memory>
#include <string_view>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::query {

class SecretMask;

// Answers are JSON objects of the shapes in docs/design.md, "Answers": what `--json` prints is what
// an agent gets; other forms are made from them. Layers that the keyring does not open stay sealed,
// under "$layers".
struct Library {
  // A snapshot, so that one answer comes from one state; or the store itself, for work that goes on
  // while others commit.
  const store::Web& web;
  const crypto::Keyring* keyring = nullptr;  // may be null: then layers stay sealed
  const SecretMask* mask = nullptr;          // null: secrets are shown as they are
};

// Whether answers show secrets. They are masked in what goes to models and other people.
enum class Secrets { shown, masked };

// A library with a snapshot of its own, for one answer. For one thread at a time.
class PinnedLibrary {
 public:
  // Both outlive it.
  PinnedLibrary(const store::Store& store, const crypto::Keyring* keyring,
                Secrets secrets = Secrets::shown);
  PinnedLibrary(PinnedLibrary&&) noexcept;
  ~PinnedLibrary();

  operator const Library&() const& { return library_; }  // implicit: queries take a Library
  operator const Library&() const&& = delete;            // its snapshot would be gone
  const Library* operator->() const { return &library_; }

 private:
  std::unique_ptr<const store::Snapshot> snapshot_;
  std::unique_ptr<const SecretMask> mask_;  // null if secrets are shown
  Library library_;
};

// Finds a thought by its CID, or by 8 or more of its hex digits. not_found; invalid_input if it is
// not such a name or is ambiguous.
Result<Cid> resolve_thought(const Library& library, std::string_view text);

// Finds a conversation by CID or prefix, by session id, as `format:session_id`, by 4 or more first
// characters of a session id, or by its rank among the sessions as `weft list` counts them: `@1`,
// also `last`, is the most recently changed one. Of several with that session id, the main one
// (subagents share their parent's).
Result<store::ConversationRow> resolve_conversation(const Library& library, std::string_view text);

}  // namespace weft::query
