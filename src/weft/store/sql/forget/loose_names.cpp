#include "weft/store/sql/forget/loose_names.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

class LooseNameFinder {
 public:
  LooseNameFinder(const Database& database, const Words& words)
      : database_(database), words_(words) {}

  Result<LooseNames> find(const std::vector<Id>& thoughts, const std::vector<Id>& connections,
                          const std::unordered_set<Id>& kept) {
    going_.insert(thoughts.begin(), thoughts.end());
    going_.insert(connections.begin(), connections.end());
    for (const std::vector<Id>* ids : {&thoughts, &connections}) {
      for (const Id id : *ids) {
        if (kept.contains(id)) continue;
        WEFT_TRY_VALUE(auto spoken_of, is_spoken_of(id));
        if (!spoken_of) {
          loose_.names.push_back(id);
          continue;
        }
        WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, id));
        loose_.spoken_of.push_back(cid);
      }
    }
    WEFT_TRY(find_dangling(thoughts, connections));
    std::ranges::sort(loose_.names);
    std::ranges::sort(loose_.spoken_of);
    return std::move(loose_);
  }

 private:
  // Names without a row, of which only what goes has spoken.
  Status find_dangling(const std::vector<Id>& thoughts, const std::vector<Id>& connections) {
    std::unordered_set<Id> ends;
    for (const Id id : connections) {
      Rows row = database_.query("SELECT from_id, to_id FROM connections WHERE id = ?", id);
      if (row.next()) ends.insert({row.integer(0), row.integer(1)});
      WEFT_TRY(row.status());
    }
    for (const Id id : thoughts) {
      Rows row = database_.query("SELECT because FROM thoughts WHERE id = ?", id);
      if (row.next()) {
        WEFT_TRY_VALUE(const auto refs, unpack_refs(row.bytes(0), id));
        for (const PackedRef& ref : refs) ends.insert(ref.thought);
      }
      WEFT_TRY(row.status());
    }
    for (const Id id : ends) {
      if (going_.contains(id)) continue;
      Rows row = database_.query(
          "SELECT CAST(EXISTS (SELECT 1 FROM thoughts WHERE id = ?1) OR "
          "EXISTS (SELECT 1 FROM connections WHERE id = ?1) OR "
          "EXISTS (SELECT 1 FROM checkpoints WHERE conversation = ?1) AS INTEGER)",
          id);
      const bool is_needed = row.next() && row.integer(0) != 0;
      WEFT_TRY(row.status());
      if (is_needed) continue;
      WEFT_TRY_VALUE(auto spoken_of, is_spoken_of(id));
      if (!spoken_of) loose_.names.push_back(id);
    }
    return {};
  }

  Result<bool> is_spoken_of(Id id) {
    bool found = false;
    const auto look = [&](Rows rows) -> Status {
      while (!found && rows.next()) found = !going_.contains(rows.integer(0));
      return rows.status();
    };
    WEFT_TRY(look(database_.query("SELECT thought FROM effects WHERE cause = ?", id)));
    WEFT_TRY(look(database_.query("SELECT id FROM connections WHERE from_id = ?", id)));
    WEFT_TRY(look(database_.query("SELECT id FROM connections WHERE to_id = ?", id)));
    return found;
  }

  const Database& database_;
  const Words& words_;
  std::unordered_set<Id> going_;
  LooseNames loose_;
};

}  // namespace

Result<LooseNames> find_loose_names(const Database& database, const Words& words,
                                    const std::vector<Id>& thoughts,
                                    const std::vector<Id>& connections,
                                    const std::unordered_set<Id>& kept) {
  return LooseNameFinder(database, words).find(thoughts, connections, kept);
}

}  // namespace weft::store::sql
