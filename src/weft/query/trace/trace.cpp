#include "weft/query/trace/trace.hpp"
#include "weft/query/attest/witnessed.hpp"

#include <deque>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/query/trace/reasoning_summary.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

struct Queued {
  Cid cid;
  std::uint64_t depth = 0;
  std::string_view edge{};  // empty for the start
  Cid from{};
};

}  // namespace

Result<bool> trace(const Library& library, const Cid& start, const TraceOptions& options,
                   const Follow& follow, const std::function<void(json::object)>& visit) {
  std::deque<Queued> queue{{.cid = start}};
  std::unordered_set<Cid> seen{start};
  bool truncated = false;
  Foreigners foreigners(library);
  Attesters attesters(library);
  for (std::uint64_t visited = 0; !queue.empty(); ++visited) {
    if (visited == options.limit) return true;
    if (options.control.is_off()) return called_off();
    const Queued next = queue.front();
    queue.pop_front();
    const Result<thought::Thought> thought = library.web.get(next.cid);
    if (!thought) {
      // What a foreign thought refers to may not be stored here; verify reports that.
      if (thought.error().code == ErrorCode::not_found && next.depth > 0) continue;
      return fail(Error(thought.error()));
    }
    json::object opened = open_json(library, *thought);
    foreigners.mark(*thought, opened);
    WEFT_TRY(mark_witnessed(library, next.cid, attesters, opened));
    opened["depth"] = next.depth;
    if (next.depth > 0) {
      opened["reached_by"] = next.edge;
      opened["reached_from"] = next.from.str();
    }
    WEFT_TRY(add_summary(library, *thought, opened, foreigners));
    if (options.edit) options.edit(opened);
    const bool has_room = !options.has_room || options.has_room(opened);
    if (!has_room && visited > 0) return true;
    visit(std::move(opened));
    WEFT_TRY_VALUE(const auto steps, follow(*thought, foreigners));
    for (const Step& step : steps) {
      if (seen.contains(step.cid)) continue;
      if (next.depth == options.depth) {
        truncated = true;
        continue;
      }
      seen.insert(step.cid);
      queue.push_back(
          {.cid = step.cid, .depth = next.depth + 1, .edge = step.edge, .from = next.cid});
    }
  }
  return truncated;
}

Result<json::object> trace_answer(const Library& library, const Cid& start,
                                  const TraceOptions& options, const Follow& follow) {
  json::array thoughts;
  Result<bool> truncated = trace(library, start, options, follow, [&](json::object thought) {
    thoughts.push_back(std::move(thought));
  });
  if (!truncated) return fail(std::move(truncated).error());
  return json::object{{"thoughts", std::move(thoughts)}, {"truncated", *truncated}};
}

}  // namespace weft::query
