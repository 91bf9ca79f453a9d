#include "weft/formats/adapters/pi/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/pi/heading.hpp"
#include "weft/formats/adapters/pi/openclaw_authors.hpp"
#include "weft/formats/adapters/pi/openclaw_spawns.hpp"
#include "weft/formats/adapters/pi/turns.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::pi {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Sink;

// Entries of the harness's own state, without content.
constexpr auto kInternalTypes = std::to_array<std::string_view>(
    {"custom", "model_change", "thinking_level_change", "leaf", "session_init",
     "service_tier_change", "mode_change", "ttsr_injection", "mcp_tool_selection",
     "discovered_builtin_tool_selection", "reset_boundary", "credential_pin"});

class SessionReader final : public JsonReader {
 public:
  SessionReader(Dialect dialect, const SourceInfo& info)
      : JsonReader(to_string(dialect)),
        dialect_(dialect),
        fallback_model_(info.model),
        heading_(dialect, info) {}

  void finish(Sink& sink) override { heading_.finish(sink); }

 private:
  // A record that is an entry.
  struct Line {
    const JsonRecord& record;
    Entry entry;
    Fingerprint fingerprint{};  // where it has an id
  };

  void read_record(JsonRecord record, Sink& sink) override;
  std::optional<std::string_view> find_whole(std::string_view text) const override {
    return find_glued_entry(text);
  }
  void archive(StateArchive& a) override;

  bool is_openclaw() const { return dialect_ == Dialect::openclaw; }

  void read_header(const JsonRecord& record, const json::object& header, Sink& sink) {
    if (!heading_.has_begun()) {
      read_model(header);
      heading_.begin_with_header(header, record.text, sink);
    } else if (find_string(header, "id") == std::string_view(heading_.session_id())) {
      sink.skip({record.line, "duplicate"});
    } else {
      sink.skip({record.line, "malformed: a second header"});
    }
  }

  void read_entry(const Line& line, const json::object& object, Sink& sink) {
    const std::string_view type = line.entry.type;
    const bool is_inexact = line.record.parsed.inexact;
    count_usage(line, object, sink);
    const json::object* message = find_object(object, "message");
    const auto summary = find_string(object, "summary");
    const std::string_view prompt = find_string(object, "systemPrompt").value_or("");
    if (emit_facts(type, object, sink)) {
      turns_.bridge(line.entry, line.fingerprint);
    } else if (type == "session_init" && !prompt.empty() && !is_inexact) {
      emit(line, {{Author::program, transcript::Text{std::string(prompt)}}}, sink);
    } else if (std::ranges::find(kInternalTypes, type) != kInternalTypes.end()) {
      // omp chooses models for its helpers, too.
      const bool is_speakers = find_string(object, "role").value_or("default") == "default";
      if (type == "model_change" && is_speakers) read_model(object);
      pass_over(line, "internal", sink);
    } else if (type == "label") {
      pass_over(line, "label", sink);
    } else if (is_inexact) {
      emit(line, {{Author::program, anthropic::unknown_from_text(object, line.record.text)}}, sink);
    } else if (type == "message" && message != nullptr) {
      read_message(line, *message, sink);
    } else if (type == "compaction" && summary) {
      emit(line, {{writer_of(object), transcript::Compaction{std::string(*summary)}}}, sink);
    } else if (type == "branch_summary" && summary) {
      emit(line, {{writer_of(object), transcript::Summary{std::string(*summary)}}}, sink);
    } else if (type == "custom_message" && object.contains("content")) {
      emit_message(line, parse_program_content(object.at("content")), sink);
    } else {
      emit(line, {{Author::program, unknown_of(type, object)}}, sink);
    }
  }

  // The author of a summary: the model, unless an extension put its own in its place.
  static Author writer_of(const json::object& object) {
    const bool is_extensions = find_bool(object, "fromHook").value_or(false) ||
                               find_bool(object, "fromExtension").value_or(false);
    return is_extensions ? Author::program : Author::model;
  }

  // Without the members that depend on its place, so that a fork's copy is the same thought.
  static transcript::Unknown unknown_of(std::string_view type, json::object object) {
    transcript::Unknown unknown{.block_type = std::string(type), .raw = nullptr};
    for (const std::string_view key : {"id", "parentId", "timestamp"}) object.erase(key);
    unknown.raw = std::move(object);
    return unknown;
  }

  // Whether facts are all that it has.
  bool emit_facts(std::string_view type, const json::object& object, Sink& sink) {
    if (type == "session_info" || type == "title" || type == "title_change") {
      const std::string_view key = type == "session_info" ? "name" : "title";
      sink.facts({.title = std::string(find_string(object, key).value_or(""))});
      return true;
    }
    const bool is_init = type == "session_init";
    if (!is_init && type != "active_tools_change") return false;
    const json::array* names = find_array(object, is_init ? "tools" : "activeToolNames");
    if (names == nullptr) return false;
    Facts facts;
    for (const json::value& name : *names) {
      if (name.is_string()) facts.tools.emplace_back(view(name.get_string()));
    }
    sink.facts(facts);
    return find_string(object, "systemPrompt").value_or("").empty();
  }

  // The model of messages that name none: "modelId", or omp's "provider/model".
  void read_model(const json::object& object) {
    if (const auto id = find_name(object, "modelId")) {
      model_ = *id;
    } else if (const auto path = find_name(object, "model")) {
      const std::size_t slash = path->find('/');
      model_ = slash == std::string_view::npos ? *path : path->substr(slash + 1);
    }
  }

