#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/cost/token_totals.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {
namespace {

using store::Count;
using store::Figure;

// A token is about four characters of English or code: the usual rule of thumb.
constexpr std::int64_t kCharsPerToken = 4;

// Of one conversation all places count, over several each place once.
class Figures {
 public:
  Figures(const store::TallySum& sum, bool is_one) : sum_(sum), is_one_(is_one) {}

  std::int64_t of(const Count& count) const { return is_one_ ? count.all : count.own; }
  std::int64_t of(Figure figure) const { return of(sum_.figures[figure]); }
  // Null if nothing has a time: that is unknown, and not zero.
  json::value time(Figure ms, Figure timed) const {
    return of(timed) == 0 ? json::value(nullptr) : json::value(of(ms));
  }
  json::object counts(const std::map<std::string, Count>& counts) const {
    json::object out;
    for (const auto& [name, count] : counts) {
      if (of(count) != 0) out[name] = of(count);
    }
    return out;
  }

 private:
  const store::TallySum& sum_;
  const bool is_one_;
};

std::map<std::string, Count> by_model(const Library& library,
                                      const std::map<Cid, Count>& by_author) {
  std::map<std::string, Count> models;
  for (const auto& [author, count] : by_author) {
    const Result<thought::Thought> identity = library.web.get_without_path(author);
    if (!identity || find_string(identity->content, "kind") != "model") continue;
    models[std::string(find_string(identity->content, "name").value_or("unknown"))] += count;
  }
  return models;
}

}  // namespace

Result<json::object> stats(const Library& library, const std::optional<store::ConversationRow>& one,
                           const QueryControl& control) {
  store::TallyRequest request{.keyring = library.keyring};
  if (one) request.conversation = one->cid;
  request.go_on = [&](std::uint64_t done, std::uint64_t all) {
    control.report_progress(done, all);
    return !control.is_off();
  };
  Result<store::TallySum> sum = library.web.sum_tallies(request);
  if (!sum && control.is_off()) return called_off();
  if (!sum) return fail(std::move(sum).error());
  const Figures figures(*sum, one.has_value());
  WEFT_TRY_VALUE(const auto totals, token_totals(library, one, control));
  json::object answer{
      {"conversations", sum->conversations},
      {"turn_count", figures.of(Figure::turns)},
      {"thinking_ms", figures.time(Figure::thinking_ms, Figure::thinking_timed)},
      {"response_ms", figures.time(Figure::response_ms, Figure::response_timed)},
      {"tool_ms", figures.time(Figure::tool_ms, Figure::tool_timed)},
      {"waiting_ms", figures.time(Figure::waiting_ms, Figure::waiting_timed)},
      {"tool_calls", figures.of(Figure::tool_calls)},
      {"tool_errors", figures.of(Figure::tool_errors)},
      {"by_type", figures.counts(sum->by_type)},
      {"by_tool", figures.counts(sum->by_tool)},
      {"by_model", figures.counts(by_model(library, sum->by_author))},
      {"tokens",
       json::object{{"input", totals.tokens.input},
                    {"output", totals.tokens.output},
                    {"cache_read", totals.tokens.cache_read},
                    {"cache_write", totals.tokens.cache_write_5m + totals.tokens.cache_write_1h},
                    {"estimated", figures.of(sum->chars_without_usage) / kCharsPerToken}}}};
  note_sealed(answer, sum->sealed);
  note_behind(answer, totals.rows.done < sum->rows.done ? totals.rows : sum->rows);
  return answer;
}

}  // namespace weft::query
