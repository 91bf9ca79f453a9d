// CommitNames: every CID that one commit stores or refers to, and its id.
//
// Inserting random 32-byte keys into a large index is expensive, so they are collected in memory
// first, and looked up and written in the order of the index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/name_filter.hpp"

namespace weft::store::sql {

class Words;

class CommitNames {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Entry {
    Cid cid;
    Id id = 0;                      // 0 until it is known
    std::uint32_t owner = kNobody;  // the addition that assigned its id
    bool stored = false;            // its row exists, or is written in this commit
    bool is_edge = false;           // of this commit, or nameless in the store
    bool is_nameless = false;       // its CID follows from its columns
  };

  void reserve(std::size_t count);
  // Adds a CID, once. The reference is valid until the next call.
  Entry& enter(const Cid& cid) { return entries_[enter_index(cid)]; }
  // The same; the entry is entry(index) from then on, which saves looking it up again.
  std::uint32_t enter_index(const Cid& cid);
  Entry& entry(std::uint32_t index) { return entries_[index]; }
  // Null if it was not entered.
  Entry* find(const Cid& cid);
  // Precondition: it was entered.
  Entry& at(const Cid& cid);
  Id id(const Cid& cid) { return at(cid).id; }

  // Finds the ids that the store has. Turns `filter` on where that pays.
  Status look_up(const Database& database, const Words& words, NameFilter& filter);
  // Assigns the next id. Precondition: it has none.
  void give_id(Entry& entry, std::uint32_t owner);
  // The id that give_id() assigns next.
  Id next_id() const { return next_; }
  // Writes the names that got their ids here; of nameless ones only the index entry. Names that are
  // only referred to get their ids first.
  Status write(const Database& database, NameFilter& filter);

 private:
  std::uint32_t& slot(const Cid& cid);
  void grow();
  struct Hashed {
    Hash hash;
    std::uint32_t entry;
  };
  std::vector<Hashed> by_hash(std::span<const std::uint32_t> which) const;

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing: index + 1 of an entry, or 0
  std::vector<std::uint32_t> given_;  // entries in the order of their new ids
  Id next_ = 1;
};

}  // namespace weft::store::sql
