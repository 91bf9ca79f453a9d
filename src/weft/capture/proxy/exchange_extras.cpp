#include "weft/capture/proxy/exchange_extras.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/json.hpp"
#include "weft/base/utf8.hpp"
#include "weft/capture/proxy/exchange_log.hpp"
#include "weft/formats/framing/framing.hpp"

namespace weft::capture {
namespace {

// Members that hold content, and the tools, which are archived apart.
constexpr std::array<std::string_view, 9> kContentMembers = {
    "messages", "input",   "system", "instructions", "content",
    "output",   "choices", "tools",  "output_text"};

bool is_content(std::string_view key) {
  return std::ranges::find(kContentMembers, key) != kContentMembers.end();
}

json::value parsed(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  Result<ParsedJson> value = parse_json(repair_json(text, storage, repairs));
  return value ? std::move(value->value) : json::value();
}

// Copies the members that hold no content and are not null.
void add_about(json::object& about, const json::object& body) {
  for (const auto& member : body) {
    const std::string_view key(member.key().data(), member.key().size());
    if (is_content(key) || member.value().is_null()) continue;
    const bool is_usage = key == "usage" && member.value().is_object() && about.contains("usage") &&
                          about.at("usage").is_object();
    if (!is_usage) {
      about[key] = member.value();
      continue;
    }
    json::object& usage = about.at("usage").get_object();
    for (const auto& count : member.value().get_object()) usage[count.key()] = count.value();
  }
}

void add_reasons(json::object& about, const json::object& body) {
  const json::array* choices = find_array(body, "choices");
  if (choices == nullptr) return;
  for (const json::value& value : *choices) {
    const json::object* choice = value.if_object();
    const auto reason = choice == nullptr ? std::nullopt : find_string(*choice, "finish_reason");
    if (!reason) continue;
    if (!about.contains("finish_reasons")) about["finish_reasons"] = json::array();
    about.at("finish_reasons").get_array().emplace_back(*reason);
  }
}

// One event of a stream.
void add_event(json::object& about, const json::object& event) {
  const std::string_view type = find_string(event, "type").value_or("");
  if (const json::object* message = find_object(event, "message")) add_about(about, *message);
  if (const json::object* response = find_object(event, "response")) add_about(about, *response);
  if (type == "message_delta") {
    if (const json::object* delta = find_object(event, "delta")) add_about(about, *delta);
    json::object counts;
    if (const json::value* usage = event.if_contains("usage")) counts["usage"] = *usage;
    add_about(about, counts);
  }
  if (event.contains("choices")) {
    add_about(about, event);
    add_reasons(about, event);
  }
}

json::object about_answer(std::string_view response) {
  json::object about;
  const std::size_t first = response.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return about;
  if (response[first] == '{') {
    const json::value value = parsed(response);
    if (!value.is_object()) return about;
    add_about(about, value.get_object());
    add_reasons(about, value.get_object());
    return about;
  }
  const auto framer = formats::sse_framer();
  const formats::OnRecord record = [&](const formats::Record& event) {
    // Nearly all events are deltas: skip them without parsing.
    const bool is_delta = event.text.find("\"content_block_delta\"") != std::string_view::npos ||
                          event.text.find(".delta\"") != std::string_view::npos;
    if (event.stray || is_delta) return;
    const json::value value = parsed(event.text);
    if (value.is_object()) add_event(about, value.get_object());
  };
  const formats::OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
  framer->push(response, record, oversize);
  framer->end(record, oversize);
  return about;
}

std::string_view name_of(std::optional<ExchangeEnd> how) {
  if (!how) return "cut off";
  switch (*how) {
    case ExchangeEnd::complete: return "whole";
    case ExchangeEnd::client_gone: return "the client went away";
    case ExchangeEnd::upstream_gone: return "the upstream went away";
    case ExchangeEnd::not_understood: return "not understood";
  }
  return "cut off";
}

}  // namespace

ExchangeExtras extras_of(const RecordedExchange& recorded, std::string_view request,
                         std::string_view response) {
  ExchangeExtras extras;
  json::object asked;
  const json::value body = parsed(request);
  if (body.is_object()) {
    add_about(asked, body.get_object());
    const json::value* tools = body.get_object().if_contains("tools");
    if (tools != nullptr && tools->is_array()) extras.tools = canonical_json(*tools);
  }
  json::object line{{"timestamp", to_iso8601(recorded.requested_at)},
                    {"ended", to_iso8601(recorded.last_at)},
                    {"target", api_path(recorded.target)},
                    {"status", recorded.status},
                    {"how", name_of(recorded.end)},
                    {"request", std::move(asked)},
                    {"response", about_answer(response)}};
  if (!recorded.request_id.empty()) line["request_id"] = recorded.request_id;
  extras.line = canonical_json(line);
  return extras;
}

}  // namespace weft::capture
