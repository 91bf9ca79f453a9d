// The parts of the claude-agent-sdk adapter: the conversations that a stream of SDK messages
// carries. Internal; the adapter itself is in adapter.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/claude_code/messages.hpp"
#include "weft/formats/reading/linear_conversation.hpp"
#include "weft/formats/reading/reader_windows.hpp"

namespace weft::formats::claude_agent_sdk {

inline constexpr std::string_view kName = "claude-agent-sdk";

Confidence recognises(std::string_view head);
// JSON lines, one object over several, or an array of them.
std::unique_ptr<Framer> frame(std::string_view head);

// The record with the names that a transcript of Claude Code has for the same things, so that it
// can be read as one of these. Empty if it is no object.
std::optional<claude_code::Entry> entry_of(ParsedJson parsed, std::string_view text,
                                           std::uint64_t line, std::uint64_t number);

// Why records of that type have no content; empty for those that may have some.
std::string_view noise(std::string_view type, std::string_view subtype);

// Reads one stream: usually a session, with the subagents that it started. A session that was
// resumed or reset continues under another name.
class Stream {
 public:
  explicit Stream(const SourceInfo& info) : info_(info) {}

  // `raw` names the session where no record does.
  void read(const claude_code::Entry& entry, std::string_view raw, transcript::Sink& sink);
  // Reports a stream with a beginning and nothing else as skipped.
  void finish(transcript::Sink& sink) const;

  void archive(StateArchive& a);

 private:
  // Open conversations. One that continues after that many others have begun opens a turn of its
  // own, and counts its usage from 0.
  static constexpr std::size_t kMostThreads = 64;
  // Of the tools that a session is offered.
  static constexpr std::size_t kMostTools = 512;

  struct Conversation {
    std::string session, call;  // the call that spawned it; empty for the session's own
    LinearConversation thread;
    // Of the runs that have a result, and of the messages since.
    transcript::Usage settled{}, running{};
    void archive(StateArchive& a);
  };

  Conversation& conversation_of(const claude_code::Entry& entry, std::string_view raw);
  void enter(Conversation& conversation, transcript::Sink& sink);
  void read_init(const claude_code::Entry& entry, transcript::Sink& sink);
  void read_result(const claude_code::Entry& entry, std::string_view raw, transcript::Sink& sink);
  void read_task(const claude_code::Entry& entry, transcript::Sink& sink);
  void read_reset(const claude_code::Entry& entry, transcript::Sink& sink);
  void emit(const claude_code::Entry& entry, claude_code::Reading reading, std::string_view raw,
            transcript::Sink& sink);
  void emit_usage(const claude_code::Entry& entry, Conversation& conversation,
                  transcript::Sink& sink);
  void note_usage(Conversation& conversation, transcript::Sink& sink);

  SourceInfo info_;
  std::string session_;         // of the record before
  std::string continued_from_;  // of a session that was reset: waits for the next
  transcript::Facts waiting_;   // of a session without blocks so far
  std::string waiting_session_;
  std::deque<Conversation> conversations_;
  RecordWindow records_;
  UsageCounter usage_;
  SpawningCalls calls_;
  // The conversation in which the sink is: session and call. Empty after restore().
  std::optional<std::pair<std::string, std::string>> entered_;
};

}  // namespace weft::formats::claude_agent_sdk
