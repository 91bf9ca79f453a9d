#include "weft/query/trace/path.hpp"

#include <algorithm>
#include <deque>
#include <ranges>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/query/trace/trace.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

// How a thought was reached: from which one, and along which edge.
struct Arrival {
  Cid from{};
  std::string_view edge{};
};
using Arrivals = std::unordered_map<Cid, Arrival>;

struct Looked {
  bool is_found = false, is_truncated = false;
  std::uint64_t searched = 0;
  Arrivals arrivals{};
};

// Follows the causes of `effect`, breadth first, until `cause` is among them.
Result<Looked> look_for(const Library& library, const Cid& effect, const Cid& cause,
                        const PathOptions& options) {
  Looked looked{.arrivals = {{effect, {}}}};
  std::deque<Cid> queue{effect};
  Foreigners foreigners(library);
  const Follow causes = causes_in(library);
  for (; !queue.empty(); ++looked.searched) {
    if (queue.front() == cause) {
      looked.is_found = true;
      return looked;
    }
    if (looked.searched == options.limit) {
      looked.is_truncated = true;
      return looked;
    }
    if (options.control.is_off()) return called_off();
    const Result<thought::Thought> thought = library.web.get_without_path(queue.front());
    queue.pop_front();
    if (!thought) {
      if (thought.error().code == ErrorCode::not_found && looked.searched > 0) continue;
      return fail(Error(thought.error()));
    }
    WEFT_TRY_VALUE(const auto steps, causes(*thought, foreigners));
    for (const Step& step : steps) {
      const bool is_new = looked.arrivals.try_emplace(step.cid, thought->cid, step.edge).second;
      if (is_new) queue.push_back(step.cid);
    }
  }
  return looked;
}

Result<json::array> thoughts_to(const Library& library, const Cid& cause,
                                const Arrivals& arrivals) {
  std::vector<std::pair<Cid, std::string_view>> steps;
  for (Cid at = cause;;) {
    const Arrival& arrival = arrivals.at(at);
    steps.emplace_back(at, arrival.edge);
    if (arrival.edge.empty()) break;
    at = arrival.from;
  }
  json::array thoughts;
  Foreigners foreigners(library);
  for (const auto& [cid, edge] : std::views::reverse(steps)) {
    WEFT_TRY_VALUE(const auto thought, library.web.get(cid));
    json::object opened = open_json(library, thought);
    foreigners.mark(thought, opened);
    if (!edge.empty()) opened["reached_by"] = edge;
    thoughts.push_back(std::move(opened));
  }
  return thoughts;
}

}  // namespace

Result<json::object> path(const Library& library, const Cid& from, const Cid& to,
                          const PathOptions& options) {
  WEFT_TRY(library.web.get_without_path(to));
  std::uint64_t searched = 0;
  bool is_truncated = false;
  for (const bool is_forwards : {true, false}) {
    const Cid& effect = is_forwards ? from : to;
    const Cid& cause = is_forwards ? to : from;
    WEFT_TRY_VALUE(const auto looked, look_for(library, effect, cause, options));
    searched += looked.searched;
    is_truncated = is_truncated || looked.is_truncated;
    if (!looked.is_found) continue;
    WEFT_TRY_VALUE(auto thoughts, thoughts_to(library, cause, looked.arrivals));
    return json::object{{"path", std::move(thoughts)},
                        {"rests", is_forwards ? "from" : "to"},
                        {"searched", searched},
                        {"truncated", false}};
  }
  return json::object{{"path", json::array()},
                      {"rests", nullptr},
                      {"searched", searched},
                      {"truncated", is_truncated}};
}

}  // namespace weft::query
