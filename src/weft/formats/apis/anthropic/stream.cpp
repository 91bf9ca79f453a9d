#include "weft/formats/apis/anthropic/stream.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/apis/anthropic/api_block.hpp"
#include "weft/formats/apis/anthropic/exact_json.hpp"
#include "weft/formats/apis/anthropic/requests.hpp"
#include "weft/formats/apis/anthropic/split_surrogates.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Failure;
using EventOutcome = MessageStream::EventOutcome;

constexpr std::string_view kBrokeOff = "the stream broke off";

// The text of a member, as it stands in the event.
std::string member_text(std::string_view event, std::string_view key) {
  std::string_view found;
  for (const JsonPiece& piece : cut_json(event, {})) {
    if (piece.member == key) found = piece.text;
  }
  return std::string(found);
}

void append_to(json::object& block, std::string_view key, std::string_view more) {
  if (more.empty()) return;
  std::string whole(find_string(block, key).value_or(""));
  block[key] = whole.append(more);
}

}  // namespace

transcript::Usage counts_of(const json::object& usage) {
  return {.input = count_in(usage, "input_tokens"),
          .output = count_in(usage, "output_tokens"),
          .cache_read = count_in(usage, "cache_read_input_tokens"),
          .cache_write = count_in(usage, "cache_creation_input_tokens")};
}

transcript::Usage usage_of(const json::object& usage) {
  const json::array* iterations = find_array(usage, "iterations");
  if (iterations == nullptr || iterations->empty()) return counts_of(usage);
  transcript::Usage sum;
  constexpr std::size_t kMost = 10'000;
  for (std::size_t i = 0; i < std::min(iterations->size(), kMost); ++i) {
    const json::object* one = (*iterations)[i].if_object();
    if (one == nullptr) continue;
    const transcript::Usage counts = counts_of(*one);
    sum.input += counts.input;
    sum.output += counts.output;
    sum.cache_read += counts.cache_read;
    sum.cache_write += counts.cache_write;
  }
  return sum;
}

std::optional<Failure> refusal_of(std::string_view stop_reason, const json::value* stop_details) {
  if (stop_reason != "refusal") return std::nullopt;
  Failure failure{.text = std::string(stop_reason)};
  const json::object* details = stop_details == nullptr ? nullptr : stop_details->if_object();
  if (details == nullptr) return failure;
  const auto words = find_string(*details, "explanation");
  if (words && !words->empty()) failure.text = *words;
  failure.details = *stop_details;
  return failure;
}

Failure failure_of(const json::value& error) {
  Failure failure;
  if (const json::object* object = error.if_object()) {
    // {type:"error",error:{…}} around it is no part of it.
    if (const json::value* inner = find_member(*object, "error"); inner && inner->is_object()) {
      return failure_of(*inner);
    }
    failure.text =
        find_string(*object, "message").value_or(find_string(*object, "type").value_or(""));
  }
  if (error.is_string()) failure.text = view(error.get_string());
  if (failure.text.empty()) failure.text = "error";
  if (error.is_object()) failure.details = error;
  return failure;
}

MessageStream::Step MessageStream::push(std::string_view event, const Arrival& came) {
  Step step;
  now_ = came;
  SplitSurrogates halves;
  std::string without, repaired;
  const bool is_delta = event.find("_delta\"") != std::string_view::npos;
  if (is_delta) event = take_halves(event, without, halves);
  const std::string_view text = repair_json(event, repaired, step.repairs);
  const Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_object()) {
    step.outcome = EventOutcome::malformed;
    step.fault = parsed ? "not an object" : parsed.error().message;
    return step;
  }
  step.outcome = read_event(text, *parsed, halves.low, halves.high, step);
  return step;
}

