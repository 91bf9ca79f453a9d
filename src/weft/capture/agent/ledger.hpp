// The state of captured sessions between two blocks, kept in the store: one source for each
// session, and one that lists the sessions being recorded. It is sealed like the state of any
// source, for it may quote transcript text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/store/store.hpp"

namespace weft::capture {

// A session as it was last committed.
struct Session {
  std::string id;
  store::Source source;  // of revision 0 if it is new
  bool is_recording = false;
  json::object transcript{}, weaver{};  // their saved states; empty before the first block
  std::optional<Cid> conversation{};    // once there is one
};

class Ledger {
 public:
  // Both outlive it. `keyring` can sign.
  Ledger(const store::Store& store, const crypto::Keyring& keyring)
      : store_(store), seal_(keyring) {}

  // Empty if the session was never started, or was forgotten. corrupt if its state cannot be read.
  Result<std::optional<Session>> find(const std::string& id) const;
  Session begin(const std::string& id) const;
  // The ids of the sessions that are recording, in the order started.
  Result<std::vector<std::string>> recording() const;

  // The update of a session's source for a commit. The commit is a conflict if another process
  // changed the session since it was read.
  store::SourceUpdate update(const Session& session, Millis now) const;
  // The update of the list, with or without this session; for the same commit.
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
