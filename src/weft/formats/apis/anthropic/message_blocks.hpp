// A message of the Messages API, as blocks in the order of their turns.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/formats/apis/anthropic/content.hpp"
#include "weft/formats/reading/request_history.hpp"

namespace weft::formats::anthropic {

// The blocks of a message in the order of their turns: results go to the answer that is running,
// before the message's own words. Empty texts are left out.
std::vector<Placed> placed_blocks(Section section, std::string_view source_id, bool counted,
                                  std::uint32_t first_index);

}  // namespace weft::formats::anthropic