EventOutcome MessageStream::read_event(std::string_view text, const ParsedJson& parsed,
                                       std::uint32_t low, std::uint32_t high, Step& step) {
  const json::object& event = parsed.value.get_object();
  const std::string_view type = find_string(event, "type").value_or("");
  if (type == "ping") return EventOutcome::ping;
  if (type == "message_start") return begin(event, step);
  if (type == "error") return fail(event, step);
  const bool is_known = type == "content_block_start" || type == "content_block_delta" ||
                        type == "content_block_stop" || type == "message_delta" ||
                        type == "message_stop";
  if (!is_known) return EventOutcome::unknown;
  if (is_repeat_) return EventOutcome::duplicate;
  if (!message_) return EventOutcome::stray;
  if (type == "content_block_start") return open_block(event, text, parsed.inexact);
  if (type == "content_block_delta") return read_delta(event, low, high);
  if (type == "content_block_stop") return close_block(event, step);
  if (type == "message_delta") return read_message_delta(event);
  finish(Whole::yes, std::nullopt, step);
  return EventOutcome::part;
}

MessageStream::Step MessageStream::end() const {
  Step step;
  if (!message_) return step;
  MessageStream copy = *this;
  copy.finish(message_->stop_reason ? Whole::yes : Whole::no, std::nullopt, step);
  return step;
}

EventOutcome MessageStream::begin(const json::object& event, Step& step) {
  const json::object* start = find_object(event, "message");
  if (start == nullptr) return EventOutcome::malformed;
  const std::string id = find_id(*start, "id").value_or("");
  // The same message again, perhaps after a pause: further events continue it.
  if (message_ && !id.empty() && message_->id == id) return EventOutcome::duplicate;
  if (message_) finish(message_->stop_reason ? Whole::yes : Whole::no, std::nullopt, step);
  const std::uint64_t hash = hash_of(id);
  is_repeat_ = !id.empty() && std::ranges::find(ids_, hash) != ids_.end();
  if (is_repeat_) return EventOutcome::duplicate;
  if (!id.empty()) ids_.push_back(hash);
  if (ids_.size() > kMostIds) ids_.pop_front();

  message_ = Message{.id = id, .model = find_id(*start, "model").value_or("")};
  read_usage(*start);
  if (const auto reason = find_string(*start, "stop_reason")) message_->stop_reason = *reason;
  if (const json::value* details = find_member(*start, "stop_details")) {
    message_->stop_details = *details;
  }
  // Some blocks begin with their whole content.
  const json::array* content = find_array(*start, "content");
  if (content == nullptr) return EventOutcome::part;
  for (std::size_t i = 0; i < std::min(content->size(), kMostBlocks); ++i) {
    emit_block(static_cast<std::uint32_t>(i), parse_api_block((*content)[i]), now_, step);
  }
  return EventOutcome::part;
}

EventOutcome MessageStream::open_block(const json::object& event, std::string_view text,
                                       bool inexact) {
  const json::value* block = find_member(event, "content_block");
  const auto index = find_int(event, "index");
  if (block == nullptr || !index || *index < 0 ||
      *index >= std::numeric_limits<std::uint32_t>::max()) {
    return EventOutcome::malformed;
  }
  if (open_.size() >= kMostBlocks) return EventOutcome::too_large;
  Open open{.index = static_cast<std::uint32_t>(*index),
            .start = inexact ? member_text(text, "content_block") : exact_text(*block)};
  if (pending_ + open.start.size() > kMaxRecordBytes) return EventOutcome::too_large;
  open.came.from = now_.from;
  pending_ += open.start.size();
  open_.push_back(std::move(open));
  return EventOutcome::part;
}

MessageStream::Open* MessageStream::find_open(const json::object& event) {
  const auto index = find_int(event, "index");
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& open) {
    return index && std::int64_t{open.index} == *index && !open.is_done;
  });
  return found == open_.rend() ? nullptr : &*found;
}

