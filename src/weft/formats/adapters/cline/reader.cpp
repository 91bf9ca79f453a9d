#include "weft/formats/adapters/cline/reader.hpp"

#include <utility>

#include "weft/formats/adapters/cline/beside.hpp"
#include "weft/formats/adapters/cline/message.hpp"
#include "weft/formats/adapters/cline/prompt_origin.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::cline {
namespace {

using transcript::Author;
using transcript::Sink;

constexpr std::string_view kPromptPlace = "system_prompt";

class ClineReader final : public JsonReader {
 public:
  explicit ClineReader(const SourceInfo& info) : JsonReader(kName), info_(info), beside_(info) {}

  void finish(Sink& sink) override {
    if (pending_) emit_pending(sink);
    // A session without messages has only its system prompt.
    if (!prompt_.empty()) begin_session(prompt_, sink);
  }

 private:
  // An unfinished message of the display: the next one may be the same message, grown.
  struct PendingEvent {
    std::string text, kind;
    std::uint64_t line = 1, number = 0;
    void archive(StateArchive& a) {
      a.field("text", text);
      a.field("kind", kind);
      a.field("line", line);
      a.field("number", number);
    }
  };

  void read_record(JsonRecord record, Sink& sink) override {
    if (!record.member.empty()) return read_member(record, sink);
    const json::object* object = record.object();
    if (object == nullptr) return sink.skip({record.line, "malformed: not an object"});
    if (is_ui_message(*object)) return read_ui(record, *object, sink);
    if (pending_) emit_pending(sink);
    read_message(record, *object, sink);
  }

  void read_member(const JsonRecord& record, Sink& sink) {
    is_session_ = true;
    const json::value& value = record.parsed.value;
    const std::string_view text = value.is_string() ? view(value.get_string()) : "";
    if (record.member == "sessionId" && !text.empty() && text.size() <= kMaxNameBytes) {
      session_ = text;
    } else if (record.member == "system_prompt" && !text.empty()) {
      prompt_ = text;  // whose it is, a member behind it may say
    } else if (record.member == "updated_at" && parse_iso8601(text)) {
      updated_ = parse_iso8601(text);
      if (builder_.has_begun()) emit_facts({.updated_at = updated_}, sink);
    } else {
      sink.skip({record.line, "internal"});
    }
  }

  void read_message(const JsonRecord& record, const json::object& object, Sink& sink) {
    auto message = parse_message(object, is_session_ ? Era::session : Era::task);
    if (!message) return sink.skip({record.line, "malformed: not a message"});
    if (record.parsed.inexact) {
      const bool is_of_model = message->is_of_model;
      message->blocks = {{is_of_model ? Author::model : Author::program,
                          anthropic::unknown_from_text(record.parsed.value, record.text)}};
    }
    if (is_session_) begin_session(record.raw, sink);
    if (!builder_.has_begun()) begin_task(record.raw, sink);
    const UiLog* log = beside_.log(is_session_);
    if (!message->time && log != nullptr) {
      message->time = log->time_of(record.number - 1, answers_);
    }
    if (message->is_of_model) ++answers_;
    if (!message->model) message->model = beside_.about(is_session_).model_at(message->time);
    if (!message->model) message->model = info_.model;
    emit_facts(facts_of(*message), sink);
    if (message->blocks.empty()) return sink.skip({record.line, "empty"});
    const std::string place = message->id.value_or(record.counted());
    std::vector<std::string> spawning;
    for (AuthoredBlock& authored : message->blocks) {
      if (is_by_parent(authored)) authored.author = Author::program;
      const auto* call = std::get_if<transcript::ToolCall>(&authored.body);
      if (call != nullptr && is_spawning(*call)) spawning.push_back(call->id);
    }
    has_spoken_ = true;
    std::optional<std::string> step;
    if (message->is_of_the_next) step = "#" + std::to_string(record.number + 1);
    builder_.emit({.place = place,
                   .blocks = std::move(message->blocks),
                   .is_prompt = true,
                   .is_answer = message->is_of_model,
                   .time = message->time,
                   .model = std::move(message->model),
                   .message_id = std::move(step)},
                  sink);
    for (std::string& call : spawning) sink.spawned({.call_id = std::move(call)});
  }

  static bool is_spawning(const transcript::ToolCall& call) {
    return !call.id.empty() && (call.name == "new_task" || call.name == "spawn_agent");
  }

  // What a subtask begins with was written by the agent that set it.
  bool is_by_parent(const AuthoredBlock& authored) const {
    return !has_spoken_ && authored.author == Author::human &&
           builder_.heading().source.starts_with("subagent:");
  }

  transcript::Facts facts_of(const Message& message) {
    transcript::Facts facts;
    if (message.directory && !has_cwd_) {
      facts.cwd = *message.directory;
      has_cwd_ = true;
    }
    if (!has_title_ && !is_session_) {
      for (const AuthoredBlock& authored : message.blocks) {
        const auto* words = std::get_if<transcript::Text>(&authored.body);
        if (words == nullptr || authored.author != Author::human || has_title_) continue;
        facts.title = title_of(words->text);
        has_title_ = true;
      }
    }
    const UiLog* log = beside_.log(is_session_);
    const bool is_logged = log != nullptr && log->usage != transcript::Usage();
    if (message.usage && !is_logged) {
      usage_.add(*message.usage);
      facts.usage = usage_.sum();
    }
    return facts;
  }

