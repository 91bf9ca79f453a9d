// Weaves one conversation: from blocks in order to thoughts, edges and checkpoints.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/thought/checkpoint.hpp"
#include "weft/thought/flow.hpp"
#include "weft/thought/weaver.hpp"

namespace weft::thought {

// What the conversations of one weaver have woven since they were last taken.
using Pending = std::unordered_set<Cid>;

class ConversationWeaver {
 public:
  // All three outlive it.
  ConversationWeaver(Cast& cast, const Memory& memory, Pending& pending,
                     transcript::Heading heading);

  void turn(const transcript::TurnHead& head);
  void block(const transcript::Block& block);
  void facts(const transcript::Facts& facts);

  // Empty where nothing was added since the last call.
  std::optional<Woven> take(Millis now);
  std::size_t pending_bytes() const { return pending_bytes_; }
  // Empty before the first block.
  std::optional<Cid> cid() const { return conversation_; }

 private:
  struct OpenTurn {
    transcript::TurnHead head;
    Ref ref;
    std::uint64_t next_index = 0;
    // The position of each place told in it, for those that are told again.
    std::map<PlaceKey, std::uint64_t> positions{};
  };

  Millis time_of(const transcript::Block& block);
  void begin_conversation(Millis time);
  void begin_turn(Millis time);
  const Voice& voice_of(const transcript::Block& block, const std::string& tool_name);
  Thought make(std::string_view kind, Millis time, const Voice& voice) const;
  // Adds the sources that a response cites to its because; returns the thoughts behind them,
  // citations still to be named.
  std::vector<Thought> cite(const transcript::Text& text, Thought& response, const Voice& voice);
  void add_summary(const transcript::Block& block, const Ref& thinking, const Voice& voice);
  // What stands at a place already, and whether it says the same as `thought`.
  struct Standing {
    Ref ref;
    bool same = false;
  };
  std::optional<Standing> find_standing(const PlaceKey& key, const Thought& thought, Kind kind);
  void add_edges(const transcript::Block& block, const Grounds& grounds, const Ref& ref);

  bool knows(const Cid& cid) const;
  void use(const Voice& voice);
  // A thought of this conversation, to be signed by `key` (by the tree where null).
  void add(Thought thought, const crypto::SigningKey* key);
  Connection edge(std::string_view relation, const Ref& from, const Ref& to, std::string_view label,
                  std::optional<std::uint64_t> index = {}) const;
  // False if the web has this very edge already, which can only be where the block that
  // brings it (`newer`) was there before.
  bool connect(std::string_view relation, const Ref& from, const Ref& to, std::string_view label,
               const Ref& newer, std::optional<std::uint64_t> index = {});
  PlaceKey place_key(std::string_view what, std::string_view source_id, std::uint64_t index) const;
  std::optional<Cid> find_place(const PlaceKey& key) const;
  void load_known();
  std::optional<Thought> facts_thought(Millis now);
  Thought checkpoint_thought(Millis now);

  Cast& cast_;
  const Memory& memory_;
  Pending& pending_;
  const transcript::Heading heading_;
  std::optional<KnownConversation> known_;
  bool committed_before_ = false;  // something of it may be in memory already

  std::optional<Cid> conversation_;
  Millis conversation_time_ = 0;
  std::optional<transcript::TurnHead> announced_turn_;  // begun by its first block
  std::optional<OpenTurn> turn_;
  std::unordered_map<std::string, OpenTurn> turns_;  // by source id: those that were left
  std::uint64_t next_sequence_ = 0;
  Flow flow_;

  std::optional<Millis> stop_before_;  // of the block before
  std::optional<Millis> latest_;

  transcript::Facts facts_;
  std::set<std::string> models_;
  json::object last_facts_;

  std::optional<Cid> last_checkpoint_;
  std::uint64_t blocks_ = 0;
  Digest head_{};

  Woven woven_;
  std::unordered_map<Cid, std::size_t> in_woven_;  // what woven_ holds already, and where
  std::unordered_set<Cid> used_;                   // voices and schemas that it has brought
  std::map<PlaceKey, Cid> new_places_;
  std::size_t pending_bytes_ = 0;
};

}  // namespace weft::thought
