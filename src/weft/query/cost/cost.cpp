#include "weft/query/cost/cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "weft/base/figures.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/cost/ccusage_rules.hpp"
#include "weft/query/cost/prompts.hpp"
#include "weft/query/cost/requests.hpp"

namespace weft::query {
namespace {

using transcript::Request;
using transcript::Tokens;

constexpr std::array<std::pair<CostBy, std::string_view>, 7> kCostBy = {
    {{CostBy::day, "day"},
     {CostBy::week, "week"},
     {CostBy::month, "month"},
     {CostBy::model, "model"},
     {CostBy::project, "project"},
     {CostBy::session, "session"},
     {CostBy::prompt, "prompt"}}};

constexpr std::string_view kUnknownKey = "unknown";

// The sum of some requests.
struct CostSum {
  std::uint64_t requests = 0, unpriced = 0;
  Tokens tokens{};
  double dollars = 0;

  void add(const Request& request, std::optional<double> price) {
    ++requests;
    add_to(tokens, request.tokens);
    if (price) dollars += *price;
    else ++unpriced;
  }

  void put(json::object& out) const {
    out["requests"] = requests;
    out["input"] = tokens.input;
    out["output"] = tokens.output;
    out["cache_read"] = tokens.cache_read;
    out["cache_write_5m"] = tokens.cache_write_5m;
    out["cache_write_1h"] = tokens.cache_write_1h;
    out["reasoning"] = tokens.reasoning;
    // Millionths of a dollar: sums of doubles do not show their last digits.
    if (requests > 0 && unpriced == requests) out["cost"] = nullptr;
    else out["cost"] = std::round(dollars * 1e6) / 1e6;
    out["unpriced_requests"] = unpriced;
  }
};

struct CostRow {
  json::object head{};   // key, and what else the row names
  bool is_main = false;  // of a session: named by its main conversation
  CostSum sum{};
};

class CostCounter {
 public:
  CostCounter(const Library& library, const PriceTable& prices, const CostOptions& options)
      : library_(library), prices_(prices), options_(options) {}

  Status count(const ConversationRequests& one) {
    if (options_.by == CostBy::project) project_ = project_of(one.row);
    std::optional<Prompts> prompts;
    if (options_.by == CostBy::prompt) {
      WEFT_TRY_VALUE(prompts, find_prompts(library_, one.row));
    }
    for (const thought::CountedRequest& named : one.requests) {
      const Request& request = named.counts;
      if (!is_in_time(request)) continue;
      const std::optional<double> price = price_of(request, one.row);
      total_.add(request, price);
      row_of(request, one.row, prompts ? &*prompts : nullptr).sum.add(request, price);
      if (!price) unpriced_[request.model].add(request, price);
    }
    return {};
  }

  json::object answer(std::size_t unknown_sessions, json::array notes) {
    json::array rows, unpriced;
    for (auto& [key, row] : rows_) {
      row.sum.put(row.head);
      rows.emplace_back(std::move(row.head));
    }
    for (const auto& [model, sum] : unpriced_) {
      unpriced.emplace_back(
          json::object{{"model", model.empty() ? json::value() : json::value(model)},
                       {"requests", sum.requests},
                       {"tokens", size_of(sum.tokens)}});
    }
    json::object total;
    total_.put(total);
    if (unknown_sessions > 0 && total_.requests == 0) total["cost"] = nullptr;
    total["unknown_sessions"] = unknown_sessions;
    json::object out{
        {"by", to_string(options_.by)},
        {"zone", options_.calendar.zone},
        {"rows", std::move(rows)},
        {"total", std::move(total)},
        {"unpriced", std::move(unpriced)},
        {"prices", json::object{{"hash", prices_.hash()}, {"rows", prices_.rows().size()}}}};
    if (!notes.empty()) out["notes"] = std::move(notes);
    return out;
  }

 private:
  bool is_in_time(const Request& request) const {
    const bool is_early =
        options_.since && request.time.value_or(*options_.since) < *options_.since;
    const bool is_late = options_.until && request.time.value_or(*options_.until) > *options_.until;
    return !is_early && !is_late;
  }

  std::optional<double> price_of(const Request& request, const store::ConversationRow& row) const {
    if (is_free(request.model)) return 0;
    if (options_.rules == CostRules::ccusage) {
      return ccusage_cost(request, prices_, row.format == "codex");
    }
    const std::string day = request.time ? options_.calendar.day(*request.time) : std::string();
    const Price* price = prices_.find(request.model, day, prompt_size(request.tokens));
    if (price != nullptr) return cost_of(request.tokens, *price);
    if (request.stated_cost) return static_cast<double>(*request.stated_cost) / 1e9;
    return std::nullopt;
  }

  CostRow& row_of(const Request& request, const store::ConversationRow& row,
                  const Prompts* prompts) {
    const auto with_key = [&](std::string key) -> CostRow& {
      CostRow& found = rows_[key];
      if (found.head.empty()) found.head["key"] = key.empty() ? kUnknownKey : std::move(key);
      return found;
    };
    const Calendar& calendar = options_.calendar;
    if (options_.by == CostBy::model) return with_key(request.model);
    if (options_.by == CostBy::project) return with_key(project_);
    if (options_.by == CostBy::session) return session_row(row);
    if (options_.by == CostBy::prompt) return prompt_row(request, *prompts);
    if (!request.time) return with_key("");
    if (options_.by == CostBy::week) return with_key(calendar.week(*request.time));
    if (options_.by == CostBy::month) return with_key(calendar.month(*request.time));
    return with_key(calendar.day(*request.time));
  }

