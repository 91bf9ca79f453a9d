// JoinedUnit: what follows the chain that stays when two chains are joined (join_chains.hpp): one
// commit with everything that only the other chain had.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/remote/join/joined_side.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/statements/joining.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::remote {

class JoinedUnit {
 public:
  // All outlive it. `other` keeps what `kept` does not know.
  JoinedUnit(const JoinedSide& kept, JoinedSide& other, const crypto::Keyring& keyring,
             const Cid& conversation, Millis at);

  // Adds the statement, and everything that is brought over. For one call.
  Status add(const thought::Joining& joining);
  // The thoughts of the commit as an export has them, the checkpoint last. `end` is the content of
  // the checkpoint `previous` that it follows.
  Result<std::vector<thought::Thought>> close(const Cid& previous, const thought::Checkpoint& end);

  // Which turn stands for one of the other chain.
  const std::map<Cid, Cid>& turns() const { return turns_; }
  std::uint64_t brought() const { return brought_; }

 private:
  using Connection = thought::Connection;
  // The blocks of a turn of the chain that stays, as far as nothing of the other chain is known to
  // be them.
  struct Positions {
    std::set<std::uint64_t> taken{};
    std::multimap<Cid, std::uint64_t> free{};  // block → position
    std::map<Cid, std::uint64_t> all{};
  };

  // `key` signs it; null for one that is signed.
  void add_alone(thought::Thought thought, const crypto::SigningKey* key = nullptr);
  void add_edge(const Connection& edge);
  void add_turn(const JoinedSide::Turn& turn);
  // The turn of the chain that stays that is this one with another number.
  std::optional<Cid> find_same_turn(const thought::Thought& turn);
  void place(const Connection& edge);
  std::uint64_t position_for(const Connection& edge, Positions& positions) const;
  Positions& positions_of(const Cid& turn);
  bool has_new_requests(const thought::Thought& usage);
  void add_facts();

  const JoinedSide& kept_;
  JoinedSide& other_;
  const thought::Identities identities_;
  const Cid conversation_;
  const Millis at_;
  weave::CommitUnit unit_;
  std::vector<thought::Thought> beside_;  // lines that no checkpoint of the conversation covers
  std::map<Cid, Cid> turns_;
  std::set<Cid> same_;  // turns of the chain that stays that stand for another one
  std::uint64_t next_sequence_ = 0;
  std::map<Cid, Positions> positions_;
  std::multimap<Cid, Cid> superseded_;  // block → older block, of the other chain
  std::map<std::pair<std::uint64_t, std::uint64_t>, transcript::Request> requests_;
  std::uint64_t brought_ = 0;
};

}  // namespace weft::remote
