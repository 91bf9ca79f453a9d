// KnownWeb: what weaving must know about the thoughts that exist already.
//
// A store implements it, ingest puts what is still being committed on top, and tests use a map.
// Every look-up returns a Result: a failed one is a failure, never "not there", because a thought
// woven on a wrong "no" would be stored.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "weft/transcript/conversation.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::weave {

// A conversation that is in the web already.
struct KnownConversation {
  Cid cid;
  Millis created_at = 0;
  std::uint64_t turns = 0;
  std::optional<Cid> checkpoint{};  // the newest
  std::optional<Cid> facts{};       // the newest
};

// A conversation that waits for the call that spawned it, or for the one that it continues.
struct Waiting {
  Cid conversation;
  Millis created_at = 0;
};

// A thought and its time.
struct TimedThought {
  Cid cid;
  Millis time = 0;
};

// The end of an edge at which a thought stands.
enum class End { from, to };

// Look-ups may come from any thread. All of them can fail as the store does (unavailable, corrupt).
class KnownWeb {
 public:
  virtual ~KnownWeb() = default;

  // May miss a thought that another process has just stored: the commit checks again.
  virtual Result<bool> has(const Cid& thought) const = 0;
  // not_found; corrupt if the stored bytes cannot be read.
  virtual Result<thought::Thought> get(const Cid& thought) const = 0;
  // By format, session id, source and creator; empty if it is new. A conversation of the same name
  // by another creator is theirs.
  virtual Result<std::optional<KnownConversation>> find_conversation(
      const transcript::Heading& heading, const Cid& creator) const = 0;
  // The newest thought at a place of a conversation; empty for a new place.
  virtual Result<std::optional<Cid>> find_place(const Cid& conversation,
                                                const PlaceKey& key) const = 0;
  // The usage thoughts of a conversation by its creator, in the order stored.
  virtual Result<std::vector<Cid>> usage_of(const Cid& conversation) const = 0;
  // The `contains` edges out of a turn that its creator made, in order.
  virtual Result<std::vector<thought::Connection>> contents(const Cid& turn) const = 0;
  // Of the conversations that contain a block, the oldest that `fits`. `fits` may be called more
  // than once for one conversation, and may use this interface; its failure is passed on.
  using Fits = std::function<Result<bool>(const Cid& conversation)>;
  virtual Result<std::optional<Cid>> find_holder(const Cid& block, const Fits& fits) const = 0;
  // The call that is marked with this key, and the conversations that wait for it.
  virtual Result<std::optional<Mark>> find_mark(const PlaceKey& key) const = 0;
  virtual Result<std::vector<Waiting>> find_waiting(const PlaceKey& key) const = 0;
  // The other ends of the edges of `relation` that `creator` made and that have `thought` at `end`.
  virtual Result<std::vector<Cid>> neighbours(const Cid& creator, const Cid& thought,
                                              std::string_view relation, End end) const = 0;
  // The newest response of a conversation that is not later than `until`, of equal times the last
  // in order. Superseded responses and those without a time (0) do not count.
  virtual Result<std::optional<TimedThought>> find_response(const Cid& conversation,
                                                            Millis until) const = 0;
  // The oldest conversation of this format and creator that has a block at this place.
  virtual Result<std::optional<TimedThought>> find_conversation_at(std::string_view format,
                                                                   const Cid& creator,
                                                                   const PlaceKey& place) const = 0;
  // All waits under keys that leaf_key() made.
  virtual Result<std::vector<Wait>> waiting_summaries() const = 0;
  // The thought that stands for one that `owner` sealed (`weft seal`), and that is stored; empty if
  // it was not sealed. What was sealed is not woven in the clear again.
  virtual Result<std::optional<Cid>> sealed_as(const Cid& owner, const Cid& clear) const = 0;
  // Whether the conversation with this heading key was forgotten: it is not woven again.
  virtual Result<bool> is_forgotten(const PlaceKey& heading) const = 0;
};

// get(), but empty for a thought that is not there or is damaged: `weft verify` reports damage, and
// weaving continues without that thought.
Result<std::optional<thought::Thought>> find_readable(const KnownWeb& known_web, const Cid& cid);

}  // namespace weft::weave
