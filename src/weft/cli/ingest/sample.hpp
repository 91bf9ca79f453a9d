// A small sample conversation, for a demonstration.
#pragma once

#include <string_view>

namespace weft::cli {

// A transcript in the text form: two rounds, with reasoning and its summaries, a tool call and its
// result, and a citation.
std::string_view sample_transcript();

}  // namespace weft::cli
