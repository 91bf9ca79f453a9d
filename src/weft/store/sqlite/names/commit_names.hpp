// The roll of one commit: every CID that it stores or speaks of, and the id of each.
//
// A random 32-byte key is dear to insert into a large index, so the roll is kept in
// memory first, and looked up and written in the order of the index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sqlite/names/name_filter.hpp"

namespace weft::store::sql {

class Words;

class CommitNames {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Entry {
    Cid cid;
    Id id = 0;                      // 0 until it is known or given
    std::uint32_t owner = kNobody;  // which addition gave it its id
    bool stored = false;            // a row is there, or written in this commit
    bool is_edge = false;           // of this commit, or nameless in the store
    bool is_nameless = false;       // its columns say its name
  };

  void reserve(std::size_t count);
  // Adds it if it is not there yet. The reference holds until the next call.
  Entry& enter(const Cid& cid);
  // Null if it was not entered.
  Entry* find(const Cid& cid);
  // Precondition: it was entered.
  Entry& at(const Cid& cid);
  Id id(const Cid& cid) { return at(cid).id; }

  // Finds the ids of those that have one in the store. `filter` is turned on where it pays.
  Status look_up(const sqlite::Database& database, const Words& words, NameFilter& filter);
  // Gives the next id. Precondition: it has none.
  void give_id(Entry& entry, std::uint32_t owner);
  // The id that give_id() gives next.
  Id next_id() const { return next_; }
  // Writes the names that got their ids here, of the nameless only how to find them; those
  // still without one, which are only spoken of, get theirs first.
  Status write(const sqlite::Database& database, NameFilter& filter);

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
