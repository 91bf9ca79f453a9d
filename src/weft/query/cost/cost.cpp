#include "weft/query/cost/cost.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "weft/base/figures.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/cost/ccusage_rules.hpp"
#include "weft/query/cost/cost_sum.hpp"
#include "weft/query/cost/priced_days.hpp"
#include "weft/query/cost/prompts.hpp"
#include "weft/query/cost/requests.hpp"

namespace weft::query {
namespace {

using store::ConversationRequests;
using store::RequestEntry;
using store::RequestSum;

constexpr std::array<std::pair<CostBy, std::string_view>, 7> kCostBy = {
    {{CostBy::day, "day"},
     {CostBy::week, "week"},
     {CostBy::month, "month"},
     {CostBy::model, "model"},
     {CostBy::project, "project"},
     {CostBy::session, "session"},
     {CostBy::prompt, "prompt"}}};

constexpr std::string_view kUnknownKey = "unknown";

struct CostRow {
  json::object head{};   // key, and what else the row names
  bool is_main = false;  // of a session: named by its main conversation
  CostSum sum{};
};

// Titles and projects of conversations, for the rows that name them.
using Entries = std::unordered_map<Cid, store::CatalogueEntry>;

class CostCounter {
 public:
  // All of them outlive it; `models` may grow.
  CostCounter(const Library& library, const PriceTable& prices, const store::ModelNames& models,
              const Entries& entries, const CostOptions& options)
      : library_(library),
        prices_(prices),
        models_(models),
        entries_(entries),
        options_(options),
        days_(options.calendar) {}

  Status count(const ConversationRequests& one) {
    std::optional<Prompts> prompts;
    if (options_.by == CostBy::prompt) {
      WEFT_TRY_VALUE(prompts, find_prompts(library_, one.row));
    }
    conversation_row_ = nullptr;
    know_models();
    for (const RequestEntry& request : one.requests) {
      if (!is_in_time(request.time)) continue;
      PricedDay& day = days_.of(request.time);
      CostSum& row =
          row_of(request.time, request.model, day, one.row, prompts ? &*prompts : nullptr).sum;
      if (const Price* price = find_price(request.model, prompt_size(request.tokens), day)) {
        row.add(request, *price);
        continue;
      }
      if (is_stated(request)) {
        row.add_stated(request, *request.stated_cost);
        continue;
      }
      const std::optional<double> cost = cost_otherwise(request, one.row);
      row.add(request, cost);
      if (!cost) unpriced_[request.model].add(request, cost);
    }
    for (const RequestSum& sum : one.sums) count(sum, one.row);
    return {};
  }

  // Whether all requests of a sum count alike: in one row, and at one price.
  bool takes(const RequestSum& sum) {
    know_models();
    if (is_in_time(sum.first) != is_in_time(sum.last)) return false;
    PricedDay& day = days_.of(sum.first);
    return &day == &days_.of(sum.last) && find_price(sum.model, sum.least_prompt, day) ==
                                              find_price(sum.model, sum.most_prompt, day);
  }

