#include "weft/formats/adapters/kimi/speaker.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Author;
using transcript::Sink;
using transcript::ToolCall;
using transcript::ToolResult;

constexpr std::array<std::string_view, 8> kStepEnds = {
    "StepBegin",    "StepInterrupted", "StepRetry",     "TurnEnd",
    "StatusUpdate", "CompactionBegin", "CompactionEnd", "TurnBegin"};
constexpr std::array<std::string_view, 10> kProgressEvents = {
    "StepBegin",     "StepInterrupted", "StepRetry",       "TurnEnd",       "CompactionBegin",
    "HookTriggered", "HookResolved",    "MCPLoadingBegin", "MCPLoadingEnd", "MCPStatus"};
// Requests to a person: what they answered is in the tool's result, or follows.
constexpr std::array<std::string_view, 4> kInternalEvents = {"ApprovalRequest", "QuestionRequest",
                                                             "QuestionResponse", "HookRequest"};
// A plan that is shown was written by a call; a call that a client runs is a call.
constexpr std::array<std::string_view, 2> kMirrors = {"PlanDisplay", "ToolCallRequest"};

}  // namespace

void Speaker::read(const Event& event, Sink& sink) {
  if (is_one_of(event.type, kStepEnds)) settle(sink);
  if (event.type == "StepBegin") step_ = event.place;
  if (is_one_of(event.type, kProgressEvents)) {
    sink.skip({event.line, "progress"});
  } else if (is_one_of(event.type, kInternalEvents)) {
    sink.skip({event.line, "internal"});
  } else if (is_one_of(event.type, kMirrors)) {
    sink.skip({event.line, "mirror"});
  } else if (event.type == "CompactionEnd") {
    // What it came to is in the context alone.
    emit(event, {{.author = Author::model, .body = transcript::Compaction{}}}, sink);
  } else if (event.payload == nullptr) {
    sink.skip({event.line, "empty"});
  } else if (event.type == "TurnBegin" || event.type == "SteerInput") {
    read_prompt(event, sink);
  } else if (event.type == "ContentPart") {
    read_part(event, sink);
  } else if (event.type == "ToolCall") {
    read_call(event, sink);
  } else if (event.type == "ToolCallPart") {
    read_arguments(event, sink);
  } else if (event.type == "ToolResult") {
    read_result(event, sink);
  } else if (event.type == "StatusUpdate") {
    read_status(event, sink);
  } else {
    read_aside(event, sink);
  }
}

void Speaker::read_prompt(const Event& event, Sink& sink) {
  settle(sink);
  std::vector<AuthoredBlock> blocks = append_prompt(find_member(*event.payload, "user_input"));
  if (prompts_ == Prompts::of_program) {
    for (AuthoredBlock& one : blocks) one.author = Author::program;
  }
  emit(event, std::move(blocks), sink);
}

// As kimi-cli itself joins them: text with text, thinking with thinking until it is signed.
void Speaker::read_part(const Event& event, Sink& sink) {
  transcript::Body body = parse_part(*event.payload);
  auto* text = std::get_if<transcript::Text>(&body);
  auto* thinking = std::get_if<transcript::Thinking>(&body);
  if (text == nullptr && thinking == nullptr) {
    settle(sink);
    emit(event, {{.author = Author::model, .body = std::move(body)}}, sink);
    return;
  }
  const Piece piece = text != nullptr ? Piece::text : Piece::thinking;
  std::string& words = text != nullptr ? text->text : thinking->text;
  const bool goes_on = pending_ && pending_->piece == piece && pending_->signature.empty() &&
                       pending_->text.size() + words.size() <= kMostTextBytes;
  if (!goes_on) {
    settle(sink);
    pending_ = {.piece = piece,
                .place = event.place,
                .time = event.time,
                .step = step_of(event.place),
                .text = {},
                .signature = {},
                .id = {},
                .name = {}};
  }
  pending_->text += words;
  if (thinking != nullptr) pending_->signature = thinking->signature.value_or("");
  if (pending_->text.size() >= kMostTextBytes) settle(sink);
}

void Speaker::read_call(const Event& event, Sink& sink) {
  settle(sink);
  const json::object* function = find_object(*event.payload, "function");
  if (function == nullptr) function = event.payload;
  pending_ = {.piece = Piece::call,
              .place = event.place,
              .time = event.time,
              .step = step_of(event.place),
              .text = {},
              .signature = {},
              .id = find_words(*event.payload, "id").value_or(""),
              .name = find_words(*function, "name").value_or("")};
  pending_->arguments.start();
  add_arguments(find_string(*function, "arguments").value_or(""), sink);
}

