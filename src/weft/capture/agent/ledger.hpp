// What the store keeps of captured sessions between two blocks: one source for each, and one that
// lists those that are recording. Sealed like the state of any source, for it may quote what was
// said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/store/store.hpp"

namespace weft::capture {

// One session as it was left.
struct Session {
  std::string id;
  store::Source source;  // of revision 0 if it is new
  bool is_recording = false;
  json::object transcript{}, weaver{};  // what both go on from; empty before the first block
  std::optional<Cid> conversation{};    // once there is one
};

class Ledger {
 public:
  // Both outlive it. `keyring` can sign.
  Ledger(const store::Store& store, const crypto::Keyring& keyring)
      : store_(store), seal_(keyring) {}

  // Empty if it was never begun, or was forgotten. corrupt if what is kept of it cannot be read.
  Result<std::optional<Session>> find(const std::string& id) const;
  Session begin(const std::string& id) const;
  // Those that are recording, in the order begun.
  Result<std::vector<std::string>> recording() const;

  // What a commit says of a session. Whoever else changed it since it was read makes the commit
  // a conflict.
  store::SourceUpdate update(const Session& session, Millis now) const;
  // The list with this session on it or off it; for the same commit.
  Result<store::SourceUpdate> list(const Session& session, Millis now) const;

 private:
  struct Listed {
    store::Source source;
    std::vector<store::SourceKey> keys;
  };
  Result<Listed> read_list() const;
  Result<std::optional<Session>> read(store::Source source) const;
  store::Source new_source(std::string_view path) const;

  const store::Store& store_;
  ingest::SourceSeal seal_;
};

}  // namespace weft::capture
