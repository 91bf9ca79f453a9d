#include "weft/formats/adapters/gemini/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/gemini/places.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {

using transcript::Facts;
using transcript::Sink;

void SessionReader::read_record(JsonRecord record, Sink& sink) {
  if (!record.member.empty()) {
    read_member(record, sink);
    return;
  }
  const json::object* object = record.object();
  if (object == nullptr) {
    sink.skip({record.line, "malformed: not an object"});
    return;
  }
  if (const auto id = find_string(*object, "$rewindTo")) {
    read_rewind(*id, record.line, sink);
  } else if (is_message(*object)) {
    if (record.parsed.inexact) {
      read_unknown(record, sink);
      return;
    }
    const std::string_view reason = read_message(*object, record, Restated::no, sink);
    if (!reason.empty()) sink.skip({record.line, std::string(reason)});
  } else if (const json::object* changes = find_object(*object, "$set")) {
    if (!read_metadata(*changes, record, sink)) sink.skip({record.line, "internal"});
  } else if (object->contains("sessionId") || object->contains("projectHash")) {
    if (!read_metadata(*object, record, sink)) sink.skip({record.line, "internal"});
  } else {
    read_unknown(record, sink);
  }
}

void SessionReader::read_member(const JsonRecord& record, Sink& sink) {
  constexpr std::array<std::string_view, 4> kPlain = {"projectHash", "startTime", "start_time",
                                                      "messages"};
  json::object metadata;
  metadata[record.member] = record.parsed.value;
  if (read_metadata(metadata, record, sink)) return;
  const bool is_known = std::ranges::find(kPlain, record.member) != kPlain.end();
  sink.skip({record.line, is_known ? "internal" : "unmapped member"});
}

std::optional<std::string_view> SessionReader::find_whole(std::string_view text) const {
  static constexpr std::array<std::string_view, 4> kBeginnings = {
      "{\"id\":\"", "{\"$set\":", "{\"$rewindTo\":", "{\"sessionId\":"};
  const auto found = find_glued(text, kBeginnings);
  if (!found || !found->starts_with(kBeginnings[0])) return found;
  // What is in a list of messages that was cut off is no line of its own; and the calls of a
  // message begin like one.
  const char before = found->data()[-1];
  if (!text.starts_with(kBeginnings[0]) && (before == '[' || before == ',')) return std::nullopt;
  const Result<ParsedJson> parsed = parse_json(*found);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const bool is_whole =
      object != nullptr && object->contains("timestamp") && object->contains("type");
  return is_whole ? found : std::nullopt;
}

void SessionReader::read_rewind(std::string_view id, std::uint64_t line, Sink& sink) {
  const auto turn = trail_.rewind(id);
  if (!builder_.turn().empty()) builder_.follow(turn.value_or(builder_.turn()));
  sink.skip({line, "rewind"});
}

bool SessionReader::read_metadata(const json::object& metadata, const JsonRecord& record,
                                  Sink& sink) {
  bool is_of_use = false;
  if (const auto id = find_id(metadata, "sessionId"); id && session_.empty()) {
    session_ = *id;
    is_of_use = true;
  }
  if (const auto kind = find_string(metadata, "kind")) {
    is_subagent_ = is_subagent_ || *kind == "subagent";
    is_of_use = true;
  }
  if (const auto summary = find_string(metadata, "summary"); summary && !summary->empty()) {
    if (builder_.set_title(TurnBuilder::Title::made, *summary, sink)) {
      builder_.note({.summary = std::string(slice_code_points(*summary, 0, kLongest))}, sink);
    }
    is_of_use = true;
  }
  if (const json::array* folders = find_array(metadata, "directories")) {
    is_of_use = true;
    if (!folders->empty() && (*folders)[0].is_string()) {
      set_folder(view((*folders)[0].get_string()), sink);
    }
  }
  if (const auto updated = find_string(metadata, "lastUpdated")) {
    if (const auto time = parse_iso8601(*updated)) {
      builder_.note({.updated_at = time}, sink);
      is_of_use = true;
    }
  }
  if (const json::array* messages = find_array(metadata, "messages")) {
    for (const json::value& message : *messages) {
      const json::object* object = message.if_object();
      if (object == nullptr || !is_message(*object)) continue;
      is_of_use = read_message(*object, record, Restated::yes, sink).empty() || is_of_use;
    }
  }
  return is_of_use;
}

