// ConversationWeaver weaves one conversation: blocks in order become thoughts, edges and
// checkpoints.
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/thought/checkpoint.hpp"
#include "weft/thought/usage.hpp"
#include "weft/weave/cause_rules.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::weave {

class ConversationWeaver;

// The thoughts that the conversations of one weaver have woven since the last take().
struct Pending {
  struct Marked {
    Mark mark;
    ConversationWeaver* by;
  };
  std::unordered_set<Cid> names{};
  std::map<PlaceKey, Marked> marks{};
  std::multimap<Cid, Cid> spawned{};  // calls and the conversations joined to them
  std::multimap<PlaceKey, Waiting> waits{};
};

// A conversation whose call is found: the edge belongs to the call's conversation.
struct Joining {
  Mark mark;
  Waiting child;
  std::string session_id;                // of the call's conversation
  ConversationWeaver* caller = nullptr;  // that conversation, if this weaver weaves it too
};

// A block that tells what a call which spawned a conversation came to: its result, or the
// notification of one that ran in the background.
struct Outcome {
  Cid call;
  Ref block;
};

// A summary that names the record which the summarised conversation ended with.
struct NamedLeaf {
  PlaceKey place;  // of that record's first block
  Ref summary;
};

// A key is a hash already.
struct PlaceKeyHash {
  std::size_t operator()(const PlaceKey& key) const noexcept {
    std::size_t h;
    std::memcpy(&h, key.data(), sizeof h);
    return h;
  }
};

// A keyed hash of names in a source.
PlaceKey key_of(const crypto::Keyring& keyring, json::array what);

class ConversationWeaver {
 public:
  // Begins a conversation, or continues the one that the web has. The first three outlive it.
  static Result<std::unique_ptr<ConversationWeaver>> open(thought::Identities& identities,
                                                          const KnownWeb& known_web,
                                                          Pending& pending,
                                                          transcript::Heading heading);
  // Resumes from a state that save() wrote. Null if `state` is not one, or belongs to another web.
  static Result<std::unique_ptr<ConversationWeaver>> restore(thought::Identities& identities,
                                                             const KnownWeb& known_web,
                                                             Pending& pending,
                                                             const json::object& state);
  json::object save() const;

  const transcript::Heading& heading() const { return heading_; }
  void turn(const transcript::TurnHead& head);
  // These fail if a look-up in the known web fails. The conversation is half woven then: discard
  // it. The long texts of `block` are taken out of it.
  Status block(transcript::Block& block);
  void facts(const transcript::Facts& facts);
  void request(const transcript::Request& request);
  void origin(const transcript::Origin& origin);
  Status spawned(const transcript::Spawned& spawned);

  // Call it before take(). Joins this conversation to its origin if that exists; otherwise it
  // waits. Returns the joins that the calling conversation must weave.
  Result<std::vector<Joining>> join();
  Status weave_spawns(const Mark& mark, const Waiting& child);
  // Call it before take(). Drops requests that the web counts already, and begins the conversation
  // if it has requests and no block.
  Status settle_requests();

  // Marks the outcomes that were woven since the last call, for the conversations that they are
  // of. Returns the calls of those that are new.
  Result<std::vector<Cid>> mark_outcomes();
  // Whether responses were woven since the last take(), to a call that may have an outcome.
  bool has_new_responses() const { return !new_responses_.empty(); }
  // Connects the response that fits best to each outcome of `call`, which spawned this
  // conversation.
  Status weave_returns(const Cid& call);

  // The summaries that were woven since the last call, with the conversations still to be found.
  std::vector<NamedLeaf> take_summaries() { return std::exchange(summaries_, {}); }
  // Whether this conversation has a block at that place.
  Result<bool> has_place(const PlaceKey& place) const;
  // Connects a summary of this conversation to the one that it summarizes, or waits for that.
  Status weave_summarizes(const NamedLeaf& leaf, const Ref& summarized);
  Status await_summarized(const NamedLeaf& leaf);
  // The same for the summaries that wait under the key, now that the conversation is there.
  Status end_wait(const PlaceKey& key, const Ref& summarized);
  // Of `waits`, those whose record was woven here since the last take().
  std::vector<Wait> met_by_new_places(const std::vector<Wait>& waits) const;
  // Only where there is a conversation.
  Ref ref() const { return {.cid = *conversation_, .time = conversation_time_, .shared = true}; }

