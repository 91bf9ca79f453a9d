#include "weft/base/try.hpp"
#include "weft/query/trace/joins.hpp"
#include "weft/query/trace/trace.hpp"
#include "weft/thought/attestation.hpp"

namespace weft::query {

Follow effects_in(const Library& library) {
  return [&library](const thought::Thought& from,
                    Foreigners& foreigners) -> Result<std::vector<Step>> {
    WEFT_TRY_VALUE(const auto effects, library.web.effects(from.cid));
    std::vector<Step> steps;
    for (const Cid& effect : effects) {
      // A statement about a thought is not what the thought led to.
      const Result<thought::Thought> thought = library.web.get_without_path(effect);
      if (thought && thought->type == thought::kAttestationType) continue;
      steps.push_back({effect, "because"});
    }
    const std::string_view kind = thought::kind_of(from.type);
    if (kind == "tool_request") {
      WEFT_TRY_VALUE(const auto spawned, blocks_spawned(library, from.cid, foreigners));
      for (const Cid& block : spawned) steps.push_back({block, "spawns"});
    } else if (kind == "response") {
      WEFT_TRY_VALUE(const auto results, results_of(library, from.cid, foreigners));
      for (const Cid& result : results) steps.push_back({result, "returns"});
    }
    return steps;
  };
}

Result<bool> effects(const Library& library, const Cid& cid, const TraceOptions& options,
                     const std::function<void(json::object)>& visit) {
  return trace(library, cid, options, effects_in(library), visit);
}

Result<json::object> effects_answer(const Library& library, const Cid& cid,
                                    const TraceOptions& options) {
  return trace_answer(library, cid, options, effects_in(library));
}

}  // namespace weft::query