  void count_usage(const Line& line, const json::object& object, Sink& sink) {
    const json::object* message = find_object(object, "message");
    for (const json::object* part : {&object, message}) {
      const json::object* usage = part == nullptr ? nullptr : find_object(*part, "usage");
      if (usage == nullptr || parse_usage(*usage) == transcript::Usage()) continue;
      usage_.add(parse_usage(*usage));
      sink.facts({.usage = usage_.sum()});
      transcript::Request request = parse_request(*part, *usage);
      if (request.message_id.empty()) {
        request.message_id = find_string(object, "id").value_or(line.record.counted());
      }
      if (request.model.empty())
        request.model = model_.empty() ? fallback_model_.value_or("") : model_;
      if (!request.time) request.time = line.entry.time;
      sink.request(request);
    }
  }

  void pass_over(const Line& line, std::string_view reason, Sink& sink) {
    sink.skip({line.record.line, std::string(reason)});
    turns_.bridge(line.entry, line.fingerprint);
  }

  void read_message(const Line& line, const json::object& source, Sink& sink) {
    Message message = parse_message(source);
    if (message.role == "assistant" && is_openclaw()) {
      if (openclaw::is_gateway_answer(source)) {
        const std::string words = words_of(message);
        if (openclaw::is_startup_line(words)) {
          pass_over(line, "startup-message", sink);
          return;
        }
        if (openclaw::is_delivery_mirror(source) && answers_.has(words)) {
          pass_over(line, "mirror", sink);
          return;
        }
        for (AuthoredBlock& authored : message.blocks) authored.author = Author::program;
      } else {
        answers_.add(message);
      }
    }
    if (message.role == "user" && is_programs_prompt(source, message)) {
      for (AuthoredBlock& authored : message.blocks) {
        if (authored.author == Author::human) authored.author = Author::program;
      }
    }
    emit_message(line, std::move(message), sink, find_moment(source, "timestamp"));
  }

  void emit_message(const Line& line, Message message, Sink& sink,
                    std::optional<Millis> time = std::nullopt) {
    if (message.is_too_large) {
      sink.skip(
          {line.record.line, "too large: more than " + std::to_string(kMaxBlocks) + " blocks"});
    }
    const std::vector<transcript::Spawned> spawned = openclaw::spawned_by(message);
    emit(line, std::move(message.blocks), sink, &message, time);
    for (const transcript::Spawned& one : spawned) sink.spawned(one);
  }

  // omp marks its own prompts; those of OpenClaw's gateway are known by their words.
  bool is_programs_prompt(const json::object& source, const Message& message) const {
    if (heading_.is_subagent() || find_string(source, "attribution") == "agent" ||
        find_bool(source, "synthetic").value_or(false)) {
      return true;
    }
    return is_openclaw() && openclaw::is_gateway_prompt(source, words_of(message));
  }

  void emit(const Line& line, std::vector<AuthoredBlock> authored, Sink& sink,
            const Message* message = nullptr, std::optional<Millis> time = std::nullopt) {
    if (authored.empty()) {
      pass_over(line, "empty", sink);
      return;
    }
    RecordContent content{.place = {},
                          .blocks = std::move(authored),
                          .is_prompt = message != nullptr && message->role == "user",
                          .is_answer = message != nullptr && message->role == "assistant",
                          .time = line.entry.time ? line.entry.time : time};
    if (message != nullptr) {
      content.model = message->model;
      content.message_id = message->response_id;
    }
    if (content.model.value_or("").empty())
      content.model = model_.empty() ? fallback_model_ : model_;
    turns_.emit(line.entry, line.fingerprint, line.record.number, std::move(content), sink);
  }

  Dialect dialect_;
  std::optional<std::string> fallback_model_;
  HeadingBuilder heading_;
  std::string model_;  // chosen last
  UsageSum usage_;
  TreeTurns turns_;
  openclaw::Answers answers_;
};

void SessionReader::read_record(JsonRecord record, Sink& sink) {
  const json::object* object = record.object();
  if (object == nullptr) {
    sink.skip({record.line, "malformed: not an object"});
    return;
  }
  Line line{.record = record, .entry = parse_entry(*object)};
  const Entry& entry = line.entry;
  if (entry.type == "session") {
    read_header(record, *object, sink);
    return;
  }
  if (!heading_.has_begun() && entry.type == "title") {
    if (!heading_.read_title(*object)) sink.skip({record.line, "empty"});
    return;
  }
  if (!heading_.has_begun()) heading_.begin_without_header(record.text, sink);
  heading_.resume(sink);
  if (entry.id) line.fingerprint = fingerprint_of(*entry.id, record.text);
  if (entry.id && turns_.seen(line.fingerprint) == EntryWindow::Seen::same) {
    sink.skip({record.line, "duplicate"});
  } else {
    read_entry(line, *object, sink);
  }
}

void SessionReader::archive(StateArchive& a) {
  a.field("heading", heading_);
  a.field("model", model_);
  usage_.archive(a, "usage");
  a.field("turns", turns_);
  answers_.archive(a, "answers");
}

}  // namespace

std::string_view to_string(Dialect dialect) { return dialect == Dialect::pi ? "pi" : "openclaw"; }

std::unique_ptr<Reader> open_session(Dialect dialect, const SourceInfo& info) {
  return std::make_unique<SessionReader>(dialect, info);
}

}  // namespace weft::formats::pi
