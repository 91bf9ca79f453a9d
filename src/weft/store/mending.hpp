// Mending: brings back damaged rows of what is signed, as far as hashes and signatures prove what
// they were. A row is written only if its CID and its signature hold.
//
//   WEFT_TRY_VALUE(auto report, store.mending().mend({.keyring = &keyring}));
//   for (const LostRow& lost : report.lost) …  // weave its source again, then:
//   WEFT_TRY_VALUE(const bool is_back, store.mending().put_back(thought, &keyring));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

struct MendOptions {
  const crypto::Keyring* keyring = nullptr;  // signs again what it has signed; may be null
  unsigned threads = 1;
  // How many bytes are hashed for one row before the search for its changed bit is given up.
  std::uint64_t budget_bytes = std::uint64_t{1} << 36;
  // Called with how many of how many damaged rows are done.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress{};
};

struct MendedRow {
  std::optional<Cid> cid{};  // of the thought, or of the checkpoint that proves the row
  std::string table;
  std::string how;  // "a changed bit of `body` was changed back"
};

// A row that is damaged still.
struct LostRow {
  std::optional<Cid> cid{};
  std::string table;
  std::string reason{};
  std::string type{};                  // empty if it cannot be read
  std::optional<Millis> created_at{};  // as the row says it
  std::vector<Cid> conversations{};    // that hold it
};

struct MendReport {
  std::vector<MendedRow> mended{};
  std::vector<LostRow> lost{};
};

class Mending {
 public:
  virtual ~Mending() = default;

  // Checks every thought, connection, name, word and tree, and mends what is damaged: from other
  // rows, by signing again, or by changing one bit back. Each mended row is a commit of its own, so
  // a process that is killed leaves a store that can be opened, and the next call continues.
  [[nodiscard]] virtual Result<MendReport> mend(const MendOptions& options) = 0;

  // Puts a copy of a thought in the place of its damaged or removed row. A tree signature stays as
  // it is stored. False if the thought is undamaged, if nothing here refers to it, or if the row
  // would not hold: nothing is written then.
  [[nodiscard]] virtual Result<bool> put_back(const thought::Thought& thought,
                                              const crypto::Keyring* keyring) = 0;

  // What is known of a thought whose row is damaged or gone.
  [[nodiscard]] virtual Result<LostRow> describe(const Cid& cid) const = 0;
};

}  // namespace weft::store
