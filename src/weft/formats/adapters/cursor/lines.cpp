// The reader of JSON lines: agent transcripts, and rows of the editor's database.
#include <utility>

#include "weft/formats/adapters/cursor/bubble.hpp"
#include "weft/formats/adapters/cursor/reader.hpp"
#include "weft/formats/adapters/cursor/transcript.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/recent.hpp"

namespace weft::formats::cursor {
namespace {

using transcript::Author;
using transcript::Sink;

// A bubble that is listed again after that many others is emitted again, in the same place.
constexpr std::size_t kMostBubbles = 256;

class LinesReader final : public JsonReader {
 public:
  explicit LinesReader(const SourceInfo& info) : JsonReader(kName), info_(info) {}

  void finish(Sink& /*sink*/) override {}

 private:
  void read_record(JsonRecord record, Sink& sink) override {
    const json::object* object = record.object();
    if (object == nullptr) return sink.skip({record.line, "malformed: not an object"});
    if (const json::value* composer = find_member(*object, "composer")) {
      return read_composer(record, composer->if_object(), sink);
    }
    if (const json::value* bubble = find_member(*object, "bubble")) {
      return read_bubble(record, *object, bubble->if_object(), sink);
    }
    if (is_transcript_line(*object)) return read_line(record, *object, sink);
    if (find_string(*object, "type")) return sink.skip({record.line, "progress"});
    sink.skip({record.line, "malformed: neither a message nor an event"});
  }

  void read_composer(const JsonRecord& record, const json::object* object, Sink& sink) {
    if (object == nullptr) return sink.skip({record.line, "malformed: not a composer"});
    Composer composer = parse_composer(*object);
    if (!builder_.has_begun()) {
      transcript::Heading heading = heading_of({}, record.raw);
      if (!composer.id.empty()) heading.session_id = composer.id;
      if (composer.origin) {
        heading.source = "subagent:" + heading.session_id;
        heading.session_id = composer.origin->session_id;
      }
      builder_.begin(std::move(heading), sink);
    }
    builder_.resume(sink);
    model_ = composer.model.value_or("");
    if (!composer.facts.project && !info_.project.empty()) composer.facts.project = info_.project;
    if (composer.facts != transcript::Facts()) sink.facts(composer.facts);
    if (composer.origin) sink.origin(*composer.origin);
  }

  void read_bubble(const JsonRecord& record, const json::object& row, const json::object* object,
                   Sink& sink) {
    // The composer lists it, but it does not exist.
    if (object == nullptr) return sink.skip({record.line, "missing"});
    Bubble bubble = parse_bubble(*object);
    auto id = find_name(row, "bubbleId");
    if (!id) id = find_name(*object, "bubbleId");
    if (id && id->starts_with('#')) id.reset();
    const std::string place = id ? std::string(*id) : record.counted();
    if (!bubbles_.add(place)) return sink.skip({record.line, "duplicate"});
    if (record.parsed.inexact) {
      bubble.blocks = {{bubble.is_of_model ? Author::model : Author::program,
                        anthropic::unknown_from_text(*object, record.text)}};
    }
    begin(record.raw, sink);
    if (bubble.usage) {
      usage_.add(*bubble.usage);
      transcript::Facts facts;
      facts.usage = usage_.sum();
      sink.facts(facts);
      transcript::Request request = to_request(*bubble.usage, CachedInput::apart);
      request.message_id = place;
      request.model = bubble.model.value_or(model_);
      request.time = bubble.time;
      sink.request(request);
    }
    if (bubble.blocks.empty()) return sink.skip({record.line, "empty"});
    // All bubbles of the model up to the next result are one step.
    if (!bubble.is_of_model) step_.clear();
    if (bubble.is_of_model && step_.empty()) step_ = place;
    const std::string step = bubble.message_id.value_or(step_);
    for (const AuthoredBlock& block : bubble.blocks) {
      if (std::holds_alternative<transcript::ToolResult>(block.body)) step_.clear();
    }
    emit({.place = place,
          .blocks = std::move(bubble.blocks),
          .is_prompt = true,
          .is_answer = bubble.is_of_model,
          .time = bubble.time,
          .model = bubble.model,
          .message_id = step},
         sink);
    if (bubble.spawned) sink.spawned(*bubble.spawned);
  }

  void read_line(const JsonRecord& record, const json::object& object, Sink& sink) {
    begin(record.raw, sink);
    TranscriptLine line = parse_transcript_line(object, calls_);
    if (record.parsed.inexact) {
      line.blocks = {{line.is_of_model ? Author::model : Author::program,
                      anthropic::unknown_from_text(object, record.text)}};
    }
    if (line.blocks.empty()) return sink.skip({record.line, "empty"});
    std::vector<transcript::Spawned> spawned;
    for (const AuthoredBlock& block : line.blocks) {
      const auto* call = std::get_if<transcript::ToolCall>(&block.body);
      if (call == nullptr || call->id.empty()) continue;
      if (call->name == "Task" || call->name == "Agent") spawned.push_back({.call_id = call->id});
    }
    const auto model = find_name(object, "model");
    emit({.place = record.counted(),
          .blocks = std::move(line.blocks),
          .is_prompt = true,
          .is_answer = line.is_of_model,
          .time = find_moment(object, "timestamp"),
          .model = model ? std::optional<std::string>(*model) : std::nullopt},
         sink);
    for (const transcript::Spawned& one : spawned) sink.spawned(one);
  }

  // Nobody talks to a subagent but the agent that set it to work.
  void emit(RecordContent content, Sink& sink) {
    if (builder_.heading().source.starts_with("subagent:")) {
      for (AuthoredBlock& block : content.blocks) {
        if (block.author == Author::human) block.author = Author::program;
      }
    }
    if (!content.model && !model_.empty()) content.model = model_;
    if (!content.model) content.model = info_.model;
    builder_.emit(std::move(content), sink);
  }

  void begin(std::string_view first, Sink& sink) {
    if (builder_.has_begun()) return builder_.resume(sink);
    const Place place = place_of(info_);
    builder_.begin(heading_of(place, first), sink);
    if (!info_.project.empty()) {
      transcript::Facts facts;
      facts.project = info_.project;
      sink.facts(facts);
    }
    if (!place.parent.empty()) sink.origin({.session_id = place.parent, .agent = place.id});
  }

  void archive(StateArchive& a) override {
    a.field("model", model_);
    a.field("step", step_);
    calls_.archive(a, "calls");
    bubbles_.archive(a, "bubbles");
    usage_.archive(a, "usage");
    a.field("teller", builder_);
  }

  SourceInfo info_;
  std::string model_;  // the composer's
  std::string step_;   // the place of the bubble that began it
  OpenCalls calls_;
  Recent bubbles_{kMostBubbles};
  UsageSum usage_;
  TurnBuilder builder_;
};

}  // namespace

std::unique_ptr<Reader> open_lines(const SourceInfo& info) {
  return std::make_unique<LinesReader>(info);
}

}  // namespace weft::formats::cursor
