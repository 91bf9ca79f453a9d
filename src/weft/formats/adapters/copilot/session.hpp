// Session: reads one file of Copilot's events and emits its conversations: the session, and the
// subagents whose events are among its own.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/copilot/event.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/recent.hpp"

namespace weft::formats::copilot {

class Session {
 public:
  explicit Session(const SourceInfo& info) : info_(info) {}

  void read(const JsonRecord& record, transcript::Sink& sink);
  // Emits the pending message, and the session's name if it has got one since.
  void finish(transcript::Sink& sink);

  void archive(StateArchive& a);

 private:
  // Open subagents. One that continues after that many others have begun opens a turn of its own,
  // and counts its usage from 0.
  static constexpr std::size_t kMostSubagents = 64;
  // Remembered events, calls and reasoning. An older event that is repeated is emitted again.
  static constexpr std::size_t kRemembered = 256;
  // Of a message that comes in chunks. A longer one is emitted in pieces.
  static constexpr std::size_t kMaxPendingBytes = 1u << 20;

  struct Conversation {
    std::string call, agent;  // of the subagent; both empty for the session
    TurnBuilder builder{};
    UsageSum settled{}, running{};  // of the segments that were shut down, and since
    void archive(StateArchive& a);
  };
  // A message of which more chunks are to come.
  struct PendingEvent {
    std::string place, call, agent, type;
    std::optional<Millis> time{};
    json::object data;
    std::string inexact{};  // the record's text, where its JSON holds more than `data`
    void archive(StateArchive& a);
  };

  void read_event(const Event& event, const JsonRecord& record, transcript::Sink& sink);
  void read_start(const Event& event, const JsonRecord& record, transcript::Sink& sink);
  void read_subagent(const Event& event, const JsonRecord& record, transcript::Sink& sink);
  void read_shutdown(const Event& event, const JsonRecord& record, transcript::Sink& sink);
  void read_title(const Event& event, const JsonRecord& record, transcript::Sink& sink);
  void read_message(const Event& event, const JsonRecord& record, transcript::Sink& sink);
  bool is_next_chunk(const Event& event) const;
  void flush(transcript::Sink& sink);
  void emit_message(const Event& event, std::string place, std::string_view inexact,
                    transcript::Sink& sink);
  std::vector<AuthoredBlock> authored_by(const Event& event) const;
  void emit(const Event& event, RecordContent content, transcript::Sink& sink);

  void begin(std::string_view session, std::string_view raw, transcript::Sink& sink);
  Conversation& conversation_of(const Event& event, transcript::Sink& sink);
  Conversation& add_subagent(std::string call, std::string agent, Conversation& caller,
                             transcript::Sink& sink);
  void enter(Conversation& conversation, transcript::Sink& sink);
  void emit_name(transcript::Sink& sink);
  // False if it was emitted already.
  bool note_reasoning(const Event& event, std::string_view thought);
  std::string place_of(const Event& event, const JsonRecord& record);

  SourceInfo info_;
  Conversation main_;
  std::deque<Conversation> subagents_;
  std::optional<std::string> model_;  // that the session uses now
  std::string title_;                 // as last emitted; the first prompt, if not a name
  Recent ids_{kRemembered}, texts_{kRemembered}, calls_{kRemembered}, reasoning_{kRemembered};
  std::optional<PendingEvent> pending_;
  // The conversation in which the sink is. Null after archive() has read.
  Conversation* entered_ = nullptr;
};

}  // namespace weft::formats::copilot
