// PreparedUnits: the bodies, search terms, figures, edits and secrets of a batch, made before its
// commit. For stores that keep bodies as body.hpp packs them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/store/index_terms.hpp"
#include "weft/store/outline/statement.hpp"
#include "weft/store/tables/block_tally.hpp"
#include "weft/store/tables/call_edits.hpp"
#include "weft/store/tables/secret_list.hpp"
#include "weft/store/writer.hpp"

namespace weft::store {

// For each unit, for each of its thoughts.
struct PreparedUnits final : Prepared {
  std::vector<std::vector<std::string>> bodies{};  // by pack_ahead()
  std::vector<std::vector<std::optional<ThoughtTerms>>> terms{};
  std::vector<std::vector<std::optional<BlockTally>>> tallies{};
  std::vector<std::vector<Statement>> statements{};  // of blocks; others say nothing
  std::vector<std::vector<std::optional<CallEdits>>> calls{};
  std::vector<std::vector<ThoughtSecrets>> secrets{};
  IndexKeys index_keys{};
  const crypto::Keyring* keyring = nullptr;  // of the indexer; outlives the batch
};

// Sets batch.prepared, as Writer::prepare does.
Plaintexts prepare_units(Batch& batch, const Indexer& indexer);

// What prepare_units() set. Null if the batch was not prepared.
const PreparedUnits* find_prepared(const Batch& batch);

}  // namespace weft::store