  // See Weaver::witness_answer().
  void witness_answer(json::object heard) { heard_ = std::move(heard); }
  // Empty if nothing was added since the last call.
  std::optional<CommitUnit> take(Millis now);
  std::size_t pending_bytes() const { return pending_bytes_; }
  // Empty before the first block.
  std::optional<Cid> cid() const { return conversation_; }
  // The newest block of the open turn.
  std::optional<Cid> last_block() const;

 private:
  ConversationWeaver(thought::Identities& identities, const KnownWeb& known_web, Pending& pending,
                     transcript::Heading heading);

  // A closed turn that can be continued or branched from without a look-up in the known web.
  static constexpr std::size_t kLeftTurns = 64;
  struct OpenTurn {
    transcript::TurnHead head;
    Ref ref;
    // The position of its next block; empty if it must be looked up in the known web.
    std::optional<std::uint64_t> next_index{};
    TurnEnd end{};  // once it is closed
    std::uint64_t sequence = 0;
    void archive(StateArchive& a);
  };

  // All but the heading.
  void archive(StateArchive& a);
  Millis time_of(const transcript::Block& block);
  // The same, for a block that leaves the times of others alone.
  Millis time_aside(const transcript::Block& block) const;
  Status begin_conversation(Millis time);
  Status begin_turn(Millis time);
  // Finds a turn by name, here or in the known web; empty if it does not exist.
  Result<std::optional<OpenTurn>> find_turn(const std::string& source_id) const;
  Result<TurnEnd> end_of(const OpenTurn& turn) const;
  // The position of the next block of the open turn, and that of a block in it.
  Result<std::uint64_t> next_position();
  Result<std::uint64_t> position_of(const Cid& block);
  const thought::Voice& voice_of(const transcript::Block& block, const std::string& tool_name);
  thought::Thought make(std::string_view kind, Millis time, const thought::Voice& voice) const;
  // Adds the sources that a response cites to its because; returns the thoughts behind them,
  // citations still to be named.
  std::vector<thought::Thought> cite(const transcript::Text& text, thought::Thought& response,
                                     const thought::Voice& voice);
  Status add_summary(const transcript::Block& block, const Ref& thinking,
                     const thought::Voice& voice);
  Result<bool> take_sealed(thought::Thought& thought) const;
  // The thought at a known place, and whether its content equals that of `thought`.
  struct ThoughtPlace {
    Ref ref;
    bool same = false;
    bool is_sealed = false;  // by choice; not looked at where it is the same
  };
  Result<std::optional<ThoughtPlace>> find_current(const PlaceKey& key,
                                                   const thought::Thought& thought, Kind kind);
  Status add_edges(const transcript::Block& block, const Causes& causes, const Ref& ref);

