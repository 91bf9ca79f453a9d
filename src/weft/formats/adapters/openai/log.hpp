// Reads a log of OpenAI's APIs body by body: requests and answers of both APIs, pairs, batches,
// lists, bare messages, and streams.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/apis/openai/chat_stream.hpp"
#include "weft/formats/apis/openai/conversation_log.hpp"
#include "weft/formats/apis/openai/response_stream.hpp"

namespace weft::formats::openai {

inline constexpr std::string_view kName = "openai";

class Log {
 public:
  explicit Log(const SourceInfo& info);

  // What is not mapped is skipped.
  void read(const json::value& value, Place& place, transcript::Sink& sink);
  // "[DONE]"
  void end_stream(Place& place, transcript::Sink& sink);
  // An answer that has not come to its end is told as far as it came.
  void finish(transcript::Sink& sink) const;
  void keep_text(const json::value& value, std::string_view text, Place& place,
                 transcript::Sink& sink) {
    talk_.keep_text(value, text, place, sink);
  }

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  void read_body(const json::object& body, Place& place, transcript::Sink& sink);
  void read_request(const json::object& body, Place& place, transcript::Sink& sink);
  // Whether it said anything new.
  bool ask(const json::object& body, Place& place, transcript::Sink& sink);
  void read_answer(Answer answer, Place& place, transcript::Sink& sink);
  void fail(transcript::Failure failure, Place& place, transcript::Sink& sink);
  void read_pair(const json::object& body, Place& place, transcript::Sink& sink);
  void read_batch(const json::object& body, Place& place, transcript::Sink& sink);
  // The answer of a pair: a body, or a stream as a list or as one text.
  void read_reply(const json::value& reply, Place& place, transcript::Sink& sink);
  void read_events(std::string_view text, Place& place, transcript::Sink& sink);
  void read_chunk(const json::object& chunk, Place& place, transcript::Sink& sink);
  void read_event(const json::object& event, Place& place, transcript::Sink& sink);
  void emit(ChatStream::Step step, const transcript::Failure& why_cut, Place& place,
            transcript::Sink& sink);
  void emit(ResponseStream::Step step, Place& place, transcript::Sink& sink);
  // The stream is over: a next one has nothing to do with it.
  void cut_streams(Place& place, transcript::Sink& sink);

  ConversationLog talk_;
  ChatStream chat_;
  ResponseStream responses_;
  // Where the chat stream at hand began, for what has no id.
  std::string stream_record_, stream_name_;
  std::string ignored_;  // the id of a stream that says again what was said: so does its usage
};

}  // namespace weft::formats::openai
