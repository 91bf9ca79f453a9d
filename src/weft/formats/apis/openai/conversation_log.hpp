// What is asked and answered, told as conversations: histories that requests restate are told
// once, alternatives are branches, and responses go on from those that they name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/apis/openai/bodies.hpp"
#include "weft/formats/reader.hpp"
#include "weft/formats/reading/arrival_times.hpp"
#include "weft/formats/reading/recent.hpp"
#include "weft/formats/reading/request_history.hpp"

namespace weft::formats::openai {

// Where a body stands, and what the log around it says.
struct Place {
  std::string record;  // "#3"
  std::uint64_t line = 1;
  std::string_view raw{};  // of the whole record: names the session where nothing else does
  std::optional<Millis> time{};
  std::uint32_t next = 0;  // of the next block that has no other name than the record's
  Arrival came{};          // the answer, where the log says so
};

class ConversationLog {
 public:
  ConversationLog(transcript::Heading like, const SourceInfo& info);

  // False if it said nothing new.
  bool ask(Request request, Place& place, transcript::Sink& sink);
  // A hash of how it begins, the same for all requests that restate one conversation; 0 where it
  // says nothing.
  std::uint64_t beginning_of(Request request) const;
  enum class RecordContent { news, duplicate, nothing };
  // It answers what was asked last, or what it names, or stands alone.
  RecordContent answer(Answer answer, Place& place, transcript::Sink& sink);
  // One message or item that stands alone goes on with the conversation at hand. False if it
  // says nothing.
  bool append_text(Message message, Place& place, transcript::Sink& sink);
  // What comes next is another conversation.
  void part(const Place& place);
  // Of what was answered last.
  void add_usage(const transcript::Usage& usage, transcript::Sink& sink);
  // Keeps the whole text of a record of which no value holds all that it says.
  void keep_text(const json::value& value, std::string_view text, Place& place,
                 transcript::Sink& sink);

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object* state);

 private:
  // Answers that were told: beyond these a repeated one is told again, in the same place.
  static constexpr std::size_t kMostAnswers = 256;

  std::vector<Placed> placed(std::vector<Message> messages, const std::string& model,
                             Place& place) const;
  void emit_choice(const Answer& answer, Choice choice, Place& place, transcript::Sink& sink);
  void go_to(const Answer& answer, const Opening& opening, transcript::Sink& sink);

  RequestHistory history_;
  std::optional<std::string> model_;
  Recent emitted_{kMostAnswers}, ids_{kMostAnswers};
  bool is_asked_ = false;  // a request has not been answered yet
  // The answer that was told last, and behind what: its alternatives follow that, too.
  std::string answered_;
  RequestHistory::Point answered_from_;
};

}  // namespace weft::formats::openai
