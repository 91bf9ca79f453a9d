// What prompts are made of.
#pragma once

#include <string>
#include <string_view>

#include "weft/mcp/answers/resource_content.hpp"

namespace weft::mcp {

// {description, messages}: one message of the person's, fit for a model.
json::object asking(std::string_view description, std::string_view words);

// Words of transcripts, with what they are before and after them.
std::string quoted_data(std::string_view words);

// The first things that a search for these words finds, as data; a sentence if there are none.
std::string first_hits(Call& call, const std::string& words);

}  // namespace weft::mcp