  void read_ui(const JsonRecord& record, const json::object& object, Sink& sink) {
    if (beside_.is_mirror()) return sink.skip({record.line, "mirror"});
    if (pending_) {
      const bool goes_on = pending_->kind == ui_kind(object);
      if (goes_on) {
        sink.skip({pending_->line, "partial"});
        pending_.reset();
      } else {
        emit_pending(sink);
      }
    }
    if (find_bool(object, "partial") == true) {
      pending_ =
          PendingEvent{std::string(record.text), ui_kind(object), record.line, record.number};
      return;
    }
    emit_ui(object, record.parsed.inexact, record.text, record.line, record.counted(), sink);
  }

  void emit_pending(Sink& sink) {
    const PendingEvent pending = *std::exchange(pending_, std::nullopt);
    const Result<ParsedJson> parsed = parse_json(pending.text);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    if (object == nullptr) return;
    emit_ui(*object, parsed->inexact, pending.text, pending.line,
            "#" + std::to_string(pending.number), sink);
  }

  void emit_ui(const json::object& object, bool inexact, std::string_view text, std::uint64_t line,
               const std::string& place, Sink& sink) {
    UiMessage message = parse_ui_message(object, has_spoken_ ? IsFirst::no : IsFirst::yes);
    if (!message.noise.empty()) return sink.skip({line, std::string(message.noise)});
    if (inexact && !message.blocks.empty()) {
      message.blocks = {{Author::program, anthropic::unknown_from_text(object, text)}};
    }
    if (!builder_.has_begun()) begin_task(text, sink);
    transcript::Facts facts;
    if (message.usage) {
      usage_.add(*message.usage);
      facts.usage = usage_.sum();
    }
    if (message.is_request) request_ = place;
    for (const AuthoredBlock& authored : message.blocks) {
      const auto* words = std::get_if<transcript::Text>(&authored.body);
      if (words == nullptr || authored.author != Author::human || has_title_) continue;
      facts.title = title_of(words->text);
      has_title_ = true;
    }
    emit_facts(facts, sink);
    if (message.blocks.empty()) return;
    has_spoken_ = true;
    const auto model = beside_.about(is_session_).model_at(message.time);
    builder_.emit({.place = place,
                   .blocks = std::move(message.blocks),
                   .is_answer = true,
                   .time = message.time,
                   .model = model ? model : info_.model,
                   .message_id = request_.empty() ? std::nullopt : std::optional(request_)},
                  sink);
  }

  void begin_task(std::string_view text, Sink& sink) {
    std::string task = beside_.task();
    if (task.empty()) task = session_from(text);
    begin(std::move(task), sink);
  }

  // Also emits the system prompt.
  void begin_session(std::string_view text, Sink& sink) {
    if (!builder_.has_begun()) {
      std::string session = session_;
      const std::string_view name = info_.name;
      if (session.empty() && name.ends_with(kSessionSuffix)) {
        session = name.substr(0, name.size() - kSessionSuffix.size());
      }
      if (session.empty()) session = session_from(text);
      begin(std::move(session), sink);
    }
    if (prompt_.empty()) return;
    std::vector<AuthoredBlock> authored;
    authored.push_back(
        {Author::program, transcript::Text{.text = std::exchange(prompt_, {}), .citations = {}}});
    builder_.emit({.place = std::string(kPromptPlace), .blocks = std::move(authored)}, sink);
  }

  void begin(std::string session, Sink& sink) {
    const About& known = beside_.about(is_session_);
    transcript::Heading heading{.format = std::string(kName),
                                .family = "cline",
                                .program = program_of(info_.directory),
                                .provider = {},
                                .session_id = std::move(session)};
    const bool is_spawned = known.origin && known.origin->kind == transcript::Origin::Kind::spawned;
    if (is_spawned) {
      heading.session_id = known.origin->session_id;
      heading.source = "subagent:" + known.agent;
    }
    builder_.begin(std::move(heading), sink);
    transcript::Facts facts{.title = known.title, .cwd = known.cwd, .updated_at = updated_};
    if (!info_.project.empty()) facts.project = info_.project;
    if (!facts.project && known.cwd) facts.project = last_component(*known.cwd);
    has_title_ = known.title.has_value();
    has_cwd_ = known.cwd.has_value();
    if (const UiLog* log = beside_.log(is_session_)) {
      if (log->usage != transcript::Usage()) facts.usage = log->usage;
      if (!facts.updated_at) facts.updated_at = log->last;
    }
    emit_facts(facts, sink);
    if (known.origin) sink.origin(*known.origin);
  }

  void emit_facts(const transcript::Facts& facts, Sink& sink) {
    builder_.resume(sink);
    if (facts != transcript::Facts()) sink.facts(facts);
  }

  void archive(StateArchive& a) override {
    a.field("session", is_session_);
    a.field("id", session_);
    a.field("prompt", prompt_);
    a.field("request", request_);
    a.field("answers", answers_);
    a.field("title", has_title_);
    a.field("cwd", has_cwd_);
    a.field("spoken", has_spoken_);
    a.optional("updated", updated_);
    a.optional("held", pending_);
    usage_.archive(a, "usage");
    a.field("teller", builder_);
  }

  SourceInfo info_;
  bool is_session_ = false;  // not a task
  std::string session_, prompt_;
  std::optional<Millis> updated_;
  std::string request_;        // of what was shown: the place of the last request
  std::uint64_t answers_ = 0;  // messages of the model so far
  bool has_title_ = false, has_cwd_ = false;
  bool has_spoken_ = false;  // anyone
  std::optional<PendingEvent> pending_;
  UsageSum usage_;
  TurnBuilder builder_;
  Beside beside_;  // no part of the state
};

}  // namespace

std::unique_ptr<Reader> open_conversation(const SourceInfo& info) {
  return std::make_unique<ClineReader>(info);
}

}  // namespace weft::formats::cline
