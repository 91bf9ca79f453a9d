// Statement: the facts of a block that its content states, besides its text, each with the portion
// that states it: the clear members, or one of the sealed layers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/store/searchable.hpp"
#include "weft/store/tables/block_tally.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

struct StatedFacts {
  std::optional<std::int64_t> duration_ms{};
  std::optional<std::uint64_t> chars{};  // of its text; of a tool call, of its input as JSON
  std::optional<std::string> tool{};
  bool is_error = false;
  bool is_withheld = false;

  friend bool operator==(const StatedFacts&, const StatedFacts&) = default;
};
// What some members of the content of a block of this kind state.
StatedFacts stated_facts(std::string_view kind, const json::object& members);
// Adds what `other` states and `facts` does not.
void merge(StatedFacts& facts, const StatedFacts& other);

enum class LayerState : std::uint8_t { none, open, closed };

struct Statement {
  // By Portion. A later one has only what those before it do not state.
  std::array<StatedFacts, kPortions> stated{};
  LayerState metadata = LayerState::none, content = LayerState::none;

  LayerState& layer(Portion portion) { return portion == Portion::metadata ? metadata : content; }
  LayerState layer(Portion portion) const {
    return portion == Portion::metadata ? metadata : content;
  }
  friend bool operator==(const Statement&, const Statement&) = default;
};
// Of a thought with its clear content. `layers` are those that the keyring opens; the others are
// closed.
Statement statement_of(const thought::Thought& thought, const OpenLayers& layers);

}  // namespace weft::store