void Speaker::read_arguments(const Event& event, Sink& sink) {
  const std::string_view part = find_string(*event.payload, "arguments_part").value_or("");
  if (part.empty()) {
    sink.skip({event.line, "empty"});
  } else if (!pending_ || pending_->piece != Piece::call) {
    sink.skip({event.line, "malformed: arguments of no call"});
  } else if (pending_->text.size() + part.size() > kMostArgumentBytes) {
    sink.skip({event.line, "too large: arguments in pieces"});
    settle(sink);
  } else {
    add_arguments(part, sink);
  }
}

// They are whole when their brackets are closed: no part of an object is one.
void Speaker::add_arguments(std::string_view arguments, Sink& sink) {
  pending_->text += arguments;
  if (pending_->feed(arguments) || pending_->text.size() > kMostArgumentBytes) settle(sink);
}

void Speaker::read_result(const Event& event, Sink& sink) {
  ToolResult result{.call_id = find_words(*event.payload, "tool_call_id").value_or("")};
  if (pending_ && pending_->piece == Piece::call && pending_->id == result.call_id) settle(sink);
  if (const json::object* value = find_object(*event.payload, "return_value")) {
    result.is_error = find_bool(*value, "is_error").value_or(false);
    set_output(result, find_member(*value, "output"));
    json::object details;
    if (const auto message = find_words(*value, "message")) {
      if (result.text.empty()) result.text = *message;
      else details["message"] = *message;
    }
    const json::array* display = find_array(*value, "display");
    if (display != nullptr && !display->empty()) details["display"] = *display;
    const json::value* extras = find_member(*value, "extras");
    if (extras != nullptr && !extras->is_null()) details["extras"] = *extras;
    if (!details.empty() && !result.details) result.details = std::move(details);
  }
  const auto agent = spawned_agent(result);
  const std::string call_id = result.call_id;
  emit(event, {{.author = Author::tool, .body = std::move(result)}}, sink);
  if (agent && spawning_.has(call_id)) sink.spawned({.call_id = call_id, .agent = agent});
}

void Speaker::read_status(const Event& event, Sink& sink) {
  const auto usage = find_usage(*event.payload, "token_usage");
  if (!usage) {
    sink.skip({event.line, "progress"});
    return;
  }
  usage_.add(*usage);
  builder_.resume(sink);
  sink.facts({.usage = usage_.sum()});
  transcript::Request request = to_request(*usage, CachedInput::apart);
  request.message_id = find_string(*event.payload, "message_id").value_or("");
  request.model = model_.value_or("");
  request.time = event.time;
  sink.request(request);
}

// Between the lines: what a person says to a request for approval, what is asked by the way,
// and what the program notes.
void Speaker::read_aside(const Event& event, Sink& sink) {
  const auto words = [&](std::string_view key) { return find_words(*event.payload, key); };
  const auto emit_words = [&](Author author, std::string text) {
    emit(event,
         {{.author = author, .body = transcript::Text{.text = std::move(text), .citations = {}}}},
         sink);
  };
  if (event.type == "ApprovalResponse" || event.type == "ApprovalRequestResolved") {
    const auto feedback = words("feedback");
    if (!feedback) {
      sink.skip({event.line, "internal"});
      return;
    }
    settle(sink);
    emit_words(Author::human, *feedback);
  } else if (event.type == "BtwBegin") {
    settle(sink);
    if (const auto question = words("question")) emit_words(Author::human, *question);
    else sink.skip({event.line, "empty"});
  } else if (event.type == "BtwEnd") {
    settle(sink);
    const auto error = words("error");
    if (const auto answer = words("response")) {
      emit_words(Author::model, *answer);
    } else if (error) {
      emit(event, {{.author = Author::program, .body = transcript::Failure{.text = *error}}}, sink);
    } else {
      sink.skip({event.line, "empty"});
    }
  } else if (event.type == "Notification") {
    std::string note = words("title").value_or("");
    if (const auto body = words("body")) note += (note.empty() ? "" : "\n") + *body;
    if (note.empty()) sink.skip({event.line, "empty"});
    else emit_words(Author::program, std::move(note));
  } else {
    emit(event,
         {{.author = Author::program,
           .body = transcript::Unknown{.block_type = std::string(event.type),
                                       .raw = *event.payload,
                                       .raw_text = std::nullopt}}},
         sink);
  }
}

void Speaker::emit(const Event& event, std::vector<AuthoredBlock> authored, Sink& sink) {
  if (authored.empty()) {
    sink.skip({event.line, "empty"});
    return;
  }
  builder_.emit({.place = event.place,
                 .blocks = std::move(authored),
                 .is_prompt = true,
                 .time = event.time,
                 .model = model_,
                 .message_id = step_of(event.place)},
                sink);
}

}  // namespace weft::formats::kimi