// In a history that is restated, whatever is not remembered is either new or too old to be.
bool SessionReader::is_old_news(const Message& message) const {
  if (!message.id) return false;
  if (trail_.find(*message.id)) return true;
  return trail_.has_forgotten() && message.time && newest_ && *message.time < *newest_;
}

std::string_view SessionReader::read_message(const json::object& object, const JsonRecord& record,
                                             Restated restated, Sink& sink) {
  Message message = parse_message(object, is_subagent_ ? People::no : People::yes);
  if (restated == Restated::yes && is_old_news(message)) return "duplicate";
  if (!message.model) message.model = info_.model;
  if (message.is_cut_short) {
    sink.skip(
        {record.line, "too large: more than " + std::to_string(google::kMostParts) + " blocks"});
  }
  const std::string place = message.id ? *message.id : nameless();
  const auto stands_in = trail_.find(place);
  if (message.time) newest_ = std::max(*message.time, newest_.value_or(*message.time));
  std::string_view reason = drop_repeats(message, place);
  const bool is_empty = reason == "empty";
  if (reason.empty()) {
    begin(record.raw, sink);
    emit_facts(message, sink);
    const bool is_late = stands_in && *stands_in != builder_.turn();
    if (is_late) emit_late(message, place, *stands_in, sink);
    else emit(message, place, sink);
    for (const Message::Delegation& one : message.delegations) {
      sink.spawned({.call_id = one.call_id, .agent = one.agent});
    }
  }
  if (message.usage && builder_.has_begun()) {
    const transcript::Usage before = usage_.sum();
    usage_.add(counted_.add(hash_of(place), *message.usage));
    if (usage_.sum() != before) {
      builder_.note({.usage = usage_.sum()}, sink);
      transcript::Request request = to_request(*message.usage, CachedInput::included);
      request.message_id = place;
      request.model = message.model.value_or("");
      request.time = message.time;
      sink.request(request);
      reason = "";
    }
  }
  // One that is still empty stands nowhere yet.
  if (!is_empty) trail_.add(place, builder_.turn());
  return reason;
}

// What stands there already as it is, and answers that the call's own message had.
std::string_view SessionReader::drop_repeats(Message& message, const std::string& place) {
  if (message.pieces.empty()) return "empty";
  const bool is_persons = message.from == Message::From::person;
  Recent& own = is_persons ? replied_ : answered_;
  const Recent& others = is_persons ? answered_ : replied_;
  std::erase_if(message.pieces, [&](const Message::Piece& piece) {
    const auto* result = std::get_if<transcript::ToolResult>(&piece.block.body);
    return result != nullptr && !result->call_id.empty() && others.has(result->call_id);
  });
  if (message.pieces.empty()) return "mirror";
  std::vector<bool> is_repeat;
  for (const Message::Piece& piece : message.pieces) {
    std::string print = place + " " + std::to_string(piece.index) + " ";
    anthropic::append_block(
        print, {.author = piece.block.author, .body = piece.block.body, .source_id = {}},
        anthropic::WithModel::no);
    is_repeat.push_back(!emitted_.add(print));
    if (is_repeat.back()) continue;
    const auto* result = std::get_if<transcript::ToolResult>(&piece.block.body);
    if (result != nullptr && !result->call_id.empty()) own.add(result->call_id);
  }
  if (std::ranges::find(is_repeat, false) == is_repeat.end()) return "duplicate";
  // A prompt is emitted whole: its parts decide together who the author is.
  if (is_persons) return {};
  std::size_t i = 0;
  std::erase_if(message.pieces, [&](const Message::Piece&) { return is_repeat[i++]; });
  return {};
}

}  // namespace weft::formats::gemini