  Result<bool> knows(const Cid& cid) const;
  void use(const thought::Voice& voice);
  // Adds a thought of this conversation, to be signed by `key` (by the tree if null).
  void add(thought::Thought thought, const crypto::SigningKey* key);
  thought::Connection edge(std::string_view relation, const Ref& from, const Ref& to,
                           std::string_view label, std::optional<std::uint64_t> index = {}) const;
  // False if the unit has this edge already or, for `contains`, the web: possible only if the later
  // block (`newer`) was in the web before.
  Result<bool> connect(std::string_view relation, const Ref& from, const Ref& to,
                       std::string_view label, const Ref& newer,
                       std::optional<std::uint64_t> index = {});
  PlaceKey place_key(std::string_view what, std::string_view source_id, std::uint64_t index) const;
  Result<std::optional<Cid>> find_place(const PlaceKey& key) const;
  // A thought of this unit or of the known web; empty as find_readable() is.
  Result<std::optional<thought::Thought>> find_thought(const Cid& cid) const;
  Status find_known();
  Status load_known();
  // The mark of this key, woven since the last take() or known.
  Result<std::optional<Mark>> find_mark(const PlaceKey& key) const;
  void add_mark(const Mark& mark);
  // The key of the outcome of a call with that number.
  PlaceKey outcome_key(const Cid& call, std::uint64_t number) const;
  Result<std::optional<Ref>> find_response(Millis until) const;
  // Lets later blocks refer to a woven one, unless it stands aside.
  void record(const transcript::Block& block, const Ref& ref);
  PlaceKey summary_key(const PlaceKey& leaf, std::uint64_t number) const;
  void note_outcome(const transcript::Block& block);
  void note_outcome(const CauseTracker::Spawning& spawning, bool in_background);
  // The newest block is the notification that the agent of this call has ended.
  Status note_notification(std::string_view call_id, const PlaceKey& key);
  Status join_continued(const transcript::Origin& origin, const Ref& self);
  Status join_shared();
  // Of a session that `weft resume` wrote (conversation_copies.cpp).
  Status find_resumption(const transcript::Block& block);
  Status load_resumption(const Cid& cid);
  Status join_resumed(const Ref& self);
  // The thought that this block is a copy of; empty if it is none.
  Result<std::optional<thought::Thought>> find_original(const transcript::Block& block) const;
  Status place_original(const transcript::Block& block, const thought::Thought& original);
  Status use_author(const thought::Thought& original);
  Status join_waiting();
  std::optional<thought::Thought> facts_thought(Millis now);
  std::optional<thought::Thought> usage_thought(Millis now);
  void note_request(thought::CountedRequest row);
  thought::Thought checkpoint_thought(Millis now);

  thought::Identities& identities_;
  const KnownWeb& known_web_;
  Pending& pending_;
  const transcript::Heading heading_;
  std::optional<KnownConversation> known_;
  bool is_resumed_ = false;        // its source was read up to here before
  bool committed_before_ = false;  // part of it may be in the known web already

  std::optional<Cid> conversation_;
  Millis conversation_time_ = 0;
  std::optional<transcript::TurnHead> announced_turn_;  // begun by its first block
  std::optional<OpenTurn> turn_;
  std::deque<OpenTurn> left_turns_;  // the most recently closed last
  std::uint64_t next_sequence_ = 0;
  // The sequence of the latest turn that this reading of the source has reached. Later turns in the
  // web were read before the source was truncated, and may come again.
  std::optional<std::uint64_t> latest_turn_;
  CauseTracker tracker_;

  std::optional<Millis> stop_before_;  // of the block before
  std::optional<Millis> latest_;

  transcript::Facts facts_;
  std::set<std::string> models_;
  json::object last_facts_;
  bool are_facts_sealed_ = false;  // by `weft seal`, or in seal mode `all`

  // The requests since the last take(), and those of earlier commits, as far as they are loaded.
  using RequestKey = std::pair<std::uint64_t, std::uint64_t>;
  std::map<RequestKey, thought::CountedRequest> requests_;
  std::map<RequestKey, transcript::Request> known_requests_;
  bool are_requests_loaded_ = false;

  std::vector<transcript::Origin> origins_;  // emitted, and not joined yet
  std::vector<Outcome> outcomes_;            // woven, and not marked yet
  std::vector<Ref> new_responses_;
  // The record that blocks are read from, and what a model newly says in it.
  std::string last_record_;
  std::vector<Cid> said_;
  std::optional<json::object> heard_;
  std::vector<NamedLeaf> summaries_;  // woven, and not joined yet
  // Every block so far is also in another conversation: a fork.
  bool is_copying_ = true;
  std::optional<Cid> last_copied_;

  // The resumption that made this session, and what it copied.
  std::optional<Cid> resumption_;
  std::optional<Cid> continued_;  // the conversation to join
  std::unordered_map<PlaceKey, Cid, PlaceKeyHash> copies_;
  std::size_t copied_ = 0;  // of these, placed
  int blocks_read_ = 0;     // counted while a resumption is looked for

  std::optional<Cid> last_checkpoint_;
  std::uint64_t blocks_ = 0;
  Digest head_{};

  CommitUnit unit_;
  std::unordered_map<Cid, std::size_t> in_unit_;  // index of what the unit has already
  std::unordered_set<Cid> used_;                  // voices and schemas that are in it
  std::unordered_map<PlaceKey, Cid, PlaceKeyHash> new_places_;
  std::size_t pending_bytes_ = 0;
};

}  // namespace weft::weave
