#include "weft/formats/adapters/pi/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/utf8.hpp"
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

// The harness's own state: nothing that anybody said.
constexpr auto kInternalTypes = std::to_array<std::string_view>(
    {"custom", "model_change", "thinking_level_change", "leaf", "session_init",
     "service_tier_change", "mode_change", "ttsr_injection", "mcp_tool_selection",
     "discovered_builtin_tool_selection", "reset_boundary", "credential_pin"});

class SessionReader final : public Reader {
 public:
  SessionReader(Dialect dialect, const SourceInfo& info)
      : dialect_(dialect), fallback_model_(info.model), heading_(dialect, info) {}

  void read(const Record& record, Sink& sink) override {
    ++number_;
    std::string storage;
    std::size_t repairs = 0;
    std::string_view text = repair_json(record.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    const std::optional<ParsedJson> parsed = parse_or_skip(text, record.line, sink);
    if (parsed) {
      read_line({text, record.line, parsed->inexact}, parsed->value, sink);
    } else if (const auto glued = find_glued_entry(text)) {
      const Result<ParsedJson> rest = parse_json(*glued);
      read_line({*glued, record.line, rest->inexact}, rest->value, sink);
    }
  }

  void finish(Sink& sink) override { heading_.finish(sink); }

  std::string save() const override;
  Status restore(std::string_view state) override;

 private:
  struct Line {
    std::string_view text;
    std::uint64_t number = 0;  // in the file
    bool is_inexact = false;
    Print print{};  // where it has an id
  };

  bool is_openclaw() const { return dialect_ == Dialect::openclaw; }

  void read_line(Line line, const json::value& value, Sink& sink) {
    const json::object* object = value.if_object();
    if (object == nullptr) {
      sink.skip({line.number, "malformed: not an object"});
      return;
    }
    const Entry entry = parse_entry(*object);
    if (entry.type == "session") {
      read_header(line, *object, sink);
    } else if (!heading_.has_begun() && entry.type == "title") {
      if (!heading_.take_title(*object)) sink.skip({line.number, "empty"});
    } else {
      if (!heading_.has_begun()) heading_.begin_without_header(line.text, sink);
      heading_.resume(sink);
      if (entry.id) line.print = print_of(*entry.id, line.text);
      if (entry.id && turns_.seen(line.print) == EntryWindow::Seen::same) {
        sink.skip({line.number, "duplicate"});
      } else {
        read_entry(line, entry, *object, sink);
      }
    }
  }

  void read_header(const Line& line, const json::object& header, Sink& sink) {
    if (!heading_.has_begun()) {
      take_model(header);
      heading_.begin_with_header(header, line.text, sink);
    } else if (find_string(header, "id") == std::string_view(heading_.session_id())) {
      sink.skip({line.number, "duplicate"});
    } else {
      sink.skip({line.number, "malformed: a second header"});
    }
  }

  void read_entry(const Line& line, const Entry& entry, const json::object& object, Sink& sink) {
    count_usage(object, sink);
    const json::object* message = find_object(object, "message");
    const auto summary = find_string(object, "summary");
    const std::string_view prompt = find_string(object, "systemPrompt").value_or("");
    if (emit_facts(entry, object, sink)) {
      turns_.bridge(entry, line.print);
    } else if (entry.type == "session_init" && !prompt.empty() && !line.is_inexact) {
      emit(line, entry, {{Author::program, transcript::Text{std::string(prompt)}}}, sink);
    } else if (std::ranges::find(kInternalTypes, entry.type) != kInternalTypes.end()) {
      // omp chooses models for its helpers, too.
      const bool is_speakers = find_string(object, "role").value_or("default") == "default";
      if (entry.type == "model_change" && is_speakers) take_model(object);
      pass_over(line, entry, "internal", sink);
    } else if (entry.type == "label") {
      pass_over(line, entry, "label", sink);
    } else if (line.is_inexact) {
      emit(line, entry, {{Author::program, anthropic::unknown_from_text(object, line.text)}}, sink);
    } else if (entry.type == "message" && message != nullptr) {
      read_message(line, entry, *message, sink);
    } else if (entry.type == "compaction" && summary) {
      emit(line, entry, {{writer_of(object), transcript::Compaction{std::string(*summary)}}}, sink);
    } else if (entry.type == "branch_summary" && summary) {
      emit(line, entry, {{writer_of(object), transcript::Summary{std::string(*summary)}}}, sink);
    } else if (entry.type == "custom_message" && object.contains("content")) {
      emit_message(line, entry, parse_program_content(object.at("content")), sink);
    } else {
      emit(line, entry, {{Author::program, unknown_of(entry, object)}}, sink);
    }
  }

  // Summaries are the model's, unless an extension put its own in their place.
  static Author writer_of(const json::object& object) {
    const bool is_extensions = find_bool(object, "fromHook").value_or(false) ||
                               find_bool(object, "fromExtension").value_or(false);
    return is_extensions ? Author::program : Author::model;
  }

  // Without what only says where it stands, so that a fork's copy is the same thought.
  static transcript::Unknown unknown_of(const Entry& entry, json::object object) {
    const std::string type(entry.type);
    for (const std::string_view key : {"id", "parentId", "timestamp"}) object.erase(key);
    return {.block_type = type, .raw = std::move(object)};
  }

  // Whether facts are all that it has to tell.
  bool emit_facts(const Entry& entry, const json::object& object, Sink& sink) {
    if (entry.type == "session_info" || entry.type == "title" || entry.type == "title_change") {
      const std::string_view key = entry.type == "session_info" ? "name" : "title";
      sink.facts({.title = std::string(find_string(object, key).value_or(""))});
      return true;
    }
    const bool is_init = entry.type == "session_init";
    if (!is_init && entry.type != "active_tools_change") return false;
    const json::array* names = find_array(object, is_init ? "tools" : "activeToolNames");
    if (names == nullptr) return false;
    Facts facts;
    for (const json::value& name : *names) {
      if (name.is_string()) facts.tools.emplace_back(view(name.get_string()));
    }
    sink.facts(facts);
    return find_string(object, "systemPrompt").value_or("").empty();
  }

  // Who speaks where a message does not say: "modelId", or omp's "provider/model".
  void take_model(const json::object& object) {
    if (const auto id = find_name(object, "modelId")) {
      model_ = *id;
    } else if (const auto path = find_name(object, "model")) {
      const std::size_t slash = path->find('/');
      model_ = slash == std::string_view::npos ? *path : path->substr(slash + 1);
    }
  }

  void count_usage(const json::object& object, Sink& sink) {
    const transcript::Usage before = usage_.sum();
    const json::object* message = find_object(object, "message");
    for (const json::object* part : {&object, message}) {
      const json::object* usage = part == nullptr ? nullptr : find_object(*part, "usage");
      if (usage != nullptr) usage_.add(parse_usage(*usage));
    }
    if (usage_.sum() != before) sink.facts({.usage = usage_.sum()});
  }

  void pass_over(const Line& line, const Entry& entry, std::string_view reason, Sink& sink) {
    sink.skip({line.number, std::string(reason)});
    turns_.bridge(entry, line.print);
  }

  void read_message(const Line& line, const Entry& entry, const json::object& source, Sink& sink) {
    Message message = parse_message(source);
    if (message.role == "assistant" && is_openclaw()) {
      if (openclaw::is_gateway_answer(source)) {
        const std::string words = words_of(message);
        if (openclaw::is_startup_line(words)) {
          pass_over(line, entry, "startup-message", sink);
          return;
        }
        if (openclaw::is_delivery_mirror(source) && answers_.has(words)) {
          pass_over(line, entry, "mirror", sink);
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
    emit_message(line, entry, std::move(message), sink, find_moment(source, "timestamp"));
  }

  void emit_message(const Line& line, const Entry& entry, Message message, Sink& sink,
                    std::optional<Millis> time = std::nullopt) {
    if (message.is_too_large) {
      sink.skip({line.number, "too large: more than " + std::to_string(kMaxBlocks) + " blocks"});
    }
    const std::vector<transcript::Spawned> spawned = openclaw::spawned_by(message);
    emit(line, entry, std::move(message.blocks), sink, &message, time);
    for (const transcript::Spawned& one : spawned) sink.spawned(one);
  }

  // omp marks what it wrote itself; OpenClaw's gateway is known by its words.
  bool is_programs_prompt(const json::object& source, const Message& message) const {
    if (heading_.is_subagent() || find_string(source, "attribution") == "agent" ||
        find_bool(source, "synthetic").value_or(false)) {
      return true;
    }
    return is_openclaw() && openclaw::is_gateway_prompt(source, words_of(message));
  }

  void emit(const Line& line, const Entry& entry, std::vector<AuthoredBlock> authored, Sink& sink,
            const Message* message = nullptr, std::optional<Millis> time = std::nullopt) {
    if (authored.empty()) {
      pass_over(line, entry, "empty", sink);
      return;
    }
    RecordContent content{.entry = entry,
                          .print = line.print,
                          .number = number_,
                          .blocks = std::move(authored),
                          .is_prompt = message != nullptr && message->role == "user",
                          .is_answer = message != nullptr && message->role == "assistant",
                          .recorded = entry.time ? entry.time : time};
    if (message != nullptr) {
      content.model = message->model;
      content.message_id = message->response_id;
    }
    if (content.model.value_or("").empty())
      content.model = model_.empty() ? fallback_model_ : model_;
    turns_.emit(std::move(content), sink);
  }

  Dialect dialect_;
  std::optional<std::string> fallback_model_;
  HeadingBuilder heading_;
  std::uint64_t number_ = 0;  // records so far
  std::string model_;         // chosen last
  UsageSum usage_;
  SessionTurns turns_;
  openclaw::Answers answers_;
};

std::string SessionReader::save() const {
  json::object state{{"number", number_},      {"heading", heading_.save()},
                     {"model", model_},        {"usage", usage_.save()},
                     {"turns", turns_.save()}, {"answers", answers_.save()}};
  return canonical_json(state);
}

Status SessionReader::restore(std::string_view state) {
  const auto restore_from = [&](const json::object& object) {
    const auto number = find_int(object, "number");
    const json::object* heading = find_object(object, "heading");
    const auto model = find_string(object, "model");
    const json::object* turns = find_object(object, "turns");
    const json::array* answers = find_array(object, "answers");
    if (!number || *number < 0 || heading == nullptr || !model || turns == nullptr ||
        answers == nullptr) {
      return false;
    }
    if (!heading_.restore(*heading) || !turns_.restore(*turns) || !answers_.restore(*answers) ||
        !usage_.restore(find_array(object, "usage"))) {
      return false;
    }
    number_ = static_cast<std::uint64_t>(*number);
    model_ = *model;
    return true;
  };
  const Result<ParsedJson> parsed = parse_json(state);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  if (object == nullptr || !restore_from(*object)) {
    return fail(ErrorCode::corrupt,
                "restoring a reader of " + std::string(to_string(dialect_)) + ": not its state");
  }
  return {};
}

}  // namespace

std::string_view to_string(Dialect dialect) { return dialect == Dialect::pi ? "pi" : "openclaw"; }

std::unique_ptr<Reader> open_session(Dialect dialect, const SourceInfo& info) {
  return std::make_unique<SessionReader>(dialect, info);
}

}  // namespace weft::formats::pi
