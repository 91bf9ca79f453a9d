#include "weft/formats/adapters/codex_session.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/anthropic_transcript.hpp"
#include "weft/formats/adapters/codex_echoes.hpp"
#include "weft/formats/adapters/codex_events.hpp"
#include "weft/formats/adapters/codex_heading.hpp"
#include "weft/formats/adapters/codex_memory.hpp"
#include "weft/formats/adapters/codex_tools.hpp"
#include "weft/formats/adapters/codex_turns.hpp"
#include "weft/formats/adapters/codex_words.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Author;
using transcript::Sink;

class SessionReader final : public Reader {
 public:
  explicit SessionReader(const SourceInfo& info)
      : fallback_model_(info.model), rollout_(rollout_of_file(info.name)), heading_(info) {}

  void read(const Record& record, Sink& sink) override;
  // What still waits for its item is told: the item may never come. If it does, it stands in
  // the same place.
  void finish(Sink& sink) override {
    if (heading_.has_begun() && !echoes_.held().empty()) {
      heading_.go_on(sink);
      tell_held(echoes_.release(), sink);
    }
  }

  std::string save() const override;
  Status restore(std::string_view state) override;

 private:
  struct Source {
    std::string_view text;
    std::uint64_t line = 0;
    bool is_inexact = false;
  };

  void read_object(const Source& source, const json::object& object, Sink& sink);
  void read_meta(const Source& source, const Line& line, Sink& sink);
  void read_context(const Source& source, const json::object& payload, Sink& sink);
  void read_item(const Source& source, const Line& line, Sink& sink);
  void read_event(const Source& source, const Line& line, Sink& sink);
  void read_echo(const Source& source, const Line& line, Event event, Sink& sink);
  void read_tool(const Source& source, const Line& line, Event event, Sink& sink);
  void read_usage(const Source& source, const json::object& payload, Sink& sink);
  void read_exec(const Source& source, const Line& line, Sink& sink);

  People people() const {
    return heading_.is_subagent() && !heading_.is_replay() ? People::no : People::yes;
  }
  std::string counted_place(std::string_view prefix = "") const;
  std::string place_of(const json::object& payload);
  void tell(const Source& source, const Line& line, std::string place, Utterance utterance,
            Sink& sink);
  void tell_unknown(const Source& source, const Line& line, Sink& sink);
  void tell_failure(const Source& source, const Line& line, Utterance failure, Sink& sink);
  void tell_held(std::vector<Held> events, Sink& sink);
  void tell_blocks(std::string place, Utterance utterance, std::optional<Millis> time, Sink& sink);
  void tell_title(const Utterance& utterance, Sink& sink);
  void tell_spawned(const std::vector<Said>& said, Sink& sink);
  static void skip(const Source& source, std::string_view reason, Sink& sink) {
    sink.skip({source.line, std::string(reason)});
  }

  std::optional<std::string> fallback_model_;
  std::string rollout_;  // of a reverted thread's second file
  HeadingTeller heading_;
  TurnTeller turns_;
  Echoes echoes_;
  UsageCount usage_;
  std::uint64_t number_ = 0;  // records so far
  std::string model_;         // of the turn at hand
  std::string cwd_;
  std::int64_t title_ = 0;    // 0: none, 1: the first prompt, 2: given by name
  std::int64_t failure_ = 0;  // hash of the one told last in this turn
  // An id that comes again after so many others stands for its record's first form; a line
  // that does is told again; an event of so old a call is told as a call of its own.
  Recent ids_{64}, lines_{32}, item_calls_{128}, event_calls_{32}, spawn_calls_{32};
};

