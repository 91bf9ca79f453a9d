#include "weft/formats/adapters/qwen/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/google/parts.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::qwen {

using transcript::Author;
using transcript::Sink;

void SessionReader::read_record(JsonRecord record, Sink& sink) {
  const json::object* object = record.object();
  if (object == nullptr) {
    sink.skip({record.line, "malformed: not an object"});
    return;
  }
  const Entry entry = parse_entry(*object);
  settle(entry);
  const Fingerprint fingerprint =
      entry.uuid ? fingerprint_of(*entry.uuid, record.text) : Fingerprint();
  if (entry.uuid && window_.seen(fingerprint) == EntryWindow::Seen::same) {
    sink.skip({record.line, "duplicate"});
    return;
  }
  Reading reading;
  if (record.parsed.inexact) {
    reading.blocks.push_back(
        {Author::program, anthropic::unknown_from_text(record.parsed.value, record.text)});
  } else {
    reading = read_entry(entry, agent_.empty() ? People::yes : People::no);
  }
  if (reading.is_cut_short) {
    sink.skip(
        {record.line, "too large: more than " + std::to_string(google::kMostParts) + " blocks"});
  }
  if (is_echo(reading)) {
    reading.blocks.clear();
    reading.skip = "mirror";
  }
  const bool has_facts = read_facts(entry, reading, sink);
  if (!reading.blocks.empty()) {
    emit(entry, fingerprint, std::move(reading), record, sink);
    return;
  }
  const bool has_usage = count_usage(entry, entry.uuid.value_or(record.counted()), sink);
  if (!has_facts && !has_usage) sink.skip({record.line, std::string(reading.skip)});
  set_position(entry, fingerprint, parent_of(entry, fingerprint));
}

std::optional<std::string_view> SessionReader::find_whole(std::string_view text) const {
  static constexpr std::array<std::string_view, 2> kBeginnings = {"{\"uuid\":\"",
                                                                  "{\"parentUuid\":"};
  return find_glued(text, kBeginnings);
}

// The first record says what the file is.
void SessionReader::settle(const Entry& entry) {
  if (session_.empty() && entry.session) session_ = *entry.session;
  if (is_settled_) return;
  is_settled_ = true;
  if (entry.is_sidechain && entry.agent) agent_ = *entry.agent;
}

bool SessionReader::read_facts(const Entry& entry, const Reading& reading, Sink& sink) {
  bool is_of_use = false;
  if (reading.title && !reading.title->empty()) {
    builder_.set_title(TurnBuilder::Title::chosen, *reading.title, sink);
    is_of_use = true;
  }
  if (!reading.tools.empty()) {
    transcript::Facts facts;
    facts.tools = reading.tools;
    builder_.note(facts, sink);
    is_of_use = true;
  }
  if (reading.parent && spawned_by_.empty()) {
    spawned_by_ = *reading.parent;
    if (builder_.has_begun()) {
      builder_.resume(sink);
      sink.origin({.kind = transcript::Origin::Kind::spawned, .session_id = spawned_by_});
    }
    is_of_use = true;
  }
  const json::object* fork = find_object(entry.object, "forkedFrom");
  const auto from = fork == nullptr ? std::nullopt : find_id(*fork, "sessionId");
  if (from && forked_from_.empty() && *from != session_) {
    forked_from_ = *from;
    if (builder_.has_begun()) {
      builder_.resume(sink);
      sink.origin({.kind = transcript::Origin::Kind::continued, .session_id = forked_from_});
    }
  }
  return is_of_use;
}

// A command that went to the model is there twice: as it was typed, and as it was sent.
bool SessionReader::is_echo(const Reading& reading) const {
  if (words_ == 0 || reading.blocks.size() != 1) return false;
  const auto* text = std::get_if<transcript::Text>(&reading.blocks[0].body);
  return text != nullptr && reading.blocks[0].author == Author::human &&
         text->text.starts_with('/') && hash_of(text->text) == words_;
}

TreePosition SessionReader::parent_of(const Entry& entry, Fingerprint fingerprint) const {
  // A second line of the same record follows the first.
  if (entry.uuid) {
    if (const TreePosition* position = window_.find(fingerprint)) return *position;
  }
  if (entry.follows == Entry::Follows::nothing) return {};
  if (entry.follows == Entry::Follows::named) {
    if (const TreePosition* position = window_.find(entry.parent)) return *position;
  }
  return tip_;  // the parent may be in another file, or long ago
}

void SessionReader::set_position(const Entry& entry, Fingerprint fingerprint,
                                 TreePosition position) {
  if (entry.uuid) window_.add(*entry.uuid, fingerprint, position);
  tip_ = std::move(position);
}

void SessionReader::emit(const Entry& entry, Fingerprint fingerprint, Reading reading,
                         const JsonRecord& record, Sink& sink) {
  const TreePosition parent = parent_of(entry, fingerprint);
  begin(record.raw, sink);
  emit_circumstances(entry, reading, sink);
  if (last_emitted_ != 0 && parent.content != last_emitted_) builder_.follow(parent.turn);
  // A name that stands for another record already cannot be a place a second time, unless
  // this continues it.
  std::string place = entry.uuid.value_or(record.counted());
  const bool goes_on = entry.uuid && place == last_place_;
  if (!goes_on && entry.uuid && window_.find(fingerprint) != nullptr) place = record.counted();
  RecordContent record_content{.place = place,
                               .is_prompt = reading.is_prompt,
                               .is_answer = reading.is_answer,
                               .time = entry.time,
                               .model = entry.model ? entry.model : info_.model,
                               .first_index = goes_on ? next_index_ : 0};
  next_index_ = record_content.first_index + static_cast<std::uint32_t>(reading.blocks.size());
  last_place_ = place;
  const std::vector<transcript::Spawned> spawned = spawned_in(reading.blocks);
  record_content.blocks = std::move(reading.blocks);
  builder_.emit(std::move(record_content), sink);
  for (const transcript::Spawned& one : spawned) sink.spawned(one);
  count_usage(entry, place, sink);
  last_emitted_ = record.number;
  set_position(entry, fingerprint, {record.number, builder_.turn()});
}

bool SessionReader::count_usage(const Entry& entry, const std::string& place, Sink& sink) {
  const auto usage = usage_of(entry);
  if (!usage || !builder_.has_begun()) return false;
  const transcript::Usage before = usage_.sum();
  usage_.add(counted_.add(hash_of(place), *usage));
  if (usage_.sum() == before) return false;
  builder_.note({.usage = usage_.sum()}, sink);
  transcript::Request request = to_request(*usage, CachedInput::included);
  request.message_id = place;
  request.model = entry.model ? *entry.model : info_.model.value_or("");
  request.time = entry.time;
  sink.request(request);
  return true;
}

}  // namespace weft::formats::qwen
