// Derived: checks everything in a store that is not signed itself, and rebuilds what follows from
// what is signed.
//
//   WEFT_TRY_VALUE(auto checks, store.derived().checks(CheckDepth::quick));
//   for (const StoreCheck& check : checks) {  // on any thread, in any order
//     WEFT_TRY_VALUE(auto found, store.derived().run(check));
//   }
//   WEFT_TRY_VALUE(auto rebuilt, store.derived().rebuild(indexer, {}));
//
// Two kinds of checks complement each other. The sum of a table (docs/formats/store.md, "Sums")
// shows that a row was changed, swapped, added or removed by anything but weft, whatever the table
// holds. Recomputing shows which row does not follow from the thoughts, and also catches a change
// by someone who recomputed the sums.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/store/indexer.hpp"

namespace weft::store {

// Something in the store that is not as it should be.
struct StoreFinding {
  std::string table;           // "effects"; "weft.db" for the file as a whole
  std::string what;            // a sentence for people, without the table's name
  std::optional<Cid> about{};  // the thought or conversation that it concerns, if it is known
  std::string cure;            // what to do, as a command or a short sentence
  friend auto operator<=>(const StoreFinding&, const StoreFinding&) = default;
};

// `full` adds what takes long: the documents and the structure of the search index, and every name
// by its hash. Their sums are part of `quick`.
enum class CheckDepth { quick, full };

// One check, which needs no other. Opaque: only the store that returned it can run it.
struct StoreCheck {
  int kind = 0;
  std::string table{};
};

struct Rebuilt {
  std::vector<StoreFinding> mended{};  // found before, and not any more
  // Found after: rows that follow from nothing, of which the sum is known and the content is not.
  std::vector<StoreFinding> lost{};
};

// May be used from several threads at once. Each check reads one state of the store, in memory that
// does not grow with it.
class Derived {
 public:
  virtual ~Derived() = default;

  // All checks, long ones first, so that several threads end at about the same time.
  [[nodiscard]] virtual Result<std::vector<StoreCheck>> checks(CheckDepth depth) const = 0;
  // What is wrong; empty if nothing is. An error only if the store cannot be read at all. Figures
  // of sealed layers are checked as far as `keyring`, which may be null, opens them.
  [[nodiscard]] virtual Result<std::vector<StoreFinding>> run(
      const StoreCheck& check, const crypto::Keyring* keyring = nullptr) const = 0;

  // Whether the store has its sums. Without them, in a store of version 8 that is only read or on a
  // server, a removed row is noticed only where something else follows from it.
  [[nodiscard]] virtual Result<bool> has_sums() const = 0;

  // Rebuilds each table that a full check objects to, in one transaction: all or nothing, and a
  // process that is killed leaves the store as it was. A table without findings is not written.
  // A single changed bit is undone in any table, by its sum; an index of search is built from the
  // thoughts, with `indexer`. `progress` is called with how many of how many checks are done.
  [[nodiscard]] virtual Result<Rebuilt> rebuild(
      const Indexer& indexer,
      const std::function<void(std::uint64_t done, std::uint64_t all)>& progress) = 0;
  // Accepts the store as it is: computes all sums from the present rows. For what rebuild() cannot
  // bring back, after the user has seen it.
  [[nodiscard]] virtual Status accept() = 0;
};

}  // namespace weft::store
