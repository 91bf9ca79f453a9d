// AddedOutline: what one commit changes in the outlines of conversations. It rewrites the end of
// its own, and each page with a block that was superseded, or a thinking that got a summary.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "weft/store/sql/late/places.hpp"
#include "weft/store/sql/outlines/outline_writer.hpp"

namespace weft::store::sql {

class AddedOutline {
 public:
  // Both outlive it.
  AddedOutline(LateContext& with, const LateAddition& addition)
      : with_(with),
        addition_(addition),
        names_(with.database, with.words),
        places_(with, addition.conversation),
        pages_(with.database, with.keyring, addition.conversation) {}

  // False if it is more than an addition to the end: then the outline has to be computed again. So
  // it is for the conversations in refill(), in any case.
  Result<bool> write();
  const std::set<Id>& refill() const { return refill_; }

 private:
  Status find_relations();
  Result<bool> append();
  Result<bool> append_edge(const Edge& edge, OutlineWriter& writer);
  // Whether the conversation contains a turn. Notes others that do.
  Result<bool> has_turn(Id turn, const OutlinePage& tail);
  // Blocks that stood before, and are superseded or summarized now.
  Status renew_touched();
  Status renew(Id conversation, Id edge, Id block);
  // A place as it is now.
  Result<PlacedGroup> group_of(const BlockItem& place);
  Result<bool> is_superseded(Id block);
  Result<std::vector<Id>> summaries_of(Id block);
  Result<BlockRecord> record_of(Id block);

  LateContext& with_;
  const LateAddition& addition_;
  Names names_;
  Places places_;
  OutlinePages pages_;
  Id contains_ = 0, supersedes_ = 0, rework_ = 0;  // 0: no connection has it
  std::set<Id> touched_{}, superseded_{}, refill_{};
  std::map<Id, std::vector<const Edge*>> reworks_{};  // by the thinking
  std::map<Id, bool> turns_{};                        // whether they are the conversation's
};

}  // namespace weft::store::sql
