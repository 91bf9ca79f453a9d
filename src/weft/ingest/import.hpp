// Imports thoughts of another store: the JSON lines of `weft export --as thoughts`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/imported_trees.hpp"
#include "weft/ingest/thoughts_file.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

struct Refused {
  std::uint64_t line = 0;
  std::string cid;  // empty if the line is not a thought
  std::string reason;
};

struct ImportReport {
  // Further refusals are only counted.
  static constexpr std::size_t kMaxListed = 10'000;

  std::uint64_t read = 0, new_thoughts = 0;
  std::uint64_t valid = 0, foreign = 0;  // imported ones signed by this keyring's keys, by others'
  std::uint64_t refused_count = 0;
  std::vector<Cid> conversations;
  std::vector<Refused> refused;
  std::vector<IncompleteConversation> incomplete;
};

// What happens to the rest of a file of which something is refused, or a conversation incomplete.
enum class Rest { is_imported, is_refused };

// Checks every thought of `file`: CID, signature, tree path, cover, that its boxes under keys of
// `keyring` open, that everything it rests on is in the file or in the store, and the rules of
// check/import_rules.hpp. Thoughts that fail are refused and reported; the others are
// committed at once, with their signatures, and indexed: sealed text, too, if the keyring opens it
// and `index_sealed` is set. With Rest::is_refused the file is imported whole or not at all: the
// report then has what was wrong with it, and counts no new thoughts.
//
// A large file is read several times. Memory holds what the checks need of each thought, about 150
// bytes, and of the thoughts only the first few megabytes. invalid_input if that is more than
// kMaxOutlineBytes, about a million thoughts; conflict if the file changes meanwhile: nothing is
// imported then.
inline constexpr std::size_t kMaxOutlineBytes = 112u << 20;
Result<ImportReport> import_thoughts(store::Store& store, const crypto::Keyring* keyring,
                                     const ThoughtsFile& file, bool index_sealed = true,
                                     Rest rest = Rest::is_imported);

// A file that stands in place of what the store has of a conversation: of its chain of checkpoints,
// which its creator gave up (store/replacing.hpp).
struct Instead {
  Cid conversation;
  Cid now;                     // its newest checkpoint in the store
  Cid tip;                     // and in the file
  std::map<Cid, Cid> turns{};  // of the chain that goes, and what stands for them
};

// The checks of an import for such a file; nothing is written.
Result<ImportReport> check_instead(const store::Store& store, const crypto::Keyring* keyring,
                                   const ThoughtsFile& file, const Cid& conversation);
// The same, and the file takes that place, whole or not at all, as with Rest::is_refused. conflict
// if the conversation was changed meanwhile.
Result<ImportReport> import_instead(store::Store& store, const crypto::Keyring* keyring,
                                    const ThoughtsFile& file, const Instead& instead,
                                    bool index_sealed);

}  // namespace weft::ingest
