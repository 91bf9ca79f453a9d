// Mender: mends the suspects that damage_scan.hpp found, on one connection that writes.
//
// Damage spreads: everything that refers to a wrong name hashes to something else. So what follows
// from other rows is mended first and the rest is judged again, until nothing changes; only then
// single bits are tried.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/store/mending.hpp"
#include "weft/store/sqlite/mend/damage_scan.hpp"
#include "weft/store/sqlite/mend/judge.hpp"
#include "weft/store/sqlite/mend/thought_row.hpp"

namespace weft::store::sql {

class Mender {
 public:
  // `reader` is on a connection that writes. Both outlive it.
  Mender(Reader& reader, const MendOptions& options)
      : reader_(reader), options_(options), judge_(reader, options.keyring) {}

  Result<MendReport> mend(Suspects suspects);
  Result<bool> put_back(const thought::Thought& thought);
  Result<LostRow> describe(Id id, const std::optional<Cid>& cid);

 private:
  using Change = std::function<Status()>;
  using Holds = std::function<Result<bool>()>;

  const Database& database() const { return reader_.database(); }
  void forget();
  // Makes a change and commits it if the store `holds` then, and reports it. True if so; else the
  // store stays as it was. Caches are cleared.
  Result<bool> commit_if(MendedRow row, const Change& change, const Holds& holds);
  // Whether the stored row holds: its CID, its signature, and the tree if one signs it.
  Result<bool> is_sound(Id id);

  // --- mender.cpp: thoughts. Each is true if something was mended. ---------------------------
  Result<std::optional<Cid>> find_stored_name(Id id) const;
  // From other rows: names, signatures, ids.
  Result<bool> settle_thoughts();
  Result<bool> settle_thought(const ThoughtRow& row, const std::optional<Cid>& name,
                              const Judgement& judgement);
  Result<bool> mend_signature(const ThoughtRow& row, const Cid& cid);
  std::optional<std::string> find_signature(ThoughtRow row, const Cid& cid);
  // By single bits.
  Result<bool> search_thoughts();
  Result<bool> search_thought(Id id);

  // --- mender_names.cpp: names and words ------------------------------------------------------
  Result<bool> mend_name(const ThoughtRow& row, const Cid& computed);
  Result<bool> mend_id(const ThoughtRow& row);
  Result<bool> move_row(const ThoughtRow& row, Id id);
  Result<bool> mend_type_words();
  Result<bool> mend_word(Id word, const Holds& holds);

  // --- mender_trees.cpp: connections and leaves -----------------------------------------------
  Result<bool> settle_trees();
  Result<bool> mend_trees();
  Result<bool> mend_edge_names(Id page);
  Result<bool> mend_page(Id page);
  Result<bool> mend_leaves(Id checkpoint);
  Result<bool> mend_edge_words(Id page);
  // Pages with connections between these ids whose CIDs are not those of the index.
  Result<std::vector<Id>> changed_pages(Id first, Id last);
  // Whether it has the CID that the index has for its id, and its own signature holds.
  Result<bool> is_expected(const Edge& edge);
  Result<std::optional<Hash>> find_indexed(Id id);
  // Whether every tree of the suspects with a leaf between these ids is whole.
  Result<bool> are_trees_whole(Id first, Id last);

  Status report_lost();

  Reader& reader_;
  const MendOptions& options_;
  Judge judge_;
  Suspects suspects_;
  std::map<Id, std::string> given_up_;  // thoughts that no single bit explains, and why
  std::vector<Name> index_;             // all names by id, once they were needed
  MendReport report_;
};

}  // namespace weft::store::sql