void SessionReader::read(const Record& record, Sink& sink) {
  ++number_;
  if (record.stray) {
    sink.skip({record.line, "malformed: beside the document"});
    return;
  }
  std::string storage;
  std::size_t repairs = 0;
  std::string_view text = repair_json(record.text, storage, repairs);
  if (repairs > 0) sink.repaired(repairs);
  std::optional<ParsedJson> parsed = anthropic::parse_or_skip(text, record.line, sink);
  if (!parsed) {
    const auto glued = find_glued_line(text);
    if (!glued) return;
    text = *glued;
    parsed = parse_json(text).value();
  }
  const json::object* object = parsed->value.if_object();
  const Source source{text, record.line, parsed->inexact};
  if (!record.member.empty()) {
    // Of the document: {"session":{…},"items":[…]}.
    if (record.member == "session" && object != nullptr) {
      read_meta(source, {.shape = Shape::meta, .type = {}, .payload = object}, sink);
    } else {
      skip(source, "internal", sink);
    }
  } else if (object == nullptr) {
    skip(source, "malformed: not an object", sink);
  } else {
    read_object(source, *object, sink);
  }
}

void SessionReader::read_object(const Source& source, const json::object& object, Sink& sink) {
  const Line line = parse_line(object);
  const bool is_start = line.type == "thread.started" && line.shape == Shape::exec;
  if (line.shape == Shape::meta || is_start) {
    read_meta(source, line, sink);
    return;
  }
  if (!heading_.has_begun()) heading_.begin_without_meta(source.text, sink);
  if (heading_.is_internal()) {
    skip(source, "internal", sink);
    return;
  }
  heading_.go_on(sink);
  heading_.pass(line);
  if (line.time) {
    if (lines_.has(source.text)) {
      skip(source, "duplicate", sink);
      return;
    }
    lines_.add(source.text);
  }
  switch (line.shape) {
    case Shape::context: read_context(source, *line.payload, sink); break;
    case Shape::item: read_item(source, line, sink); break;
    case Shape::event: read_event(source, line, sink); break;
    case Shape::exec: read_exec(source, line, sink); break;
    case Shape::internal: skip(source, "internal", sink); break;
    case Shape::mirror: skip(source, "mirror", sink); break;
    case Shape::compacted: {
      const auto summary = find_string(*line.payload, "message");
      tell_held(echoes_.release(), sink);
      tell(source, line, counted_place(),
           {.said = {{Author::model, transcript::Compaction{std::string(summary.value_or(""))}}}},
           sink);
      break;
    }
    default: tell_unknown(source, line, sink); break;
  }
}

void SessionReader::read_meta(const Source& source, const Line& line, Sink& sink) {
  const json::object& meta = *line.payload;
  if (heading_.has_begun()) {
    if (heading_.is_internal()) {
      skip(source, "internal", sink);
      return;
    }
    heading_.go_on(sink);
    skip(source, heading_.take_ancestor(meta) ? "replay" : "duplicate", sink);
    return;
  }
  heading_.begin(meta, line, source.text, sink);
  if (heading_.is_internal()) {
    skip(source, "internal", sink);
    return;
  }
  if (const auto cwd = find_name(meta, "cwd")) cwd_ = *cwd;
  const json::object* base = find_object(meta, "base_instructions");
  const auto prompt =
      base == nullptr ? find_string(meta, "instructions") : find_string(*base, "text");
  if (prompt && !prompt->empty()) {
    tell(source, line, counted_place(),
         {.said = {{Author::program, transcript::Text{std::string(*prompt)}}}}, sink);
  }
}

void SessionReader::read_context(const Source& source, const json::object& payload, Sink& sink) {
  if (const auto model = find_name(payload, "model")) model_ = *model;
  const auto cwd = find_name(payload, "cwd");
  if (cwd && *cwd != cwd_) {
    cwd_ = *cwd;
    sink.facts({.cwd = cwd_});
  }
  skip(source, "internal", sink);
}