  // A subagent's requests count for the session that started it.
  CostRow& session_row(const store::ConversationRow& row) {
    CostRow& found = rows_[row.format + "\n" + row.session_id];
    const bool is_main = row.source == "primary";
    if (found.head.empty() || (is_main && !found.is_main)) {
      found.is_main = is_main;
      const thought::KnownFacts facts = read_facts(library_, row).known;
      const std::optional<std::string> title = title_of(library_, row.cid, facts);
      found.head = {{"key", row.session_id},
                    {"conversation_cid", row.cid.str()},
                    {"format", row.format},
                    {"title", title ? json::value(*title) : json::value()}};
    }
    return found;
  }

  CostRow& prompt_row(const Request& request, const Prompts& prompts) {
    const Prompt* prompt = prompts.before(request.time);
    CostRow& found = rows_[prompt == nullptr ? prompts.conversation.str()
                                             : to_iso8601(prompt->time) + prompt->cid.str()];
    if (found.head.empty()) {
      found.head = {{"key", prompt == nullptr ? std::string(kUnknownKey) : prompt->cid.str()},
                    {"conversation_cid", prompts.conversation.str()},
                    {"text", prompt == nullptr ? json::value() : json::value(prompt->text)}};
    }
    return found;
  }

  std::string project_of(const store::ConversationRow& row) {
    const thought::KnownFacts known = read_facts(library_, row).known;
    return known.facts.project.value_or(known.facts.cwd.value_or(""));
  }

  const Library& library_;
  const PriceTable& prices_;
  const CostOptions& options_;
  std::map<std::string, CostRow> rows_;
  std::map<std::string, CostSum> unpriced_;  // by model
  CostSum total_;
  std::string project_;  // of the conversation being counted
};

// The conversations that the question is about: those of one session, or all.
Result<std::vector<store::ConversationRow>> rows_to_count(const Library& library,
                                                          const CostOptions& options) {
  store::ConversationFilter filter;
  if (options.conversation) {
    filter = {.format = options.conversation->format,
              .session_id = options.conversation->session_id};
  }
  WEFT_TRY_VALUE(auto rows, library.web.conversations(filter));
  std::erase_if(rows, [&](const store::ConversationRow& row) {
    if (options.rules == CostRules::ccusage && !is_read_by_ccusage(row.format)) return true;
    if (!options.conversation) return false;
    // A subagent alone is asked for by itself; a session has its subagents in it.
    if (options.conversation->source != "primary") return row.cid != options.conversation->cid;
    return row.created_by != options.conversation->created_by;
  });
  return rows;
}

// Names the sessions whose tokens were counted when they were woven, but not by request.
void note_unknown(json::array& notes, const std::set<std::string>& sessions) {
  if (sessions.empty()) return;
  constexpr std::size_t kNamed = 5;
  std::string text = count(sessions.size(), "session") +
                     " without recorded model requests: the cost is not known (?); weft reindex "
                     "reads the files again where they or their archive are there: ";
  std::size_t named = 0;
  for (const std::string& session : sessions) {
    if (named == kNamed) break;
    text.append(named++ == 0 ? "" : ", ").append(session);
  }
  if (sessions.size() > kNamed) text += ", …";
  notes.emplace_back(text);
}

}  // namespace

std::string_view to_string(CostBy by) {
  return std::ranges::find(kCostBy, by, &std::pair<CostBy, std::string_view>::first)->second;
}

std::optional<CostBy> parse_cost_by(std::string_view text) {
  const auto found = std::ranges::find(kCostBy, text, &std::pair<CostBy, std::string_view>::second);
  if (found == kCostBy.end()) return std::nullopt;
  return found->first;
}

Result<json::object> cost(const Library& library, const PriceTable& prices,
                          const CostOptions& options) {
  WEFT_TRY_VALUE(const auto rows, rows_to_count(library, options));
  std::vector<ConversationRequests> all;
  std::set<std::string> unknown;
  std::uint64_t sealed = 0;
  for (const store::ConversationRow& row : rows) {
    if (options.control.is_off()) return called_off();
    WEFT_TRY_VALUE(auto one, requests_of(library, row));
    if (one.is_sealed) ++sealed;
    else if (one.requests.empty() && read_facts(library, row).known.facts.usage) {
      unknown.insert(row.session_id);
    }
    all.push_back(std::move(one));
    options.control.report_progress(all.size(), rows.size());
  }
  drop_copies(all,
              options.rules == CostRules::ccusage ? CopyRule::by_session : CopyRule::first_holder);
  CostCounter counter(library, prices, options);
  for (const ConversationRequests& one : all) WEFT_TRY(counter.count(one));
  json::array notes;
  note_unknown(notes, unknown);
  if (sealed > 0) {
    notes.emplace_back("the requests of " + count(sealed, "conversation") +
                       " are sealed, and were not counted");
  }
  return counter.answer(unknown.size() + sealed, std::move(notes));
}

}  // namespace weft::query
