#include "weft/formats/adapters/openai/log.hpp"

#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Sink;

transcript::Failure broke_off() { return {.text = "the stream broke off"}; }

}  // namespace

Log::Log(const SourceInfo& info)
    : talk_({.format = std::string(kName), .family = "openai", .program = "openai-api"}, info) {}

void Log::read(const json::value& value, Place& place, Sink& sink) {
  if (const json::object* body = value.if_object()) {
    read_body(*body, place, sink);
  } else if (const json::array* bodies = value.if_array(); bodies && !bodies->empty()) {
    for (const json::value& one : *bodies) {
      if (one.is_object()) read_body(one.get_object(), place, sink);
      else sink.skip({place.line, "malformed: not an object"});
    }
  } else {
    sink.skip({place.line, "malformed: not an object"});
  }
}

void Log::read_body(const json::object& body, Place& place, Sink& sink) {
  switch (shape_of(body)) {
    case Shape::event: read_event(body, place, sink); break;
    case Shape::chunk: read_chunk(body, place, sink); break;
    case Shape::answer: {
      // Some gateways answer with what was asked, too.
      const json::array* input = find_array(body, "input");
      if (input != nullptr && !input->empty()) ask(body, place, sink);
      read_answer(parse_answer(body), place, sink);
      break;
    }
    case Shape::request: read_request(body, place, sink); break;
    case Shape::pair: read_pair(body, place, sink); break;
    case Shape::batch: read_batch(body, place, sink); break;
    case Shape::list:
      for (const json::value& one : *find_array(body, "data")) read(one, place, sink);
      break;
    case Shape::message: {
      auto message = parse_message(body);
      if (!message) sink.skip({place.line, "malformed: unknown role"});
      else if (!talk_.append_text(std::move(*message), place, sink))
        sink.skip({place.line, "empty"});
      break;
    }
    case Shape::item:
      if (!talk_.append_text(parse_item(body), place, sink)) sink.skip({place.line, "empty"});
      break;
    case Shape::error: fail(failure_of(body.at("error")), place, sink); break;
    case Shape::endpoint: sink.skip({place.line, "another endpoint"}); break;
    case Shape::other: sink.skip({place.line, "no message"}); break;
  }
}

bool Log::ask(const json::object& body, Place& place, Sink& sink) {
  Request request = parse_request(body);
  for (std::size_t i = 0; i < request.strange; ++i) {
    sink.skip({place.line, "malformed: unknown role"});
  }
  if (request.is_too_large) {
    sink.skip({place.line, "too large: more than " + std::to_string(kMaxParts) + " parts"});
  }
  return talk_.ask(std::move(request), place, sink);
}

void Log::read_request(const json::object& body, Place& place, Sink& sink) {
  if (!ask(body, place, sink)) sink.skip({place.line, "duplicate"});
}

void Log::read_answer(Answer answer, Place& place, Sink& sink) {
  switch (talk_.answer(std::move(answer), place, sink)) {
    case ConversationLog::RecordContent::news: break;
    case ConversationLog::RecordContent::duplicate: sink.skip({place.line, "duplicate"}); break;
    case ConversationLog::RecordContent::nothing: sink.skip({place.line, "empty"}); break;
  }
}

// Of the stream that is coming, or in place of an answer.
void Log::fail(transcript::Failure failure, Place& place, Sink& sink) {
  if (chat_.is_open()) {
    emit(chat_.end(), failure, place, sink);
    chat_ = {};
    return;
  }
  Answer answer;
  answer.choices.push_back({.failure = std::move(failure)});
  read_answer(std::move(answer), place, sink);
}

void Log::read_pair(const json::object& body, Place& place, Sink& sink) {
  if (const auto time = logged_at(body)) place.time = time;
  const json::value* asked = find_given(body, "request");
  const json::value* request = asked == nullptr ? nullptr : &unwrapped(*asked);
  const bool is_request = request != nullptr && request->is_object() &&
                          shape_of(request->get_object()) == Shape::request;
  const bool is_emitted = is_request && ask(request->get_object(), place, sink);
  if (const json::value* reply = find_given(body, "response")) {
    const json::object* envelope = reply->if_object();
    const json::value* times = envelope == nullptr ? nullptr : find_given(*envelope, "times");
    if (times != nullptr) place.came = ArrivalTimes(*times).all();
    read_reply(unwrapped(*reply), place, sink);
    place.came = {};
  } else if (const json::value* error = find_given(body, "error")) {
    fail(failure_of(*error), place, sink);
  } else if (!is_emitted) {
    sink.skip({place.line, is_request ? "duplicate" : "no message"});
  }
}

// {"custom_id":…,"body":{…}} asks, {"custom_id":…,"response":{"body":{…}}} answers.
void Log::read_batch(const json::object& body, Place& place, Sink& sink) {
  const json::object* request = find_object(body, "body");
  if (request == nullptr) {
    talk_.part(place);
    read_pair(body, place, sink);
  } else if (shape_of(*request) == Shape::request) {
    read_request(*request, place, sink);
  } else {
    sink.skip({place.line, "another endpoint"});
  }
}

void Log::read_reply(const json::value& reply, Place& place, Sink& sink) {
  if (const json::string* text = reply.if_string()) {
    const std::string_view words = view(*text);
    const std::size_t first = words.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && words[first] == '{') {
      const auto parsed = parse_or_skip(words, place.line, sink);
      if (parsed) read(parsed->value, place, sink);
    } else {
      read_events(words, place, sink);
    }
  } else {
    read(reply, place, sink);
  }
  cut_streams(place, sink);
}

