// What was taken in from where, and giving it back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/discover/discover.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// A folder with conversations, found on this machine or taken in from; or all sessions that were
// pushed block by block.
struct SourceFolder {
  std::string format;          // of its files; "zip" for exports as they are downloaded
  std::string path;            // the folder's; of captured sessions "capture:"
  std::uint64_t files = 0;     // there now
  std::uint64_t bytes = 0;     // of those
  std::uint64_t ingested = 0;  // files that were taken in, there or not
  std::uint64_t gone = 0;      // of those, no longer there
  std::uint64_t archived = 0;  // bytes that can be restored
  std::uint64_t conversations = 0;
  std::optional<Millis> last_ingest{};
};

// The folders of `folders`, and those that anything was taken in from. denied if the keyring
// does not open names.
Result<std::vector<SourceFolder>> list_sources(const store::Store& store,
                                               const crypto::Keyring& keyring,
                                               const std::vector<Folder>& folders);

// The file in which a source lies: of a conversation in a database ("file!name"), the database.
std::string file_of(const std::string& path);

// One source: a file, a conversation in a database ("file!name"), or a session that was pushed
// ("capture:session"), of which nothing is archived.
struct SourceEntry {
  std::string format, path, project;
  std::uint64_t archived = 0;  // bytes that can be restored
  bool is_gone = false;
  std::uint64_t conversations = 0;
  Millis last_ingest = 0;
};

// Everything that was taken in, by path. denied as above.
Result<std::vector<SourceEntry>> list_source_files(const store::Store& store,
                                                   const crypto::Keyring& keyring);

// One file that can be given back.
struct Archived {
  std::string path, format;
  store::Source source;
};

// By its path, however that is written, or by the conversation that stands in it: the one
// that was taken in last. not_found; denied without the content key.
Result<Archived> find_archived(const store::Store& store, const crypto::Keyring& keyring,
                               const std::string& path);
Result<Archived> find_archived(const store::Store& store, const crypto::Keyring& keyring,
                               const Cid& conversation);

// Its bytes as they were, in order. `former`: as it was before it was last written anew with
// less in it. not_found if there is no such; corrupt if a piece does not open.
enum class Version { newest, former };
Status restore(const store::Store& store, const crypto::Keyring& keyring, const Archived& archived,
               Version version, const std::function<Status(std::string_view)>& write);

}  // namespace weft::ingest
