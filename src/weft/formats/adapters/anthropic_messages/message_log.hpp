// MessageLog: reads a log of the Messages API, body by body. Internal; the adapter itself is in
// adapter.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/anthropic/body.hpp"
#include "weft/formats/apis/anthropic/content.hpp"
#include "weft/formats/apis/anthropic/stream.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/request_history.hpp"

namespace weft::formats::anthropic {

inline constexpr std::string_view kMessagesName = "anthropic-messages";

Confidence recognises_messages(std::string_view head);
// Server-sent events, JSON lines, or one document.
std::unique_ptr<Framer> frame_messages(std::string_view head);

class MessageLog {
 public:
  explicit MessageLog(const SourceInfo& info);

  // Reads the record `number` of the file if it is an event or the end of a stream; false if not.
  // Streams are repaired event by event, because one event may end with half of a character.
  bool read_stream(const Record& record, std::uint64_t number, transcript::Sink& sink);
  // Reads any other record, after read_stream(): of one that is not JSON, the whole members. What
  // is not mapped is skipped. False if it has no members.
  bool read(const JsonRecord& record, transcript::Sink& sink);
  // Emits an unfinished message as far as it came.
  void finish(transcript::Sink& sink);

  // A hash of the beginning of a request, equal for all requests of one conversation. 0 if it is
  // empty.
  static std::uint64_t beginning_of(std::string_view request);

  void archive(StateArchive& a);

 private:
  // Remembered ids of responses. An older one that is repeated is emitted again, in the same place.
  static constexpr std::size_t kMostIds = 64;

  // The place of a body, and what the log around it adds.
  struct Place {
    std::string record;  // "#3"
    std::optional<Millis> time;
    std::string_view raw;  // of the whole record: names the session where nothing else does
    Arrival came{};        // arrival of its answer, if the log has it
  };

  void read_body(const LoggedBody& body, const Place& place, transcript::Sink& sink);
  void read_event(std::string_view event, std::uint64_t line, const Place& place,
                  transcript::Sink& sink);
  void read_events(std::string_view text, std::uint64_t line, const ArrivalTimes& arrivals,
                   const Place& place, transcript::Sink& sink);
  void read_response(const LoggedBody& body, const Place& place, transcript::Sink& sink);
  // Whether it had anything new.
  bool read_request(const LoggedBody& body, const Place& place, transcript::Sink& sink);
  void read_pair(const LoggedBody& body, const Place& place, transcript::Sink& sink);
  void read_answer(const LoggedBody& pair, const Place& place, transcript::Sink& sink);
  void read_batch(const LoggedBody& body, const Place& place, transcript::Sink& sink);
  void read_message(const LoggedBody& body, const Place& place, transcript::Sink& sink);
  void emit_step(MessageStream::Step step, const Place& place, transcript::Sink& sink);
  void emit_failure(transcript::Failure failure, std::string_view source_id, std::uint32_t index,
                    const Place& place, transcript::Sink& sink);
  std::optional<Section> section_of(const LoggedBody& body, const Place& place,
                                    transcript::Sink& sink);

  RequestHistory history_;
  MessageStream stream_;
  // The record in which the stream's message began, and the session that it would name.
  std::string stream_record_, stream_name_;
  std::optional<std::string> model_;
  std::deque<std::uint64_t> ids_;
  std::optional<LoggedBody> body_;  // the last record, as read_stream() found it; not saved
};

}  // namespace weft::formats::anthropic
