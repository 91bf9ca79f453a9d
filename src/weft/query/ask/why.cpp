#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/turns.hpp"
#include "weft/query/attest/witnessed.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/query/trace/joins.hpp"
#include "weft/query/trace/trace.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

using thought::Thought;

Result<json::object> get(const Library& library, const Cid& cid, Layers layers) {
  WEFT_TRY_VALUE(const auto thought, library.web.get(cid));
  if (thought::cid_of(thought) != cid) {
    return fail(ErrorCode::corrupt, "the store has other bytes for thought " + cid.brief() +
                                        " than its name says; see what else is damaged with weft "
                                        "verify");
  }
  if (layers == Layers::as_stored) return thought::to_json(thought);
  json::object opened = open_json(library, thought);
  Foreigners(library).mark(thought, opened);
  Attesters attesters(library);
  WEFT_TRY(mark_witnessed(library, cid, attesters, opened));
  return opened;
}

Follow causes_in(const Library& library) {
  return [&library](const Thought& from, Foreigners& foreigners) -> Result<std::vector<Step>> {
    std::vector<Step> steps;
    for (const thought::ContentRef& ref : from.because) {
      WEFT_TRY_VALUE(const Cid cause, standing_for(library, ref.thought));
      const auto is_it = [&](const Step& step) { return step.cid == cause; };
      if (std::ranges::none_of(steps, is_it)) steps.push_back({cause, "because"});
    }
    // A block without a cause may begin a conversation that a call spawned.
    if (steps.empty()) {
      WEFT_TRY_VALUE(const auto calls, calls_behind(library, from.cid, foreigners));
      for (const Cid& call : calls) steps.push_back({call, "spawns"});
    }
    // Only these return the answer of a subagent: the result of its call, or a program's notice.
    const std::string_view kind = thought::kind_of(from.type);
    if (kind == "tool_result" || kind == "system_input") {
      WEFT_TRY_VALUE(const auto returned, find_returned(library, from.cid, foreigners));
      if (returned) steps.push_back({*returned, "returns"});
    }
    return steps;
  };
}

Result<bool> why(const Library& library, const Cid& cid, const TraceOptions& options,
                 const std::function<void(json::object)>& visit) {
  return trace(library, cid, options, causes_in(library), visit);
}

Result<json::object> why_answer(const Library& library, const Cid& cid,
                                const TraceOptions& options) {
  return trace_answer(library, cid, options, causes_in(library));
}

Result<json::object> connections(const Library& library, const Cid& cid,
                                 const std::optional<std::string>& relation,
                                 store::Direction direction) {
  WEFT_TRY_VALUE(
      auto found,
      library.web.connections(
          cid, relation ? std::optional<std::string_view>(*relation) : std::nullopt, direction));
  json::array connections;
  Foreigners foreigners(library);
  for (const thought::Connection& connection : found) {
    json::object item{{"cid", cid_of(connection).str()},
                      {"relation", connection.relation},
                      {"from", connection.from.str()},
                      {"to", connection.to.str()}};
    item["label"] = connection.label ? json::value(*connection.label) : json::value(nullptr);
    item["index"] = connection.index ? json::value(*connection.index) : json::value(nullptr);
    item["created_by"] = connection.created_by.str();
    item["created_at"] = connection.created_at;
    const bool is_strange = connection.relation == "uses_input"
                                ? foreigners.is_foreign(thought::to_thought(connection))
                                : foreigners.is_foreign_creator(connection.created_by);
    if (is_strange) item[kForeign] = true;
    connections.push_back(std::move(item));
  }
  return json::object{{"connections", std::move(connections)}};
}

}  // namespace weft::query