void SessionReader::read_item(const Source& source, const Line& line, Sink& sink) {
  const json::object& item = *line.payload;
  const std::string_view type = type_of(item);
  if (is_internal_item(type)) {
    skip(source, "internal", sink);
    return;
  }
  if (source.is_inexact) {
    tell_unknown(source, line, sink);
    return;
  }
  if (const auto model = find_name(item, "model")) model_ = *model;
  Utterance utterance = parse_item(item, people());
  for (const Said& said : utterance.said) {
    const auto* call = std::get_if<transcript::ToolCall>(&said.body);
    if (call == nullptr || call->id.empty()) continue;
    if (event_calls_.has(call->id)) {
      skip(source, "mirror", sink);
      return;
    }
    item_calls_.add(call->id);
  }
  Echoes::Ended ended = echoes_.item_came(utterance);
  tell_held(std::move(ended.tell), sink);
  for (const Held& mirror : ended.mirrors) sink.skip({mirror.line, "mirror"});
  std::string place = place_of(item);
  if (!ended.mirrors.empty()) {
    place = ended.mirrors.front().place;
  } else if (utterance.voice != Voice::none && echoes_.take_event_of(utterance)) {
    skip(source, "mirror", sink);
    return;
  }
  tell(source, line, std::move(place), std::move(utterance), sink);
}

void SessionReader::read_event(const Source& source, const Line& line, Sink& sink) {
  Event event = parse_event(*line.payload, people());
  const bool is_kept = event.kind == Event::Kind::tool || event.kind == Event::Kind::told ||
                       event.kind == Event::Kind::failure;
  if (source.is_inexact && is_kept) {
    tell_unknown(source, line, sink);
    return;
  }
  if (event.ends_wait) tell_held(echoes_.release(), sink);
  if (!event.agent.empty() && spawn_calls_.has(event.call_id)) {
    sink.spawned({.call_id = event.call_id, .agent = event.agent});
  }
  switch (event.kind) {
    case Event::Kind::echo: read_echo(source, line, std::move(event), sink); break;
    case Event::Kind::tool: read_tool(source, line, std::move(event), sink); break;
    case Event::Kind::usage: read_usage(source, *line.payload, sink); break;
    case Event::Kind::failure: tell_failure(source, line, std::move(event.utterance), sink); break;
    case Event::Kind::told:
      tell_held(echoes_.release(), sink);
      tell(source, line, counted_place(), std::move(event.utterance), sink);
      break;
    case Event::Kind::title:
      title_ = 2;
      sink.facts({.title = event.title});
      break;
    case Event::Kind::rollback:
      turns_.roll_back(event.turns);
      skip(source, event.reason, sink);
      break;
    case Event::Kind::skip:
      if (event.begins_turn) failure_ = 0;
      skip(source, event.reason, sink);
      break;
  }
}

void SessionReader::read_echo(const Source& source, const Line& line, Event event, Sink& sink) {
  Utterance& words = event.utterance;
  if (words.said.empty() || echoes_.take_item_of(words)) {
    skip(source, "mirror", sink);
    return;
  }
  if (words.voice == Voice::person || !echoes_.may_hold(words)) tell_held(echoes_.release(), sink);
  const bool is_named =
      !event.item_id.empty() && !event.item_id.starts_with('#') && !ids_.has(event.item_id);
  Held held{.utterance = std::move(words),
            .line = source.line,
            .place = is_named ? event.item_id : counted_place(),
            .time = line.time};
  if (echoes_.may_hold(held.utterance)) {
    echoes_.hold(std::move(held));
  } else {
    std::vector<Held> long_one;
    long_one.push_back(std::move(held));
    tell_held(std::move(long_one), sink);
  }
}

void SessionReader::read_tool(const Source& source, const Line& line, Event event, Sink& sink) {
  const bool is_known =
      !event.call_id.empty() && (item_calls_.has(event.call_id) || event_calls_.has(event.call_id));
  if (is_known && !event.has_results) {
    skip(source, "mirror", sink);
    return;
  }
  if (is_known) event.utterance.said.erase(event.utterance.said.begin());
  else if (!event.call_id.empty()) event_calls_.add(event.call_id);
  tell_held(echoes_.release(), sink);
  tell(source, line, counted_place(), std::move(event.utterance), sink);
}

