// Addition: everything that one write adds to a conversation.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weft/store/index_terms.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::store::sql {

// What is added to one conversation, or, in imports, to none. Points into what the
// caller holds.
struct Addition {
  std::optional<Cid> conversation{};
  std::vector<const thought::Thought*> thoughts{};  // in the order woven
  std::vector<std::string_view> bodies{};           // of the thoughts, as pack_body makes them
  // What they are found by; null where nothing finds them.
  std::vector<const ThoughtTerms*> terms{};
  struct Edge {
    Cid name;
    const thought::Connection* connection;
  };
  std::vector<Edge> edges{};
  std::span<const Cid> leaves{};  // the whole tree of `checkpoint`; empty where not known
  std::optional<Cid> checkpoint{};
  std::optional<Cid> checked{};   // the conversation that `checkpoint` is of
  std::optional<Cid> previous{};  // the checkpoint that the conversation must be at
  std::span<const weave::Place> places{};
  std::span<const weave::Mark> marks{};
  std::span<const weave::PlaceKey> waits{};
  std::span<const Cid> joined{};
};

}  // namespace weft::store::sql
