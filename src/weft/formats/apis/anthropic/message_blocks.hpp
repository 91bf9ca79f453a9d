// Orders the blocks of one message by the turns they belong to.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/formats/apis/anthropic/content.hpp"
#include "weft/formats/reading/request_history.hpp"

namespace weft::formats::anthropic {

// Results go to the running answer, before the message's own text. Empty texts are left out.
std::vector<Placed> placed_blocks(Section section, std::string_view source_id, bool counted,
                                  std::uint32_t first_index);

}  // namespace weft::formats::anthropic