void SessionReader::read_usage(const Source& source, const json::object& payload, Sink& sink) {
  const json::object* info = find_object(payload, "info");
  if (usage_.add(payload, heading_.is_replay())) {
    sink.facts({.usage = usage_.sum()});
  } else if (heading_.is_replay()) {
    skip(source, "replay", sink);
  } else {
    skip(source, info == nullptr ? "internal" : "duplicate", sink);
  }
}

void SessionReader::read_exec(const Source& source, const Line& line, Sink& sink) {
  const json::object& object = *line.payload;
  const json::object* item = find_object(object, "item");
  if (line.type == "item.completed" && item != nullptr) {
    if (source.is_inexact) tell_unknown(source, line, sink);
    // A rollout of the same thread counts its own records.
    else tell(source, line, counted_place("exec-"), parse_exec_item(*item), sink);
  } else if (line.type == "turn.completed" && usage_.add_turn(object)) {
    sink.facts({.usage = usage_.sum()});
  } else if (line.type == "turn.failed" || line.type == "error") {
    const json::object* error = find_object(object, "error");
    const json::object& holder = error == nullptr ? object : *error;
    const auto message = find_string(holder, "message");
    const auto text = message ? message : find_string(holder, "text");
    tell_failure(
        source, line,
        {.said = {{Author::program, transcript::Failure{.text = std::string(text.value_or(""))}}}},
        sink);
  } else {
    skip(source, line.type.starts_with("item.") ? "progress" : "internal", sink);
  }
}

std::string SessionReader::counted_place(std::string_view prefix) const {
  std::string place = "#" + std::string(prefix) + std::to_string(number_);
  // Both files are of one thread, and both count from 1.
  if (!rollout_.empty()) place += "@" + rollout_;
  return place;
}

std::string SessionReader::place_of(const json::object& payload) {
  const auto id = find_name(payload, "id");
  if (!id || id->starts_with('#') || ids_.has(*id)) return counted_place();
  ids_.add(*id);
  return std::string(*id);
}

void SessionReader::tell(const Source& source, const Line& line, std::string place,
                         Utterance utterance, Sink& sink) {
  if (utterance.is_too_large) {
    skip(source, "too large: more than " + std::to_string(anthropic::kMaxBlocks) + " blocks", sink);
  }
  if (utterance.said.empty()) {
    skip(source, "empty", sink);
    return;
  }
  tell_blocks(std::move(place), std::move(utterance), line.time, sink);
}

void SessionReader::tell_unknown(const Source& source, const Line& line, Sink& sink) {
  tell_held(echoes_.release(), sink);
  transcript::Unknown unknown = source.is_inexact
                                    ? anthropic::unknown_from_text(*line.payload, source.text)
                                    : unknown_of(line.type, *line.payload);
  tell(source, line, counted_place(), {.said = {{Author::program, std::move(unknown)}}}, sink);
}

// A provider's error is told when it comes, and again when the turn ends.
void SessionReader::tell_failure(const Source& source, const Line& line, Utterance failure,
                                 Sink& sink) {
  const std::int64_t hash = hash_of(std::get<transcript::Failure>(failure.said.at(0).body).text);
  if (std::exchange(failure_, hash) == hash) {
    skip(source, "mirror", sink);
    return;
  }
  tell(source, line, counted_place(), std::move(failure), sink);
}

void SessionReader::tell_held(std::vector<Held> events, Sink& sink) {
  for (Held& event : Echoes::joined(std::move(events))) {
    echoes_.told(event.utterance);
    if (!event.place.starts_with('#')) ids_.add(event.place);
    tell_blocks(std::move(event.place), std::move(event.utterance), event.time, sink);
  }
}

