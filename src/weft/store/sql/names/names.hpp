// Names and words: map CIDs to ids and back, and types, relations and labels to numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/name_index.hpp"

namespace weft::store::sql {

class Words;

// corrupt if it is not 32 bytes.
Result<Cid> to_cid(std::string_view bytes);

// Most connections are nameless: they have no row in `names`, because their CID follows from their
// columns. Two thirds of all names are of connections.
struct Found {
  Id id = 0;
  bool is_nameless = false;
};
// Empty for a CID that nothing refers to.
Result<std::optional<Found>> find_name(const Database& database, const Words& words,
                                       const Cid& cid);
// The same among names that the index has for its hash.
Result<std::optional<Found>> find_name_among(const Database& database, const Words& words,
                                             const Cid& cid, std::span<const Name> candidates);
Result<std::optional<Id>> find_id(const Database& database, const Words& words, const Cid& cid);
// corrupt if no name has this id: something stored refers to it.
Result<Cid> get_cid(const Database& database, const Words& words, Id id);

// The same for committed names, which never change, with a cache.
class Names {
 public:
  Names(const Database& database, const Words& words)
      : database_(&database), words_(&words), cache_(kCached), hints_(kCached) {}

  // Found without the name index if cid() returned it before.
  Result<std::optional<Id>> find_id(const Cid& cid) const;
  Result<Cid> cid(Id id) const;
  // For callers that read many at once.
  void remember(Id id, const Cid& cid) { keep(id, cid); }
  // Clears the cache: call it after a stored name was mended.
  void forget() {
    cache_.assign(kCached, {});
    hints_.assign(kCached, 0);
  }

 private:
  // Edges mostly lead to thoughts stored shortly before them, which are then looked up.
  static constexpr std::size_t kCached = 8192;
  struct Cached {
    Id id = 0;
    Cid cid;
  };
  void keep(Id id, const Cid& cid) const;
  Cached& slot(Id id) const { return cache_[static_cast<std::size_t>(id) % kCached]; }
  // A hint only: a forgotten thought may have been stored again under another id.
  Id& hint(const Cid& cid) const { return hints_[hash_of(cid) % kCached]; }

  const Database* database_;
  const Words* words_;
  mutable std::vector<Cached> cache_;
  mutable std::vector<Id> hints_;
};

// Types, relations and labels.
class Words {
 public:
  explicit Words(const Database& database) : database_(&database) {}

  Result<std::optional<Id>> find_id(std::string_view text) const;
  // Adds the word if it is new.
  Result<Id> id(std::string_view text);
  // corrupt if there is none. The text is valid until the next call.
  Result<std::string_view> text(Id id) const;
  // Clears the cache: call it after a rollback.
  void forget() {
    ids_.clear();
    texts_.clear();
  }
  // Reads the oldest words, which are the most common ones, in one question.
  Status read_common();

 private:
  // Words are few in practice, but a label may be anything, and memory is limited.
  static constexpr std::size_t kCached = 4096;
  static constexpr std::int64_t kCommon = 256;
  // Looks up a view without making a string of it.
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  const Database* database_;
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> ids_;
  mutable std::unordered_map<Id, std::string> texts_;
};

}  // namespace weft::store::sql
