// Trace: visits the thoughts that are reached from one, breadth first. `why` and `effects` are
// traces along different edges.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {

// One step of a trace: the thought that it leads to, and the edge that it follows: "because", or a
// relation. The edge is a literal.
struct Step {
  Cid cid;
  std::string_view edge;
};
// The steps from a thought, in the order in which they are visited.
using Follow =
    std::function<Result<std::vector<Step>>(const thought::Thought& from, Foreigners& foreigners)>;

// The steps of `why`: from a thought to what it rests on.
Follow causes_in(const Library& library);
// The steps of `effects`: each step of `why`, the other way round.
Follow effects_in(const Library& library);

// Calls `visit` as `why` does (questions.hpp). Ends in any web, because each thought is visited
// once. Keeps only CIDs: 100,000 thoughts cost megabytes. Thoughts that are not stored here are
// skipped; only the start must be there.
Result<bool> trace(const Library& library, const Cid& start, const TraceOptions& options,
                   const Follow& follow, const std::function<void(json::object)>& visit);
// The whole result: {thoughts: […], truncated}.
Result<json::object> trace_answer(const Library& library, const Cid& start,
                                  const TraceOptions& options, const Follow& follow);

}  // namespace weft::query
