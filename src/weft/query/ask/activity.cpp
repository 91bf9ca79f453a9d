#include <map>

#include "weft/base/time.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {
namespace {

using store::Figure;

constexpr Millis kDayMs = store::kQuarterMs * store::kQuartersOfDay;

json::value time_in(const store::Figures& figures, Figure ms, Figure timed) {
  return figures[timed].own == 0 ? json::value(nullptr) : json::value(figures[ms].own);
}

}  // namespace

Result<json::object> activity(const Library& library, const ActivityOptions& options) {
  store::TallyRequest request{.with_quarters = true, .keyring = library.keyring};
  if (options.conversation) request.conversation = options.conversation->cid;
  WEFT_TRY_VALUE(const store::TallySum sum, library.web.sum_tallies(request));
  std::map<Millis, store::Figures> days;  // by their midnight, as if it were UTC's
  store::Figures undated;
  for (const auto& [quarter, figures] : sum.quarters) {
    const Millis time = quarter * store::kQuarterMs;
    if (quarter == 0) undated += figures;
    else days[(time + options.offset(time)) / kDayMs * kDayMs] += figures;
  }
  json::array shown;
  for (const auto& [day, figures] : days) {
    shown.push_back(
        json::object{{"day", to_iso8601(day).substr(0, 10)},
                     {"turn_count", figures[Figure::turns].own},
                     {"block_count", figures[Figure::blocks].own},
                     {"tool_calls", figures[Figure::tool_calls].own},
                     {"tool_errors", figures[Figure::tool_errors].own},
                     {"thinking_ms", time_in(figures, Figure::thinking_ms, Figure::thinking_timed)},
                     {"response_ms", time_in(figures, Figure::response_ms, Figure::response_timed)},
                     {"tool_ms", time_in(figures, Figure::tool_ms, Figure::tool_timed)},
                     {"waiting_ms", time_in(figures, Figure::waiting_ms, Figure::waiting_timed)}});
  }
  json::object answer{{"zone", options.zone}, {"days", std::move(shown)}};
  if (undated[Figure::blocks].own > 0) answer["undated_blocks"] = undated[Figure::blocks].own;
  note_sealed(answer, sum.sealed);
  note_behind(answer, sum.rows);
  return answer;
}

}  // namespace weft::query
