// Reads the bodies of a log: requests, responses, pairs, batches, messages, streams.
#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/anthropic_messages/message_log.hpp"
#include "weft/formats/apis/anthropic/api_block.hpp"
#include "weft/formats/apis/anthropic/message_blocks.hpp"
#include "weft/formats/apis/anthropic/requests.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Author;
using transcript::Role;

bool is_empty_list(std::string_view text) {
  if (text == "null" || text == "\"\"") return true;
  return text.starts_with('[') && text.find_first_not_of(kBlanks, 1) == text.size() - 1 &&
         text.ends_with(']');
}

std::vector<std::string> tool_names(const LoggedBody& request) {
  constexpr std::size_t kMost = 2000;
  std::vector<std::string> names;
  for (const LoggedBody& tool : request.elements("tools")) {
    if (names.size() == kMost) break;
    if (auto name = tool.string("name")) names.push_back(std::move(*name));
  }
  return names;
}

// Tools beyond this are known by name alone: what is kept of a conversation is read often.
constexpr std::size_t kMaxToolBytes = 1u << 20;

json::array tool_definitions(const LoggedBody& request) {
  const std::string_view text = request.get("tools");
  const Result<ParsedJson> parsed =
      text.size() <= kMaxToolBytes ? parse_json(text) : fail(ErrorCode::invalid_input, "too large");
  if (!parsed || parsed->inexact || !parsed->value.is_array()) return {};
  json::array tools = parsed->value.get_array();
  for (json::value& tool : tools) {
    if (json::object* object = tool.if_object()) object->erase("cache_control");
  }
  return tools;
}

// A system prompt of several parts: which of them each is, so that a later one takes its place.
void number_parts(std::vector<Section::Item>& items) {
  if (items.size() < 2) return;
  for (Section::Item& item : items) {
    json::object extra = std::move(item.block.extra).value_or(json::object());
    extra["part"] = item.index;
    extra["parts"] = items.back().index + 1;
    item.block.extra = std::move(extra);
  }
}

// The session that a request says it is of: Claude Code names it at the end of "user_id", or in the
// object that stands there as a text.
std::string session_of(const LoggedBody& request) {
  const std::string user = request.inner("metadata").string("user_id").value_or("");
  if (user.starts_with('{')) return LoggedBody(user, 0).id("session_id").value_or("");
  constexpr std::string_view kMark = "_session_";
  const std::size_t at = user.rfind(kMark);
  return at == std::string::npos ? std::string() : user.substr(at + kMark.size());
}

std::uint32_t count_of(const std::vector<Section::Item>& items) {
  return items.empty() ? 0 : items.back().index + 1;
}

}  // namespace

MessageLog::MessageLog(const SourceInfo& info)
    : history_({.format = std::string(kMessagesName),
                .family = "anthropic",
                .program = "anthropic-api",
                .provider = "anthropic"},
               info.project, info.most_marks == 0 ? RequestHistory::kMostMarks : info.most_marks),
      model_(info.model) {}

bool MessageLog::read_stream(const Record& record, std::uint64_t number, transcript::Sink& sink) {
  const Place place{.record = "#" + std::to_string(number), .time = {}, .raw = record.text};
  body_.reset();
  if (record.stray) {
    sink.skip({record.line, "malformed: stands outside of the log"});
    return true;
  }
  if (!begins_as_event(record.text)) body_.emplace(record.text, record.line);
  if (!body_ || shape_of(*body_) == Shape::event) {
    read_event(record.text, record.line, place, sink);
    return true;
  }
  if (body_->text() != "[DONE]") return false;
  sink.skip({record.line, "end of stream"});
  return true;
}

bool MessageLog::read(const JsonRecord& record, transcript::Sink& sink) {
  const bool is_repaired = record.text.data() != record.raw.data();
  const LoggedBody body = is_repaired ? LoggedBody(record.text, record.line) : std::move(*body_);
  if (body.members().empty()) return false;
  read_body(body, {.record = record.counted(), .time = {}, .raw = record.raw}, sink);
  return true;
}

void MessageLog::read_body(const LoggedBody& body, const Place& place, transcript::Sink& sink) {
  switch (shape_of(body)) {
    case Shape::event: read_event(body.text(), body.line(), place, sink); break;
    case Shape::response: read_response(body, place, sink); break;
    case Shape::request:
      if (!read_request(body, place, sink)) sink.skip({body.line(), "duplicate"});
      break;
    case Shape::pair: read_pair(body, place, sink); break;
    case Shape::batch: read_batch(body, place, sink); break;
    case Shape::message: read_message(body, place, sink); break;
    case Shape::other: sink.skip({body.line(), "no message"}); break;
  }
}

