// BlockTally: what one block adds to the figures of the conversations that it stands in. The one
// rule for it, for commits, recounts and checks alike.
//
// Each figure belongs to the layer that states it. What the metadata layer says of thinking is
// counted apart, and sealed as that layer is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/time.hpp"
#include "weft/store/searchable.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// Where a figure is stated: in clear, or in one of the sealed layers.
enum class Portion : std::uint8_t { clear, metadata, content };
inline constexpr std::size_t kPortions = 3;

struct BlockTally {
  enum class Kind : std::uint8_t { other, thinking, response, tool_request, tool_result };
  Kind kind = Kind::other;
  // The length of its text, or of a call's input as JSON.
  std::int64_t chars = 0;
  Portion chars_in = Portion::clear;
  // Of thinking and answers, where the source states it.
  std::optional<Millis> duration{};
  Portion duration_in = Portion::clear;
  // The tool that a request names.
  std::string tool{};
  Portion tool_in = Portion::clear;
  bool is_error = false;
  Portion error_in = Portion::clear;
  // Of results: the time since the request was spent by a person who was asked.
  bool waits = false;
  Portion time_in = Portion::clear;

  friend bool operator==(const BlockTally&, const BlockTally&) = default;
};

// Empty for a thought that is no block: structure, identities, facts. `layers` are those that the
// keyring opens; of the others nothing is counted.
std::optional<BlockTally> tally_of(const thought::Thought& thought, const OpenLayers& layers);

}  // namespace weft::store
