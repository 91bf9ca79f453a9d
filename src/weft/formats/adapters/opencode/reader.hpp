// Reads records of OpenCode, in whatever wrapping (opencode/record.hpp), of one session or, on
// the bus, of several at once.
#pragma once

#include <deque>
#include <memory>

#include "weft/formats/adapters/opencode/conversation.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::opencode {

class SessionReader final : public JsonReader {
 public:
  explicit SessionReader(const SourceInfo& info) : JsonReader(kName), info_(info) {}

  void finish(transcript::Sink& sink) override;

 private:
  // Open sessions. One that continues after that many others have begun opens a turn of its own,
  // and counts its usage from 0.
  static constexpr std::size_t kMostConversations = 16;

  void read_record(JsonRecord record, transcript::Sink& sink) override;
  void read_member(const JsonRecord& record, transcript::Sink& sink);
  void read_exported(const JsonRecord& record, transcript::Sink& sink);
  void read_event(const JsonRecord& record, const json::object& event, transcript::Sink& sink);
  void read_printed(const JsonRecord& record, transcript::Sink& sink);
  void archive(StateArchive& a) override;

  // The conversation of that session, or of the record before where none is named.
  Conversation& enter(std::string_view session, const JsonRecord& record);

  SourceInfo info_;
  std::deque<Conversation> conversations_;  // the most recent last
};

}  // namespace weft::formats::opencode