void MessageLog::emit_failure(transcript::Failure failure, std::string_view source_id,
                              std::uint32_t index, const Place& place, transcript::Sink& sink) {
  history_.emit({.block = {.author = Author::program,
                           .body = std::move(failure),
                           .source_id = std::string(source_id),
                           .index = index,
                           .recorded = place.came.to ? place.came.to : place.time},
                 .counted = source_id == place.record},
                sink);
}

std::optional<Section> MessageLog::section_of(const LoggedBody& body, const Place& place,
                                              transcript::Sink& sink) {
  const auto label = body.string("role");
  const auto role = label ? role_of(*label) : std::nullopt;
  if (!role) {
    sink.skip({body.line(), label ? "malformed: unknown role" : "malformed: no role"});
    return std::nullopt;
  }
  Section section{.role = *role, .model = body.id("model"), .message_id = body.id("id")};
  if (!section.model) section.model = model_;
  section.sent_as = label;
  section.recorded = time_of(body) ? time_of(body) : place.time;
  const LoggedBody content = body.inner("content");
  if (!is_empty_list(content.text())) {
    section.items = parse_content(content.text(), content.line(), sink, parse_api_block);
  }
  return section;
}

void MessageLog::read_response(const LoggedBody& body, const Place& place, transcript::Sink& sink) {
  std::optional<Section> section = section_of(body, place, sink);
  if (!section) return;
  const auto id = section->message_id;
  const std::uint64_t hash = id ? hash_of(*id) : 0;
  if (id && std::ranges::find(ids_, hash) != ids_.end()) {
    sink.skip({body.line(), "duplicate"});
    return;
  }
  if (id) ids_.push_back(hash);
  if (ids_.size() > kMostIds) ids_.pop_front();

  const std::string source = id.value_or(place.record);
  const std::uint32_t count = count_of(section->items);
  std::vector<Placed> blocks = placed_blocks(std::move(*section), source, !id, 0);
  for (Placed& one : blocks) {
    if (one.block.start || !place.came.from) continue;
    one.block.start = place.came.from;
    one.block.stop = place.came.to;
  }
  const Result<ParsedJson> details = parse_json(body.get("stop_details"));
  auto failure =
      refusal_of(body.string("stop_reason").value_or(""), details ? &details->value : nullptr);
  if (blocks.empty() && !failure) {
    sink.skip({body.line(), "empty"});
    return;
  }
  history_.resume({.name = id ? *id : session_from(place.raw)}, sink);
  for (Placed& one : blocks) history_.emit(std::move(one), sink);
  if (failure) emit_failure(std::move(*failure), source, count, place, sink);
  const Result<ParsedJson> usage = parse_json(body.get("usage"));
  if (usage && usage->value.is_object()) {
    const json::object& counts = usage->value.get_object();
    history_.add_usage(usage_of(counts), sink);
    transcript::Request request = request_of({}, counts);
    request.message_id = source;
    request.model = body.string("model").value_or("");
    request.tokens = all_tokens_of(counts);
    request.time = place.came.to;
    sink.request(request);
  }
}

bool MessageLog::read_request(const LoggedBody& body, const Place& place, transcript::Sink& sink) {
  std::vector<Placed> prompts, blocks;
  std::uint32_t next = 0;
  const auto model = body.id("model");
  const auto add = [&](Section section, std::vector<Placed>& to) {
    if (!section.model) section.model = model ? model : model_;
    const std::uint32_t count = count_of(section.items);
    std::vector<Placed> placed = placed_blocks(std::move(section), place.record, true, next);
    next += count;
    std::ranges::move(placed, std::back_inserter(to));
  };
  if (const LoggedBody system = body.inner("system");
      !system.text().empty() && !is_empty_list(system.text())) {
    Section section{.role = Role::system, .recorded = place.time};
    section.items = parse_content(system.text(), system.line(), sink, parse_api_block);
    number_parts(section.items);
    add(std::move(section), prompts);
  }
  for (const LoggedBody& message : body.elements("messages")) {
    if (next > kMaxBlocks) {
      sink.skip({message.line(), "too large: more than " + std::to_string(kMaxBlocks) + " blocks"});
      break;
    }
    if (auto section = section_of(message, place, sink)) {
      if (!message.has("model")) section->model.reset();
      add(std::move(*section), blocks);
    }
  }
  const bool has_news =
      history_.restate(std::move(prompts), std::move(blocks),
                       {.name = session_from(place.raw), .lineage = session_of(body)}, sink);
  if (!has_news) return false;
  transcript::Facts facts;
  facts.tools = tool_names(body);
  if (!facts.tools.empty()) facts.tool_definitions = tool_definitions(body);
  facts.account = body.inner("metadata").string("user_id");
  history_.note(facts, sink);
  return true;
}

