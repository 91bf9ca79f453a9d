// The shared part of the routes /why and /effects, which follow the same edges in opposite
// directions.
#pragma once

#include <vector>

#include "weft/page/route.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {

// depth and limit.
std::vector<mcp::Parameter> trace_parameters();

// Asks query::why_answer or query::effects_answer about the thought of the path.
Result<json::object> answer_trace(const Asking& asking, decltype(&query::why_answer) ask);

}  // namespace weft::page