EventOutcome MessageStream::read_delta(const json::object& event, std::uint32_t low,
                                       std::uint32_t high) {
  Open* open = find_open(event);
  const json::object* delta = find_object(event, "delta");
  if (open == nullptr || delta == nullptr) return EventOutcome::malformed;
  const std::string_view type = find_string(*delta, "type").value_or("");
  const auto member = [&](std::string_view key) { return find_string(*delta, key).value_or(""); };
  const auto room_for = [&](std::size_t bytes) {
    if (pending_ + bytes > kMaxRecordBytes) return false;
    pending_ += bytes;
    return true;
  };
  if (type == "text_delta" || type == "thinking_delta") {
    const std::string_view words = member(type == "text_delta" ? "text" : "thinking");
    if (!room_for(words.size())) return EventOutcome::too_large;
    append_halves(open->text, std::exchange(open->half, high), low);
    open->text += words;
  } else if (type == "input_json_delta") {
    if (!room_for(member("partial_json").size())) return EventOutcome::too_large;
    open->input += member("partial_json");
  } else if (type == "signature_delta") {
    // A new one comes in pieces; a repeated one comes whole.
    const std::string_view piece = member("signature");
    if (!room_for(piece.size())) return EventOutcome::too_large;
    std::string& signature = open->signature ? *open->signature : open->signature.emplace();
    if (piece.starts_with(signature)) signature.clear();
    signature += piece;
  } else if (type == "citations_delta") {
    const json::value* citation = find_member(*delta, "citation");
    if (citation == nullptr) return EventOutcome::malformed;
    const std::string json = exact_text(*citation);
    if (!room_for(json.size() + 1)) return EventOutcome::too_large;
    open->citations.append(open->citations.empty() ? "" : ",").append(json);
  } else if (type == "compaction_delta") {
    if (!room_for(member("content").size() + member("encrypted_content").size())) {
      return EventOutcome::too_large;
    }
    open->compaction += member("content");
    open->encrypted += member("encrypted_content");
  } else {
    return EventOutcome::unknown;
  }
  return EventOutcome::part;
}

EventOutcome MessageStream::close_block(const json::object& event, Step& step) {
  Open* open = find_open(event);
  if (open == nullptr) return EventOutcome::stray;
  open->is_done = true;
  open->came.to = now_.to;
  emit_done(step);
  return EventOutcome::part;
}

EventOutcome MessageStream::read_message_delta(const json::object& event) {
  read_usage(event);
  const json::object* delta = find_object(event, "delta");
  if (delta == nullptr) return EventOutcome::part;
  if (const auto reason = find_string(*delta, "stop_reason")) message_->stop_reason = *reason;
  const json::value* details = find_member(*delta, "stop_details");
  if (details != nullptr && !details->is_null()) message_->stop_details = *details;
  return EventOutcome::part;
}

// Counts are totals: each replaces the one before.
void MessageStream::read_usage(const json::object& holder) {
  const json::object* usage = find_object(holder, "usage");
  if (usage == nullptr) return;
  constexpr std::size_t kMostMembers = 64;
  for (const auto& member : *usage) {
    if (member.value().is_null() || message_->usage.size() >= kMostMembers) continue;
    message_->usage[member.key()] = member.value();
  }
}

EventOutcome MessageStream::fail(const json::object& event, Step& step) {
  const json::value* error = find_member(event, "error");
  Failure failure = failure_of(error == nullptr ? json::value(event) : *error);
  if (message_) {
    finish(Whole::no, std::move(failure), step);
  } else {
    step.ended.push_back({.failure = std::move(failure)});
  }
  return EventOutcome::part;
}

void MessageStream::emit_block(std::uint32_t index, ParsedBlock block, const Arrival& came,
                               Step& step) {
  message_->next_index = std::max(message_->next_index, index + 1);
  // A text begins empty: alone that is nothing.
  const auto* text = std::get_if<transcript::Text>(&block.body);
  if (text != nullptr && text->text.empty() && text->citations.empty()) return;
  step.blocks.push_back(
      {message_->id, message_->model, index, std::move(block.body), came, std::move(block.extra)});
}

