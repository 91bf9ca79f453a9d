#include "weft/formats/adapters/opencode/conversation.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/opencode/record.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/inexact_record.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::opencode {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Role;
using transcript::Sink;
using transcript::Usage;

constexpr std::size_t kTitleLength = 200;

// As a session is called before it has a title.
bool is_placeholder(std::string_view title) {
  return title.empty() || title.starts_with("New session - ") ||
         title.starts_with("Child session - ");
}

std::string model_of(const json::object& message) {
  std::string model = text_in(message, "modelID");
  const json::object* object = find_object(message, "model");
  if (model.empty() && object != nullptr) {
    model = text_in(*object, "modelID");
    if (model.empty()) model = text_in(*object, "id");
  }
  return model;
}

}  // namespace

void Conversation::begin(Sink& sink) {
  if (builder_.has_begun()) return builder_.resume(sink);
  transcript::Heading heading{.format = std::string(kName),
                              .family = "opencode",
                              .program = "opencode",
                              .provider = {},
                              .session_id = id_};
  if (!parent_.empty()) {
    heading.session_id = root_.empty() ? parent_ : root_;
    heading.source = "subagent:" + id_;
  }
  builder_.begin(heading, sink);
  if (!info_->project.empty()) sink.facts({.project = info_->project});
  if (!parent_.empty()) sink.origin({.session_id = heading.session_id, .agent = id_});
}

bool Conversation::add_session(const json::object& session, Sink& sink) {
  if (!builder_.has_begun()) {
    parent_ = text_in(session, "parentID");
    root_ = text_in(session, "rootID");
  }
  begin(sink);
  Facts facts;
  if (std::string title = text_in(session, "title"); title != title_ && !is_placeholder(title)) {
    title_ = std::move(title);
    facts.title = title_;
  }
  if (std::string directory = text_in(session, "directory");
      !directory.empty() && directory != directory_) {
    directory_ = std::move(directory);
    facts.cwd = directory_;
    if (info_->project.empty() && !last_component(directory_).empty()) {
      facts.project = std::string(last_component(directory_));
    }
  }
  if (const json::object* time = find_object(session, "time")) {
    facts.updated_at = find_time(*time, "updated");
    if (facts.updated_at == updated_) facts.updated_at.reset();
    if (facts.updated_at) updated_ = facts.updated_at;
  }
  std::string fork = text_in(session, "forkedFrom");
  if (!fork.empty() && fork != fork_) {
    fork_ = std::move(fork);
    sink.origin({.kind = transcript::Origin::Kind::continued, .session_id = fork_});
  }
  if (facts == Facts{}) return false;
  sink.facts(facts);
  return true;
}

Conversation::Message& Conversation::message_of(std::string_view id, const json::object& part) {
  if (id.empty() && !messages_.empty()) return messages_.back();
  const auto found = std::ranges::find(messages_, id, &Message::id);
  if (found != messages_.end()) return *found;
  Message message{.id = std::string(id)};
  // Of a message without a record: prompts are complete when they are written, and have no times.
  const std::string_view type = find_string(part, "type").value_or("");
  const bool is_prompt = (type == "text" || type == "file" || type == "subtask") &&
                         find_member(part, "time") == nullptr;
  if (is_prompt) message.role = Role::human;
  if (messages_.size() == kMostMessages) messages_.pop_front();
  messages_.push_back(std::move(message));
  return messages_.back();
}

bool Conversation::add_message(const json::object& message, const Place& place, Sink& sink) {
  begin(sink);
  const std::string id = text_in(message, "id").empty() ? place.name : text_in(message, "id");
  auto found = std::ranges::find(messages_, id, &Message::id);
  bool is_news = false;
  if (found == messages_.end()) {
    if (!messages_.empty()) settle(messages_.back(), sink);
    if (messages_.size() == kMostMessages) messages_.pop_front();
    messages_.push_back({.id = id});
    found = std::prev(messages_.end());
  }
  Message& known = *found;
  is_news = !std::exchange(known.is_known, true);
  known.role = find_string(message, "role") == "user" ? Role::human : Role::assistant;
  known.is_summary = find_bool(message, "summary").value_or(false);
  if (std::string model = model_of(message); !model.empty()) known.model = std::move(model);
  Facts facts;
  if (const json::object* time = find_object(message, "time")) {
    if (!known.time) known.time = find_time(*time, "created");
    known.is_ended = find_member(*time, "completed") != nullptr;
    facts.updated_at = find_time(*time, known.is_ended ? "completed" : "created");
  }
  if (!known.time) known.time = place.time;
  const json::object* path = find_object(message, "path");
  if (std::string cwd = path == nullptr ? "" : text_in(*path, "cwd");
      !cwd.empty() && cwd != directory_) {
    directory_ = std::move(cwd);
    facts.cwd = directory_;
  }
  if (const json::object* summary = find_object(message, "summary"); known.role == Role::human) {
    known.title = summary == nullptr ? "" : text_in(*summary, "title");
    if (known.title.empty() && summary != nullptr) known.title = text_in(*summary, "body");
    if (known.title.size() > kMostErrorBytes) known.title.clear();
  }
  if (updated_ && facts.updated_at && *facts.updated_at <= *updated_) facts.updated_at.reset();
  if (facts.updated_at) updated_ = facts.updated_at;
  if (facts != Facts{}) sink.facts(facts), is_news = true;
  const Usage before = known.own;
  known.own = usage_of(find_object(message, "tokens"));
  is_news = recount(known, known.steps == Usage{} ? before : known.steps, sink) || is_news;
  const json::value* error = find_member(message, "error");
  if (error != nullptr && !error->is_null() && !known.has_failed) {
    is_news = is_news || !known.error;
    known.error = *error;
    known.is_ended = true;
  }
  if (known.is_ended) emit_pending(true, known.id, sink);
  // The error is emitted behind the parts, unless other messages came or it is too large to keep.
  const bool is_last = &known == &messages_.back();
  if (known.error && (!is_last || canonical_json(*known.error).size() > kMostErrorBytes)) {
    settle(known, sink);
  }
  return is_news;
}

