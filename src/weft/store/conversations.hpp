// Conversations: lists conversations, reads what they contain, and finds what was added since an
// earlier read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/outline/conversation_outline.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// A conversation in a list.
struct ConversationRow {
  Cid cid;
  std::string format, session_id, source;
  Cid created_by{};  // only this identity's structure counts (thought/structure.hpp)
  Millis created_at = 0;
  std::optional<Cid> facts{};       // the newest conversation_facts
  std::optional<Cid> checkpoint{};  // the newest
  bool imported = false;            // it came from another store
  std::uint64_t turn_count = 0;
  std::uint64_t thought_count = 0;  // all but checkpoints, facts and usage
  std::uint64_t block_count = 0;    // places
};

// Only conversations with these properties; all of them if none is given.
struct ConversationFilter {
  std::optional<std::string> format{};
  std::optional<std::string> session_id{};
};

// A block at a place: in a turn, at a position.
struct PlacedBlock {
  std::uint64_t mark = 0;  // grows with time; valid in this store only
  Cid turn, block;
  std::uint64_t position = 0;
};

// The conversations that were added to since some checkpoint.
struct ChangesSince {
  std::vector<Cid> conversations{};  // each once, in the order of their last commit
  std::optional<Cid> checkpoint{};   // the newest of the store; empty in an empty store
  bool forgot = false;               // conversations were forgotten since then
};

class Conversations {
 public:
  virtual ~Conversations() = default;

  // By last commit, newest first.
  [[nodiscard]] virtual Result<std::vector<ConversationRow>> conversations(
      const ConversationFilter& filter) const = 0;
  // not_found
  [[nodiscard]] virtual Result<ConversationRow> conversation(const Cid& cid) const = 0;
  // The conversations that contain a block or turn, newest place first. A place counts if the
  // conversation's creator made it, here and below.
  [[nodiscard]] virtual Result<std::vector<Cid>> conversations_of(const Cid& thought) const = 0;

  // The first `limit` blocks of a kind ("human_input") in the turns of a conversation, in order,
  // without superseded ones. Blocks of other kinds are not read.
  [[nodiscard]] virtual Result<std::vector<Cid>> find_blocks(const Cid& conversation,
                                                             std::string_view kind,
                                                             std::size_t limit) const = 0;

  // The usage thoughts of a conversation by its creator, in the order stored. Empty for an unknown
  // conversation.
  [[nodiscard]] virtual Result<std::vector<Cid>> usage_of(const Cid& conversation) const = 0;

  // The blocks that were placed in a conversation after `mark` (0: all), in the order woven, at
  // most `limit`, superseded ones included. Earlier blocks are not read. Empty for an unknown
  // conversation.
  [[nodiscard]] virtual Result<std::vector<PlacedBlock>> placed_blocks(const Cid& conversation,
                                                                       std::uint64_t mark,
                                                                       std::size_t limit) const = 0;
  // The turns and blocks of a conversation, in reading order. not_found.
  [[nodiscard]] virtual Result<ConversationOutline> outline(const Cid& conversation) const = 0;
  // Calls `visit` with the facts of each of these blocks, in this order, as far as the keyring,
  // which may be null, opens them. not_found if one is not stored.
  [[nodiscard]] virtual Status each_facts(std::span<const Handle> blocks,
                                          const crypto::Keyring* keyring,
                                          const std::function<void(BlockFacts)>& visit) const = 0;
  // The same of some entries of an outline, from where it says that they are stored.
  [[nodiscard]] virtual Status outline_facts(
      const ConversationOutline& outline, std::span<const OutlineEntry> entries,
      const crypto::Keyring* keyring, const std::function<void(BlockFacts)>& visit) const = 0;
  // The CID behind a handle of this store.
  [[nodiscard]] virtual Result<Cid> cid_of(Handle handle) const = 0;
  // The handle of a thought; empty if it is not stored.
  [[nodiscard]] virtual Result<std::optional<Handle>> find_handle(const Cid& cid) const = 0;

  // The conversations that were added to after this checkpoint; all of them without one. not_found
  // if it is no checkpoint of this store.
  [[nodiscard]] virtual Result<ChangesSince> changes_since(
      const std::optional<Cid>& checkpoint) const = 0;

  // Calls `visit` with every thought of a conversation, until it returns false: identities and
  // schemas; thoughts of other conversations that these refer to, and the checkpoints that sign
  // them; the conversation; its blocks in the order woven; turns; connections; facts; its
  // checkpoints in the order of their chain; tombstones of thoughts that it refers to. `covered`
  // lists the leaves that a thought is of the conversation's checkpoints; one that is a leaf there
  // has its tree signature through them. `visit` must not ask the same snapshot. not_found.
  [[nodiscard]] Status each_of(const Cid& conversation,
                               const std::function<bool(thought::Thought)>& visit) const {
    return each_of(std::vector<Cid>{conversation}, visit);
  }
  // Of several conversations, one after the other, each thought once: `covered` lists its leaves of
  // the checkpoints of all of them.
  [[nodiscard]] virtual Status each_of(
      const std::vector<Cid>& conversations,
      const std::function<bool(thought::Thought)>& visit) const = 0;
};

}  // namespace weft::store