void MessageStream::finish(Whole whole, std::optional<Failure> failure, Step& step) {
  for (Open& open : open_) {
    open.is_done = open.is_done || whole == Whole::yes;
    if (!open.came.to) open.came.to = now_.to;
  }
  emit_done(step);
  // Finished blocks behind an unfinished one are emitted with it.
  for (const Open& open : open_) emit_block(open.index, whole_of(open), open.came, step);
  open_.clear();
  pending_ = 0;
  StreamedMessage ended{.id = std::move(message_->id),
                        .model = std::move(message_->model),
                        .stop_reason = std::move(message_->stop_reason),
                        .failure = std::move(failure),
                        .next_index = message_->next_index};
  if (!message_->usage.empty()) {
    ended.usage = usage_of(message_->usage);
    ended.request = request_of({{"id", ended.id}, {"model", ended.model}}, message_->usage);
    ended.request.tokens = all_tokens_of(message_->usage);
  }
  if (!ended.failure && whole == Whole::no) ended.failure = Failure{.text = std::string(kBrokeOff)};
  if (!ended.failure) {
    ended.failure = refusal_of(ended.stop_reason.value_or(""), &message_->stop_details);
  }
  message_.reset();
  step.ended.push_back(std::move(ended));
}

void MessageStream::emit_done(Step& step) {
  while (!open_.empty() && open_.front().is_done) {
    const Open& open = open_.front();
    pending_ -= std::min(pending_, size_of(open));
    emit_block(open.index, whole_of(open), open.came, step);
    open_.pop_front();
  }
}

std::size_t MessageStream::size_of(const Open& open) {
  return open.start.size() + open.text.size() + open.input.size() + open.citations.size() +
         open.compaction.size() + open.encrypted.size() + open.signature.value_or("").size();
}

// The block with the content of its deltas.
ParsedBlock MessageStream::whole_of(const Open& open) {
  const Result<ParsedJson> start = parse_json(open.start);
  if (!start || start->inexact) {
    return {.body = unknown_from_text(start ? start->value : json::value(), open.start)};
  }
  if (!start->value.is_object()) return parse_api_block(start->value);
  json::object block = start->value.get_object();
  const bool is_thinking = find_string(block, "type") == "thinking";
  std::string text = open.text;
  append_halves(text, open.half, 0);
  append_to(block, is_thinking ? "thinking" : "text", text);
  append_to(block, "content", open.compaction);
  append_to(block, "encrypted_content", open.encrypted);
  if (open.signature) block["signature"] = *open.signature;
  if (!open.citations.empty()) {
    if (const auto citations = parse_json("[" + open.citations + "]")) {
      json::array all;
      if (const json::array* before = find_array(block, "citations")) all = *before;
      for (const json::value& citation : citations->value.get_array()) all.push_back(citation);
      block["citations"] = std::move(all);
    }
  }
  if (open.input.find_first_not_of(" \t\r\n") != std::string::npos) {
    std::string repaired;
    std::size_t repairs = 0;
    const std::string_view input = repair_json(open.input, repaired, repairs);
    const Result<ParsedJson> parsed = parse_json(input);
    if (parsed && parsed->inexact) {
      block.erase("input");
      std::string whole = exact_text(block);
      whole.insert(whole.size() - 1, ",\"input\":" + std::string(input));
      return {.body = unknown_from_text(block, whole)};
    }
    // Cut off, it is kept as text.
    block["input"] = parsed ? parsed->value : json::value(json::string(input));
  }
  ParsedBlock parsed = parse_api_block(block);
  if (auto* thinking = std::get_if<transcript::Thinking>(&parsed.body)) {
    thinking->cut_off = !open.is_done && !thinking->signature;
  }
  return parsed;
}

}  // namespace weft::formats::anthropic
