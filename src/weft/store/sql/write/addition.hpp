// Addition: everything that one write adds to a conversation.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weft/store/index_terms.hpp"
#include "weft/store/outline/statement.hpp"
#include "weft/store/tables/block_tally.hpp"
#include "weft/store/tables/call_edits.hpp"
#include "weft/store/tables/secret_list.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::store::sql {

// In imports it may be of no conversation. Points into values of the caller.
struct Addition {
  std::optional<Cid> conversation{};
  std::vector<const thought::Thought*> thoughts{};  // in the order woven
  std::vector<std::string_view> bodies{};           // of the thoughts, as pack_body makes them
  // Their search terms; null for a thought that is not searched.
  std::vector<const ThoughtTerms*> terms{};
  // What they add to the figures of the conversation; null for a thought that is no block. Of
  // woven additions only.
  std::vector<const BlockTally*> tallies{};
  // What they state for its outline; null likewise.
  std::vector<const Statement*> statements{};
  // What they changed in files; null for a thought that is no request with edits.
  std::vector<const CallEdits*> calls{};
  std::vector<const ThoughtSecrets*> secrets{};  // null if they were not prepared
  struct Edge {
    Cid name;
    const thought::Connection* connection;
  };
  std::vector<Edge> edges{};
  std::span<const Cid> leaves{};  // the whole tree of `checkpoint`; empty if it is not known
  std::optional<Cid> checkpoint{};
  std::optional<Cid> checked{};   // the conversation of `checkpoint`
  std::optional<Cid> previous{};  // the newest checkpoint that the conversation must have
  std::span<const weave::Place> places{};
  std::span<const weave::Mark> marks{};
  std::span<const weave::PlaceKey> waits{};
  std::span<const Cid> joined{};
  std::span<const weave::Wait> met{};
  std::span<const weave::PlaceKey> unmarked{};
};

}  // namespace weft::store::sql
