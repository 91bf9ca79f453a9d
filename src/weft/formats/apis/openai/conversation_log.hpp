// Emits requests and answers as conversations. A history that requests repeat is emitted once,
// alternatives become branches, and a response continues the one that it names.
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

// The position of a body in its log, and what the log adds to it.
struct Place {
  std::string record;  // "#3"
  std::uint64_t line = 1;
  std::string_view raw{};  // the whole record: names the session if nothing else does
  std::optional<Millis> time{};
  std::uint32_t next = 0;  // index of the next block that is named by the record
  Arrival came{};          // arrival of the answer, if the log has it
};

class ConversationLog {
 public:
  ConversationLog(transcript::Heading like, const SourceInfo& info);

  // False if it had nothing new.
  bool ask(Request request, Place& place, transcript::Sink& sink);
  // A hash of its beginning, equal for all requests of one conversation; 0 if it is empty.
  std::uint64_t beginning_of(Request request) const;
  enum class RecordContent { news, duplicate, nothing };
  // Answers the last request, or the response that it names, or stands alone.
  RecordContent answer(Answer answer, Place& place, transcript::Sink& sink);
  // A message or item that stands alone continues the current conversation. False if it is empty.
  bool append_text(Message message, Place& place, transcript::Sink& sink);
  // The next body begins another conversation.
  void part(const Place& place);
  // Adds the usage of the last answer.
  // Of the answer `id`, which came without its counts.
  void add_usage(const transcript::Usage& usage, const std::string& id, const std::string& model,
                 const Place& place, transcript::Sink& sink);
  // Keeps the whole text of a record whose JSON no value can hold.
  void keep_text(const json::value& value, std::string_view text, Place& place,
                 transcript::Sink& sink);

  void archive(StateArchive& a);

 private:
  static void emit_request(const transcript::Usage& usage, const std::string& id,
                           const std::string& model, std::optional<Millis> time,
                           transcript::Sink& sink);
  // Remembered answers; an older one that is repeated is emitted again, in the same place.
  static constexpr std::size_t kMostAnswers = 256;

  std::vector<Placed> placed(std::vector<Message> messages, const std::string& model,
                             Place& place) const;
  void emit_choice(const Answer& answer, Choice choice, Place& place, transcript::Sink& sink);
  void go_to(const Answer& answer, const Opening& opening, transcript::Sink& sink);

  RequestHistory history_;
  std::optional<std::string> model_;
  Recent emitted_{kMostAnswers}, ids_{kMostAnswers};
  bool is_asked_ = false;  // a request has not been answered yet
  // The last answer, and the point that it follows: its alternatives follow that, too.
  std::string answered_;
  RequestHistory::Point answered_from_;
};

}  // namespace weft::formats::openai
