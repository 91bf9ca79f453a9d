// What the mirror of a task knows of the requests that the task made.
#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/cline/ui.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::cline {

std::optional<transcript::Usage> parse_request_usage(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  const Result<ParsedJson> parsed = parse_json(text);
  const json::object* info = parsed ? parsed->value.if_object() : nullptr;
  if (info == nullptr || !info->contains("tokensIn")) return std::nullopt;
  return transcript::Usage{.input = find_int(*info, "tokensIn").value_or(0),
                           .output = find_int(*info, "tokensOut").value_or(0),
                           .cache_read = find_int(*info, "cacheReads").value_or(0),
                           .cache_write = find_int(*info, "cacheWrites").value_or(0)};
}

std::optional<Millis> UiLog::time_of(std::uint64_t number, std::uint64_t answers) const {
  if (!is_numbered) {
    return answers < requests.size() ? std::optional(requests[answers].time) : std::nullopt;
  }
  const auto index = static_cast<std::int64_t>(number);
  const auto next = std::ranges::partition_point(
      requests, [&](const Request& request) { return *request.after < index; });
  return next == requests.begin() ? std::nullopt : std::optional(std::prev(next)->time);
}

std::optional<UiLog> parse_ui_log(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  const Result<ParsedJson> parsed = parse_json(repair_json(text, storage, repairs));
  const json::array* messages = parsed ? parsed->value.if_array() : nullptr;
  if (messages == nullptr) return std::nullopt;
  UiLog log{.requests = {}, .is_numbered = true, .usage = {}, .last = {}};
  UsageSum sum;
  for (const json::value& value : *messages) {
    const json::object* object = value.if_object();
    if (object == nullptr || !is_ui_message(*object)) continue;
    const auto time = find_moment(*object, "ts");
    if (time) log.last = std::max(log.last.value_or(*time), *time);
    const auto append_text = find_string(*object, "say");
    if (append_text != "api_req_started" && append_text != "deleted_api_reqs" &&
        append_text != "subagent_usage")
      continue;
    if (const auto usage = parse_request_usage(find_string(*object, "text").value_or(""))) {
      sum.add(*usage);
    }
    if (append_text != "api_req_started" || !time) continue;
    const auto after = find_int(*object, "conversationHistoryIndex");
    const bool is_in_order =
        log.requests.empty() || !log.requests.back().after || *log.requests.back().after <= after;
    log.is_numbered = log.is_numbered && after && is_in_order;
    log.requests.push_back({*time, after});
  }
  log.is_numbered = log.is_numbered && !log.requests.empty();
  log.usage = sum.sum();
  return log;
}

}  // namespace weft::formats::cline
