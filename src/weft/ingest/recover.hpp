// Recovers damaged thoughts from their sources: weaves the file again, or what the archive has of
// it, and puts back the thoughts whose CIDs come out the same.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

struct RecoverOptions {
  // An empty folder for temporary stores, which the caller removes.
  std::filesystem::path scratch;
  std::optional<std::string> human{};  // as it was at the ingest
};

struct RecoveredThought {
  Cid cid;
  bool is_archived = false;  // from the archive; else from the file
  std::string path;          // of the source
};

// Tries the sources of the conversations that hold each of `lost`. The file comes first; a piece of
// the archive can be opened only if its dictionary is undamaged. Thoughts that no source brings
// back are not in the answer. `keyring` can sign. Fails only if a store does.
Result<std::vector<RecoveredThought>> recover(store::Store& store, const crypto::Keyring& keyring,
                                              const std::vector<store::LostRow>& lost,
                                              const RecoverOptions& options);

}  // namespace weft::ingest