void Log::read_events(std::string_view text, Place& place, Sink& sink) {
  const auto framer = sse_framer();
  std::size_t events = 0;
  const OnRecord record = [&](const Record& event) {
    if (event.stray) return;
    ++events;
    if (event.text == "[DONE]") {
      end_stream(place, sink);
      return;
    }
    std::string storage;
    std::size_t repairs = 0;
    const std::string_view json = repair_json(event.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    if (const auto parsed = parse_or_skip(json, place.line, sink)) read(parsed->value, place, sink);
  };
  const OnOversize oversize = [&](std::uint64_t, std::uint64_t bytes) {
    sink.skip(skipped_oversize(place.line, bytes));
  };
  framer->push(text, record, oversize);
  framer->end(record, oversize);
  if (events == 0) sink.skip({place.line, "no message"});
}

void Log::read_chunk(const json::object& chunk, Place& place, Sink& sink) {
  const bool was_open = chat_.is_open();
  const std::string before = chat_.id();
  ChatStream::Step step = chat_.push(chunk);
  const ChatStream::EventOutcome push_outcome = step.outcome;
  if (!was_open || before != chat_.id()) {
    // The rest of the stream before is emitted in its own place.
    ChatStream::Step left;
    for (StreamedChoice& choice : step.choices) {
      if (choice.is_cut) left.choices.push_back(std::move(choice));
    }
    std::erase_if(step.choices, [](const StreamedChoice& choice) { return choice.is_cut; });
    emit(std::move(left), broke_off(), place, sink);
    stream_record_ = place.record;
    stream_name_ = session_from(place.raw);
  }
  emit(std::move(step), broke_off(), place, sink);
  switch (push_outcome) {
    case ChatStream::EventOutcome::part: break;
    case ChatStream::EventOutcome::filter: sink.skip({place.line, "prompt filter"}); break;
    case ChatStream::EventOutcome::stray:
      sink.skip({place.line, "malformed: behind the end"});
      break;
    case ChatStream::EventOutcome::malformed:
      sink.skip({place.line, "malformed: not a chunk"});
      break;
    case ChatStream::EventOutcome::too_large:
      sink.skip({place.line, "too large: the message"});
      break;
  }
}

void Log::emit(ChatStream::Step step, const transcript::Failure& why_cut, Place& place,
               Sink& sink) {
  for (StreamedChoice& choice : step.choices) {
    Answer answer{.id = choice.id,
                  .name = stream_name_,
                  .model = choice.model,
                  .time = time_of(&choice.created)};
    answer.provider = provider_of(answer.model);
    answer.choices.push_back(parse_choice(choice.index, choice.message, choice.finish_reason));
    if (choice.is_cut) answer.choices.back().failure = why_cut;
    Place from = place;
    if (answer.id.empty() && !stream_record_.empty()) from.record = stream_record_;
    const ConversationLog::RecordContent content = talk_.answer(std::move(answer), from, sink);
    place.next = from.next;
    if (content == ConversationLog::RecordContent::duplicate) {
      ignored_ = choice.id;
      sink.skip({place.line, "duplicate"});
    } else {
      ignored_.clear();
    }
  }
  if (!step.usage) return;
  const bool is_ignored = !ignored_.empty() && ignored_ == chat_.id();
  if (!is_ignored) talk_.add_usage(*step.usage, chat_.id(), chat_.model(), place, sink);
}

void Log::read_event(const json::object& event, Place& place, Sink& sink) {
  ResponseStream::Step step = responses_.push(event);
  const ResponseStream::EventOutcome push_outcome = step.outcome;
  emit(std::move(step), place, sink);
  using EventOutcome = ResponseStream::EventOutcome;
  switch (push_outcome) {
    case EventOutcome::part: break;
    case EventOutcome::progress: sink.skip({place.line, "progress"}); break;
    case EventOutcome::stray: sink.skip({place.line, "malformed: an event of no response"}); break;
    case EventOutcome::unknown: sink.skip({place.line, "unknown event"}); break;
    case EventOutcome::malformed: sink.skip({place.line, "malformed: not an event"}); break;
    case EventOutcome::too_large: sink.skip({place.line, "too large: the response"}); break;
  }
}

void Log::emit(ResponseStream::Step step, Place& place, Sink& sink) {
  for (StreamedResponse& one : step.responses) {
    Answer answer = parse_answer(one.response);
    if (one.is_cut && !answer.choices.front().failure) answer.choices.front().failure = broke_off();
    if (talk_.answer(std::move(answer), place, sink) == ConversationLog::RecordContent::duplicate) {
      sink.skip({place.line, "duplicate"});
    }
  }
}

void Log::end_stream(Place& place, Sink& sink) {
  emit(chat_.close(), broke_off(), place, sink);
  stream_record_.clear();
  stream_name_.clear();
}

void Log::cut_streams(Place& place, Sink& sink) {
  emit(chat_.end(), broke_off(), place, sink);
  emit(responses_.end(), place, sink);
  chat_ = {};
  responses_ = {};
  stream_record_.clear();
  stream_name_.clear();
}

void Log::finish(Sink& sink) const {
  // On a copy: if the file grows, the stream continues.
  Log copy = *this;
  Place place{.record = stream_record_, .line = 0};
  copy.cut_streams(place, sink);
}

void Log::archive(StateArchive& a) {
  a.field("talk", talk_);
  a.field("chat", chat_);
  a.field("responses", responses_);
  a.field("stream_record", stream_record_);
  a.field("stream_name", stream_name_);
  a.field("ignored", ignored_);
}

}  // namespace weft::formats::openai