  json::object answer(std::size_t unknown_sessions, json::array notes) {
    json::array rows, unpriced;
    CostSum sum;
    for (auto& [key, row] : rows_) {
      row.sum.finish();
      sum.add(row.sum);
      row.sum.put(row.head);
      rows.emplace_back(std::move(row.head));
    }
    std::map<std::string, const CostSum*> sums;
    for (std::uint32_t i = 0; i < unpriced_.size(); ++i) {
      if (unpriced_[i].requests > 0) sums[models_[i]] = &unpriced_[i];
    }
    for (const auto& [model, of_model] : sums) {
      unpriced.emplace_back(
          json::object{{"model", model.empty() ? json::value() : json::value(model)},
                       {"requests", of_model->requests},
                       {"tokens", size_of(of_model->tokens)}});
    }
    json::object total;
    sum.put(total);
    if (unknown_sessions > 0 && sum.requests == 0) total["cost"] = nullptr;
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
  // Makes room for models that were named since the last call.
  void know_models() {
    unpriced_.resize(models_.size());
    model_rows_.resize(models_.size());
    for (auto i = static_cast<std::uint32_t>(is_free_.size()); i < models_.size(); ++i) {
      is_free_.push_back(is_free(models_[i]));
    }
  }

  // Precondition: takes() returned true.
  void count(const RequestSum& sum, const store::ConversationRow& conversation) {
    if (!is_in_time(sum.first)) return;
    PricedDay& day = days_.of(sum.first);
    CostSum& row = row_of(sum.first, sum.model, day, conversation, nullptr).sum;
    if (const Price* price = find_price(sum.model, sum.most_prompt, day)) {
      row.add(sum, *price);
      return;
    }
    if (is_free_[sum.model]) {
      row.add_stated(sum, 0);
    } else if (sum.stated_cost) {
      row.add_stated(sum, *sum.stated_cost);
    } else {
      row.add_unpriced(sum);
      unpriced_[sum.model].add_unpriced(sum);
    }
  }

  bool is_in_time(std::optional<Millis> time) const {
    const bool is_early = options_.since && time.value_or(*options_.since) < *options_.since;
    const bool is_late = options_.until && time.value_or(*options_.until) > *options_.until;
    return !is_early && !is_late;
  }

  // By the rules of weft. Null if a request is free, or its price is not known.
  const Price* find_price(std::uint32_t model, std::int64_t prompt, PricedDay& day) const {
    if (options_.rules != CostRules::weft || is_free_[model]) return nullptr;
    return day.find_price(model, models_[model], prompt, prices_);
  }
  // Whether what the source states is the cost, by the rules of weft.
  bool is_stated(const RequestEntry& request) const {
    return options_.rules == CostRules::weft && !is_free_[request.model] && request.stated_cost;
  }
  // By the rules of ccusage; or of a request without a price.
  std::optional<double> cost_otherwise(const RequestEntry& request,
                                       const store::ConversationRow& row) const {
    if (is_free_[request.model]) return 0;
    if (options_.rules == CostRules::ccusage) {
      return ccusage_cost(request, models_[request.model], prices_, row.format == "codex");
    }
    return std::nullopt;
  }

  // Rows are found by their names once for each day, model and conversation.
  CostRow& row_of(std::optional<Millis> time, std::uint32_t model, const PricedDay& day,
                  const store::ConversationRow& row, const Prompts* prompts) {
    if (options_.by == CostBy::prompt) return prompt_row(time, *prompts);
    if (&day == last_day_) return *last_row_;
    const bool is_by_conversation =
        options_.by == CostBy::project || options_.by == CostBy::session;
    CostRow*& known = is_by_conversation             ? conversation_row_
                      : options_.by == CostBy::model ? model_rows_[model]
                                                     : day_rows_[&day];
    if (known == nullptr) known = &find_row(time, model, day, row);
    if (options_.by != CostBy::model && !is_by_conversation) {
      last_day_ = &day;
      last_row_ = known;
    }
    return *known;
  }

  CostRow& find_row(std::optional<Millis> time, std::uint32_t model, const PricedDay& day,
                    const store::ConversationRow& row) {
    const auto with_key = [&](std::string key) -> CostRow& {
      CostRow& found = rows_[key];
      if (found.head.empty()) found.head["key"] = key.empty() ? kUnknownKey : std::move(key);
      return found;
    };
    const Calendar& calendar = options_.calendar;
    if (options_.by == CostBy::model) return with_key(models_[model]);
    if (options_.by == CostBy::project) return with_key(project_of(row));
    if (options_.by == CostBy::session) return session_row(row);
    if (!time) return with_key("");
    if (options_.by == CostBy::week) return with_key(calendar.week(*time));
    if (options_.by == CostBy::month) return with_key(calendar.month(*time));
    return with_key(day.name());
  }

  // A subagent's requests count for the session that started it.
  CostRow& session_row(const store::ConversationRow& row) {
    CostRow& found = rows_[row.format + "\n" + row.session_id];
    const bool is_main = row.source == "primary";
    if (found.head.empty() || (is_main && !found.is_main)) {
      found.is_main = is_main;
      const store::CatalogueEntry& entry = entries_.at(row.cid);
      found.head = {{"key", row.session_id},
                    {"conversation_cid", row.cid.str()},
                    {"format", row.format},
                    {"title", text_or_null(title_of(entry))}};
    }
    return found;
  }

  CostRow& prompt_row(std::optional<Millis> time, const Prompts& prompts) {
    const Prompt* prompt = prompts.before(time);
    CostRow& found = rows_[prompt == nullptr ? prompts.conversation.str()
                                             : to_iso8601(prompt->time) + prompt->cid.str()];
    if (found.head.empty()) {
      found.head = {{"key", prompt == nullptr ? std::string(kUnknownKey) : prompt->cid.str()},
                    {"conversation_cid", prompts.conversation.str()},
                    {"text", prompt == nullptr ? json::value() : json::value(prompt->text)}};
    }
    return found;
  }

  std::string project_of(const store::ConversationRow& row) const {
    const transcript::Facts& facts = entries_.at(row.cid).known.facts;
    return facts.project.value_or(facts.cwd.value_or(""));
  }

  const Library& library_;
  const PriceTable& prices_;
  const store::ModelNames& models_;
  const Entries& entries_;
  const CostOptions& options_;
  PricedDays days_;
  std::map<std::string, CostRow> rows_;
  std::vector<CostSum> unpriced_;  // by number of the model
  std::vector<bool> is_free_;      // the same
  // Rows that were found, by what is counted.
  std::vector<CostRow*> model_rows_;
  std::unordered_map<const PricedDay*, CostRow*> day_rows_;
  CostRow* conversation_row_ = nullptr;
  const PricedDay* last_day_ = nullptr;  // of rows by time
  CostRow* last_row_ = nullptr;
};

// Whether the question is about a conversation.
bool is_asked(const store::ConversationRow& row, const CostOptions& options) {
  if (options.rules == CostRules::ccusage && !is_read_by_ccusage(row.format)) return false;
  if (!options.conversation) return true;
  // A subagent alone is asked for by itself; a session has its subagents in it.
  if (options.conversation->source != "primary") return row.cid == options.conversation->cid;
  return row.created_by == options.conversation->created_by;
}

// Those of one session, or all.
store::RequestsRequest requests_to_read(const Library& library, const CostOptions& options) {
  store::RequestsRequest request{.keyring = library.keyring};
  if (options.conversation) {
    request.filter = {.format = options.conversation->format,
                      .session_id = options.conversation->session_id};
  }
  request.with_names = options.conversation || options.by == CostBy::project ||
                       options.by == CostBy::session || options.by == CostBy::prompt;
  request.go_on = [&](std::uint64_t done, std::uint64_t all) {
    options.control.report_progress(done, all);
    return !options.control.is_off();
  };
  return request;
}

// What rows are named after, if they are.
Result<Entries> entries_for(const Library& library, CostBy by,
                            std::optional<store::RowsRead>& rows) {
  Entries entries;
  if (by != CostBy::project && by != CostBy::session) return entries;
  WEFT_TRY_VALUE(auto catalogue, library.web.catalogue({}, library.keyring));
  for (store::CatalogueEntry& entry : catalogue.entries) {
    const Cid cid = entry.row.cid;
    entries.emplace(cid, std::move(entry));
  }
  rows = catalogue.rows;
  return entries;
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
  std::optional<store::RowsRead> entry_rows;
  WEFT_TRY_VALUE(const Entries entries, entries_for(library, options.by, entry_rows));
  store::ModelNames models;
  CostCounter counter(library, prices, models, entries, options);
  CountedOnce once(options.rules == CostRules::ccusage ? CopyRule::by_session
                                                       : CopyRule::first_holder);
  std::set<std::string> unknown;
  std::uint64_t sealed = 0;
  std::vector<ConversationRequests> later;  // prompts cannot be read during the visit
  store::RequestsRequest request = requests_to_read(library, options);
  if (options.rules == CostRules::weft && options.by != CostBy::prompt) {
    request.takes_sum = [&](const RequestSum& sum) { return counter.takes(sum); };
  }
  auto rows = library.web.each_requests(request, models, [&](ConversationRequests& one) -> Status {
    if (!is_asked(one.row, options)) return {};
    if (one.is_sealed) ++sealed;
    else if (one.stated) unknown.insert(one.row.session_id);
    once.sift(one);
    if (options.by != CostBy::prompt) return counter.count(one);
    later.push_back(std::move(one));
    return {};
  });
  if (!rows && options.control.is_off()) return called_off();
  if (!rows) return fail(std::move(rows).error());
  std::ranges::move(once.take_rest(), std::back_inserter(later));
  for (const ConversationRequests& one : later) {
    if (options.control.is_off()) return called_off();
    WEFT_TRY(counter.count(one));
  }
  json::array notes;
  note_unknown(notes, unknown);
  if (sealed > 0) {
    notes.emplace_back("the requests of " + count(sealed, "conversation") +
                       " are sealed, and were not counted");
  }
  json::object answer = counter.answer(unknown.size() + sealed, std::move(notes));
  note_behind(answer, entry_rows && entry_rows->done < rows->done ? *entry_rows : *rows);
  return answer;
}

}  // namespace weft::query