std::uint64_t MessageLog::beginning_of(std::string_view request) {
  const LoggedBody body(request, 1);
  MessageLog log({});
  transcript::Collector nobody;
  const std::uint64_t seed = seed_of({.name = {}, .lineage = session_of(body)});
  std::vector<Placed> blocks;
  for (const LoggedBody& message : body.elements("messages")) {
    auto section = log.section_of(message, {.record = {}, .time = {}, .raw = {}}, nobody);
    if (!section) continue;
    std::ranges::move(placed_blocks(std::move(*section), "", true, 0), std::back_inserter(blocks));
    // All of a long history is not needed to see how it begins.
    const bool is_begun = std::ranges::any_of(blocks, [](const Placed& one) {
      return one.block.author == Author::human || one.block.author == Author::tool;
    });
    if (is_begun) break;
  }
  return formats::beginning_of(seed, blocks);
}

void MessageLog::read_pair(const LoggedBody& body, const Place& place, transcript::Sink& sink) {
  Place timed = place;
  timed.time = time_of(body);
  const LoggedBody outer = body.inner("request");
  const LoggedBody request = outer.has_object("body") ? outer.inner("body") : outer;
  bool is_emitted = false;
  if (request.has_array("messages")) is_emitted = read_request(request, timed, sink);
  if (body.has("response") && body.get("response") != "null") {
    read_answer(body, timed, sink);
  } else if (const LoggedBody error = body.inner("error"); !error.members().empty()) {
    const Result<ParsedJson> parsed = parse_json(error.text());
    history_.resume({.name = session_from(place.raw)}, sink);
    emit_failure(failure_of(parsed ? parsed->value : json::value()), timed.record, kBehindBlocks,
                 timed, sink);
  } else if (!is_emitted) {
    sink.skip({body.line(), request.has_array("messages") ? "duplicate" : "no message"});
  }
}

// The response of a pair: a body, perhaps with the status around it, the events of a stream, or
// the text of either.
void MessageLog::read_answer(const LoggedBody& pair, const Place& place, transcript::Sink& sink) {
  const LoggedBody outer = pair.inner("response");
  const Result<ParsedJson> times = parse_json(outer.get("times"));
  const ArrivalTimes arrivals = times ? ArrivalTimes(times->value) : ArrivalTimes();
  Place timed = place;
  timed.came = arrivals.all();
  const std::string_view key = outer.has("body") ? "body" : "response";
  const LoggedBody& holder = outer.has("body") ? outer : pair;
  const LoggedBody answer = holder.inner(key);
  if (!answer.members().empty()) {
    read_body(answer, timed, sink);
    return;
  }
  const std::vector<LoggedBody> events = holder.elements(key);
  for (const LoggedBody& event : events) read_event(event.text(), event.line(), timed, sink);
  if (const auto text = holder.string(key)) {
    if (trim(*text).starts_with('{')) {
      read_body(LoggedBody(*text, answer.line()), timed, sink);
    } else {
      read_events(*text, answer.line(), arrivals, timed, sink);
    }
  } else if (events.empty()) {
    sink.skip({answer.line(), "no message"});
    return;
  }
  // The next pair has nothing to do with it.
  emit_step(stream_.end(), timed, sink);
  stream_ = {};
}

void MessageLog::read_batch(const LoggedBody& body, const Place& place, transcript::Sink& sink) {
  const LoggedBody result = body.inner("result");
  const std::string type = result.string("type").value_or("");
  if (const LoggedBody message = result.inner("message"); !message.members().empty()) {
    history_.begin({.name = message.id("id").value_or(session_from(place.raw))});
    read_response(message, place, sink);
  } else if (type == "errored") {
    const Result<ParsedJson> error = parse_json(result.get("error"));
    history_.begin({.name = session_from(place.raw)});
    emit_failure(failure_of(error ? error->value : json::value()), place.record, 0, place, sink);
  } else {
    sink.skip({body.line(), type == "canceled" || type == "expired" ? type : "no message"});
  }
}

void MessageLog::read_message(const LoggedBody& body, const Place& place, transcript::Sink& sink) {
  std::optional<Section> section = section_of(body, place, sink);
  if (!section) return;
  std::vector<Placed> blocks = placed_blocks(std::move(*section), place.record, true, 0);
  if (blocks.empty()) {
    sink.skip({body.line(), "empty"});
    return;
  }
  history_.resume({.name = session_from(place.raw)}, sink);
  for (Placed& one : blocks) history_.emit(std::move(one), sink);
}

void MessageLog::archive(StateArchive& a) {
  a.field("history", history_);
  a.field("stream", stream_);
  a.field("stream_record", stream_record_);
  a.field("stream_name", stream_name_);
  a.hashes("ids", ids_, kMostIds);
}

}  // namespace weft::formats::anthropic
