#include "weft/keep/report.hpp"

#include <algorithm>
#include <set>

namespace weft::keep {
namespace {

json::value or_null(const std::optional<Millis>& time) {
  return time ? json::value(*time) : json::value(nullptr);
}

json::array to_json(const std::vector<Cid>& cids) {
  json::array all;
  for (const Cid& cid : cids) all.push_back(json::string(cid.str()));
  return all;
}

}  // namespace

void Report::resume(std::string_view text) {
  const Result<ParsedJson> parsed = parse_json(text);
  const json::object* report = parsed ? parsed->value.if_object() : nullptr;
  const json::object* mark = report == nullptr ? nullptr : find_object(*report, "mark");
  if (mark == nullptr) return;
  const std::lock_guard lock(mutex_);
  findings_.clear();
  forgotten_.clear();
  mark_ = {.row = find_int(*mark, "row").value_or(0), .log = find_int(*mark, "log").value_or(0)};
  checked_ = static_cast<std::uint64_t>(find_int(*report, "checked").value_or(0));
  rounds_ = static_cast<std::uint64_t>(find_int(*report, "rounds").value_or(0));
  if (const json::array* findings = find_array(*report, "findings")) {
    for (const json::value& value : *findings) {
      const json::object* one = value.if_object();
      if (one == nullptr) continue;
      const Result<Cid> cid = Cid::parse(find_string(*one, "cid").value_or(""));
      const auto kind = find_string(*one, "kind");
      const json::array* range = find_array(*one, "range");
      for (const auto known : {query::RangeFinding::Kind::bad, query::RangeFinding::Kind::missing,
                               query::RangeFinding::Kind::foreign}) {
        if (!cid || kind != to_string(known) || range == nullptr || range->size() != 2) continue;
        const auto at = [&](std::size_t i) {
          const std::int64_t* id = (*range)[i].if_int64();
          return id == nullptr ? 0 : *id;
        };
        findings_[*cid] = {.kind = known, .range = {at(0), at(1)}};
      }
    }
  }
  if (const json::array* forgotten = find_array(*report, "forgotten")) {
    for (const json::value& value : *forgotten) {
      if (const json::object* one = value.if_object()) forgotten_.push_back(*one);
    }
  }
}

void Report::begin(Millis now) {
  const std::lock_guard lock(mutex_);
  since_ = now;
}

void Report::set_mark(const store::AddedMark& mark, std::uint64_t behind) {
  const std::lock_guard lock(mutex_);
  mark_ = mark;
  behind_ = behind;
}

store::AddedMark Report::mark() const {
  const std::lock_guard lock(mutex_);
  return mark_;
}

void Report::add_checked(std::uint64_t rows) {
  const std::lock_guard lock(mutex_);
  checked_ += rows;
}

void Report::end_round() {
  const std::lock_guard lock(mutex_);
  ++rounds_;
}

std::vector<query::RangeFinding> Report::set_findings(
    const store::ScanRange& range, const std::vector<query::RangeFinding>& found) {
  const std::lock_guard lock(mutex_);
  std::erase_if(findings_, [&](const auto& known) {
    return known.second.range == range.token &&
           std::ranges::find(found, known.first, &query::RangeFinding::cid) == found.end();
  });
  std::vector<query::RangeFinding> added;
  for (const query::RangeFinding& one : found) {
    const bool is_new =
        findings_.insert_or_assign(one.cid, Found{.kind = one.kind, .range = range.token}).second;
    if (is_new) added.push_back(one);
  }
  return added;
}

std::vector<store::ScanRange> Report::ranges_with_findings() const {
  const std::lock_guard lock(mutex_);
  std::set<std::array<std::int64_t, 2>> ranges;
  for (const auto& [cid, found] : findings_) ranges.insert(found.range);
  std::vector<store::ScanRange> all;
  for (const auto& range : ranges) all.push_back({range});
  return all;
}

std::size_t Report::count_findings() const {
  const std::lock_guard lock(mutex_);
  return findings_.size();
}

void Report::add(const CarriedOut& done, Millis now) {
  const std::lock_guard lock(mutex_);
  forgotten_.push_front({{"tombstone", done.tombstone.str()},
                         {"conversations", to_json(done.conversations)},
                         {"thoughts", done.thoughts},
                         {"at", now}});
  if (forgotten_.size() > kMostForgotten) forgotten_.pop_back();
}

void Report::set_waiting(std::vector<CarriedOut> waiting) {
  const std::lock_guard lock(mutex_);
  waiting_ = std::move(waiting);
}

void Report::set_wiped(bool is_wiped) {
  const std::lock_guard lock(mutex_);
  is_wiped_ = is_wiped;
}

void Report::set_merged(Millis now) {
  const std::lock_guard lock(mutex_);
  merged_at_ = now;
}

void Report::set_analyzed(Millis now) {
  const std::lock_guard lock(mutex_);
  analyzed_at_ = now;
}

void Report::set_error(std::string message) {
  const std::lock_guard lock(mutex_);
  error_ = std::move(message);
}

std::string Report::text() const {
  const std::lock_guard lock(mutex_);
  json::array findings, forgotten, waiting;
  for (const auto& [cid, found] : findings_) {
    if (findings.size() == kMostFindings) break;
    findings.push_back({{"cid", cid.str()},
                        {"kind", json::string(to_string(found.kind))},
                        {"range", json::array{found.range[0], found.range[1]}}});
  }
  for (const json::object& one : forgotten_) forgotten.push_back(one);
  for (const CarriedOut& one : waiting_) {
    waiting.push_back({{"tombstone", one.tombstone.str()},
                       {"conversations", to_json(one.conversations)},
                       {"why", one.why}});
  }
  return canonical_json(
      json::object{{"name", label_},
                   {"since", since_},
                   {"mark", json::object{{"row", mark_.row}, {"log", mark_.log}}},
                   {"behind", behind_},
                   {"checked", checked_},
                   {"rounds", rounds_},
                   {"findings", std::move(findings)},
                   {"forgotten", std::move(forgotten)},
                   {"waiting", std::move(waiting)},
                   {"wiped", is_wiped_},
                   {"merged_at", or_null(merged_at_)},
                   {"analyzed_at", or_null(analyzed_at_)},
                   {"error", error_.empty() ? json::value(nullptr) : json::value(error_)}});
}

json::object to_answer(const std::optional<store::KeeperNote>& note) {
  const Result<ParsedJson> parsed =
      note ? parse_json(note->report) : fail(ErrorCode::not_found, "");
  const json::object* report = parsed ? parsed->value.if_object() : nullptr;
  json::object answer{{"is_kept", note && note->is_current},
                      {"keeper", nullptr},
                      {"behind", 0},
                      {"checked", 0},
                      {"rounds", 0},
                      {"findings", json::array()},
                      {"forgotten", json::array()},
                      {"waiting", json::array()},
                      {"wiped", true},
                      {"merged_at", nullptr},
                      {"analyzed_at", nullptr},
                      {"error", nullptr}};
  if (report == nullptr) return answer;
  answer["keeper"] = json::object{{"name", json::string(find_string(*report, "name").value_or(""))},
                                  {"since", find_int(*report, "since").value_or(0)}};
  for (auto& [key, value] : answer) {
    if (key == "is_kept" || key == "keeper") continue;
    if (const json::value* said = find_member(*report, key)) value = *said;
  }
  if (json::array* findings = answer["findings"].if_array()) {
    for (json::value& one : *findings) {
      if (json::object* object = one.if_object()) object->erase("range");
    }
  }
  return answer;
}

}  // namespace weft::keep