// Emits the end of a message, and its text if only its title has it, once nothing more will come.
void Conversation::settle(Message& message, Sink& sink) {
  if (message.is_ended) emit_pending(true, message.id, sink);
  if (message.role == Role::human && message.is_known && !message.has_parts &&
      !message.title.empty()) {
    // Very old prompts have their words nowhere else.
    message.has_parts = true;
    emit({.place = message.id,
          .blocks = {{.author = voice_of(message).author,
                      .body = transcript::Text{.text = message.title}}},
          .is_prompt = true},
         message, sink);
  }
  if (!message.error) return;
  RecordContent content{
      .place = message.id, .blocks = {failure_of(*message.error)}, .is_answer = true};
  content.first_index = 1;  // behind words that it may have
  message.error.reset();
  message.has_failed = true;
  emit(std::move(content), message, sink);
}

bool Conversation::recount(Message& message, const Usage& before, Sink& sink) {
  // A message of several steps has the tokens of the last only.
  const Usage& now = message.steps == Usage{} ? message.own : message.steps;
  if (now == before) return false;
  constexpr std::array kFields = {&Usage::input, &Usage::output, &Usage::cache_read,
                                  &Usage::cache_write};
  constexpr std::int64_t kMost = std::int64_t{1} << 52;
  for (const auto field : kFields) {
    usage_.*field = std::clamp<std::int64_t>(usage_.*field + now.*field - before.*field, 0, kMost);
  }
  sink.facts({.usage = usage_});
  transcript::Request request = to_request(now, CachedInput::apart);
  request.message_id = message.id;
  request.model = message.model.value_or("");
  request.time = message.time;
  sink.request(request);
  return true;
}

Voice Conversation::voice_of(const Message& message) const {
  if (message.role == Role::assistant) return {Author::model, message.is_summary};
  // In a subagent's conversation nobody is human.
  return {parent_.empty() ? Author::human : Author::program, false};
}

void Conversation::emit(RecordContent content, Message& message, Sink& sink) {
  if (!content.time) content.time = message.time;
  content.model = message.model ? message.model : info_->model;
  if (!content.message_id) content.message_id = message.step.empty() ? message.id : message.step;
  if (content.message_id->empty()) content.message_id.reset();
  if (message.role == Role::assistant) content.is_answer = true;
  content.stays = message.role == Role::human && message.has_words;
  Facts facts;
  for (const AuthoredBlock& block : content.blocks) {
    const auto* text = std::get_if<transcript::Text>(&block.body);
    if (block.author != Author::human) continue;
    message.has_words = true;
    if (text != nullptr && title_.empty()) {
      title_ = one_line(text->text, kTitleLength);
      facts.title = title_;
    }
  }
  builder_.emit(std::move(content), sink);
  if (facts != Facts{}) sink.facts(facts);
}

bool Conversation::add_error(const json::value& error, const Place& place, Sink& sink) {
  begin(sink);
  const bool is_running = !messages_.empty() && messages_.back().is_known &&
                          messages_.back().role == Role::assistant &&
                          (!messages_.back().is_ended || messages_.back().error);
  if (is_running) return false;
  RecordContent content{.place = place.name, .blocks = {failure_of(error)}, .is_answer = true};
  content.time = place.time;
  if (!place.inexact.empty()) keep_exact(content.blocks, "error", place.inexact);
  builder_.emit(std::move(content), sink);
  return true;
}

}  // namespace weft::formats::opencode
