// Lists ingested sources, and restores them from the archive.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/discover/discover.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// A folder with conversations, found on this machine or ingested before; or all sessions that were
// pushed block by block.
struct SourceFolder {
  std::string format;          // of its files; "zip" for exports as they are downloaded
  std::string path;            // the folder's; of captured sessions "capture:"
  std::uint64_t files = 0;     // that exist now
  std::uint64_t bytes = 0;     // of those
  std::uint64_t ingested = 0;  // files that were ingested, whether they exist or not
  std::uint64_t gone = 0;      // of those, the ones that no longer exist
  std::uint64_t archived = 0;  // bytes that can be restored
  std::uint64_t conversations = 0;
  std::optional<Millis> last_ingest{};
};

// `folders`, of which nothing was ingested yet.
std::vector<SourceFolder> list_folders(const std::vector<Folder>& folders);
// `folders`, and the folders from which anything was ingested. denied if the keyring cannot open
// the names of sources.
Result<std::vector<SourceFolder>> list_sources(const store::Store& store,
                                               const crypto::Keyring& keyring,
                                               const std::vector<Folder>& folders);

// The file of a source: of a conversation in a database ("file!name"), the database.
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

// Every ingested source, by path. denied as above.
Result<std::vector<SourceEntry>> list_source_files(const store::Store& store,
                                                   const crypto::Keyring& keyring);

// {sources: [{format, path, files, bytes, ingested, gone, archived_bytes, conversations,
// last_ingest}]} and {files: [{format, path, project, archived_bytes, gone, conversations,
// last_ingest}]}.
json::object to_json(const std::vector<SourceFolder>& folders);
json::object to_json(const std::vector<SourceEntry>& entries);

// A source that can be restored.
struct Archived {
  std::string path, format;
  store::Source source;
};

// Finds a source by its path, however that is written, or by a conversation in it; of several, the
// one that was ingested last. not_found; denied without the content key.
Result<Archived> find_archived(const store::Store& store, const crypto::Keyring& keyring,
                               const std::string& path);
Result<Archived> find_archived(const store::Store& store, const crypto::Keyring& keyring,
                               const Cid& conversation);

// Passes the original bytes to `write`, in order. `former`: those before the file was last
// rewritten with less content. not_found if there are none; corrupt if a segment cannot be opened.
enum class Version { newest, former };
Status restore(const store::Store& store, const crypto::Keyring& keyring, const Archived& archived,
               Version version, const std::function<Status(std::string_view)>& write);

}  // namespace weft::ingest