void SessionReader::tell_blocks(std::string place, Utterance utterance, std::optional<Millis> time,
                                Sink& sink) {
  tell_title(utterance, sink);
  std::vector<Said> calls;
  for (const Said& said : utterance.said) {
    const bool is_of_spawn =
        is_spawn(said.body) ||
        (std::holds_alternative<transcript::ToolResult>(said.body) &&
         spawn_calls_.has(std::get<transcript::ToolResult>(said.body).call_id));
    if (is_of_spawn && !heading_.is_replay()) calls.push_back(said);
  }
  turns_.tell({.said = std::move(utterance.said),
               .place = std::move(place),
               .is_prompt = utterance.is_prompt,
               .time = time,
               .model = model_.empty() ? fallback_model_ : model_},
              sink);
  tell_spawned(calls, sink);
}

void SessionReader::tell_title(const Utterance& utterance, Sink& sink) {
  if (title_ > 0 || utterance.voice != Voice::person || heading_.is_replay()) return;
  std::string title = utterance.echoes.empty() ? "" : title_of(utterance.echoes.front());
  if (title.empty()) return;
  title_ = 1;
  sink.facts({.title = std::move(title)});
}

void SessionReader::tell_spawned(const std::vector<Said>& said, Sink& sink) {
  for (const Said& one : said) {
    if (const auto* call = std::get_if<transcript::ToolCall>(&one.body)) {
      if (call->id.empty()) continue;
      spawn_calls_.add(call->id);
      sink.spawned({.call_id = call->id});
      continue;
    }
    // {"agent_id":"…","nickname":"…"}
    const auto& result = std::get<transcript::ToolResult>(one.body);
    const Result<ParsedJson> parsed = parse_json(result.text);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    const auto agent = object == nullptr ? std::nullopt : find_name(*object, "agent_id");
    if (agent) sink.spawned({.call_id = result.call_id, .agent = std::string(*agent)});
  }
}

std::string SessionReader::save() const {
  return canonical_json(json::object{{"number", number_},
                                     {"heading", heading_.save()},
                                     {"turns", turns_.save()},
                                     {"echoes", echoes_.save()},
                                     {"usage", usage_.save()},
                                     {"model", model_},
                                     {"cwd", cwd_},
                                     {"title", title_},
                                     {"failure", failure_},
                                     {"ids", ids_.save()},
                                     {"lines", lines_.save()},
                                     {"item_calls", item_calls_.save()},
                                     {"event_calls", event_calls_.save()},
                                     {"spawn_calls", spawn_calls_.save()}});
}

Status SessionReader::restore(std::string_view state) {
  const auto restore_from = [&](const json::object& object) {
    const auto number = find_int(object, "number"), title = find_int(object, "title");
    const auto failure = find_int(object, "failure");
    const auto model = find_string(object, "model"), cwd = find_string(object, "cwd");
    const json::object* heading = find_object(object, "heading");
    const json::object* turns = find_object(object, "turns");
    const json::object* echoes = find_object(object, "echoes");
    if (!number || *number < 0 || !title || !failure || !model || !cwd || heading == nullptr ||
        turns == nullptr || echoes == nullptr) {
      return false;
    }
    number_ = static_cast<std::uint64_t>(*number);
    title_ = *title;
    failure_ = *failure;
    model_ = *model;
    cwd_ = *cwd;
    return heading_.restore(*heading) && turns_.restore(*turns) && echoes_.restore(*echoes) &&
           usage_.restore(find_array(object, "usage")) && ids_.restore(find_array(object, "ids")) &&
           lines_.restore(find_array(object, "lines")) &&
           item_calls_.restore(find_array(object, "item_calls")) &&
           event_calls_.restore(find_array(object, "event_calls")) &&
           spawn_calls_.restore(find_array(object, "spawn_calls"));
  };
  const Result<ParsedJson> parsed = parse_json(state);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  if (object == nullptr || !restore_from(*object)) {
    return fail(ErrorCode::corrupt, "restoring a reader of codex: not its state");
  }
  return {};
}

}  // namespace

std::unique_ptr<Reader> open_session(const SourceInfo& info) {
  return std::make_unique<SessionReader>(info);
}

}  // namespace weft::formats::codex
