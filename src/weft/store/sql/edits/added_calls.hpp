// AddedCalls: what one commit changes in the calls of conversations that edit files, at a cost that
// depends on the commit alone.
//
// A call is stated again if its request or result was placed or superseded.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "weft/store/sql/edits/conversation_calls.hpp"
#include "weft/store/sql/late/places.hpp"

namespace weft::store::sql {

class AddedCalls {
 public:
  // Both outlive it.
  AddedCalls(LateContext& with, const LateAddition& addition)
      : with_(with),
        addition_(addition),
        places_(with, addition.conversation),
        keys_(with.keyring) {}

  Status find();
  // Precondition of the next: find() succeeded. The statements to be appended, by conversation:
  // others contain calls that the commit superseded.
  const std::map<Id, std::vector<CallStatement>>& statements() const { return statements_; }
  // The keys that seal calls which the commit placed in its conversation.
  const std::set<std::int64_t>& call_keys() const { return call_keys_; }

 private:
  // A part of a call, from the commit or from the store.
  struct Part {
    const thought::Thought* thought = nullptr;
    OpenedThought stored{};  // if it is not of the commit
    OpenLayers layers{};
    std::optional<std::int64_t> key{};
    OpenBlock open() const { return {*thought, layers}; }
  };

  Result<CallBlock> find_block(Id id);
  Result<bool> is_turn_here(Id turn);
  // A block that the commit placed: notes its call.
  Status note_placed(const Edge& edge);
  // A block that the commit superseded: notes its call wherever it stands.
  Status note_superseded(Id block);
  // The request of a call by one of its parts. Empty if it is none.
  static std::optional<Id> request_of(Id block, const CallBlock& part);

  Status state(Id conversation, Id request);
  // Sets edits and result.
  Status read_edits(Id conversation, const LateAddition::NewThought* added, const Part& request,
                    CallStatement& call);
  Result<bool> stands_in(Id conversation, Id block);
  Result<std::optional<Id>> find_result(Id conversation, Id request);
  // Fills `out` in place: it points into itself. False if it is not stored.
  Result<bool> load(Id id, Part& out);

  LateContext& with_;
  const LateAddition& addition_;
  Places places_;
  CallKeys keys_;
  std::set<Id> placed_{}, superseded_{};  // blocks
  std::map<Id, bool> turns_{};            // whether a turn stands in the conversation
  std::set<std::pair<Id, Id>> calls_{};   // conversation and request
  std::map<Id, std::vector<CallStatement>> statements_{};
  std::set<std::int64_t> call_keys_{};
};

}  // namespace weft::store::sql
