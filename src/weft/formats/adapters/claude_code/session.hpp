// Session: reads a session file of Claude Code, record by record: its conversation, its sidechains,
// and the calls that spawned them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/claude_code/branching_conversation.hpp"
#include "weft/formats/adapters/claude_code/snapshots.hpp"
#include "weft/formats/apis/claude_code/messages.hpp"
#include "weft/formats/reading/reader_windows.hpp"

namespace weft::formats::claude_code {

// The names in a list of tools, as requests and snapshots hold it.
std::vector<std::string> tool_names(const json::object& holder);

// Of a title, in code points.
inline constexpr std::size_t kTitleLength = 200;

// Whether records of that type are outside of the conversation.
bool is_session_record(std::string_view type);

class Session {
 public:
  explicit Session(SourceInfo info) : info_(std::move(info)) {}

  // `raw` names the session where nothing else does.
  void read(const Entry& entry, std::string_view raw, transcript::Sink& sink);
  // Of a file without messages: emits its summaries, or reports a title or the like as skipped.
  void finish(transcript::Sink& sink);

  void archive(StateArchive& a);

 private:
  // Open sidechains. One that continues after that many others have begun becomes a new one.
  static constexpr std::size_t kMostSidechains = 64;
  struct Sidechain {
    std::int64_t number = 0;
    BranchingConversation thread{"", "primary", true};
    void archive(StateArchive& a) {
      a.field("number", number);
      a.check(number >= 1);
      thread.archive(a);
    }
  };

  // A summary that comes before the first message, which gives the conversation its time.
  struct WaitingSummary {
    std::string id, text, leaf;
    friend auto state_row(WaitingSummary& summary) {
      return state_cells(summary.id, summary.text, summary.leaf);
    }
  };
  static constexpr std::size_t kMostSummaries = 256;
  static constexpr std::size_t kMostSummaryBytes = 64u << 10;

  // What a record says about agents: the sink takes its texts.
  struct AgentNames {
    std::string result_of;                                     // the call of its single result
    std::vector<std::pair<std::string, std::string>> tasks{};  // calls and their agents
  };
  static AgentNames agent_names(const Reading& reading);

  // The position of a record.
  struct Position {
    std::int64_t number = 0;  // of its conversation; 0 is the file's own
    std::int64_t above = kNoTurn;
  };

  void read_message(const Entry& entry, Reading reading, transcript::Sink& sink);
  void read_session_record(const Entry& entry, transcript::Sink& sink);
  void read_summary(const Entry& entry, transcript::Sink& sink);
  void emit_waiting_summaries(transcript::Sink& sink);
  void read_queue(const Entry& entry, transcript::Sink& sink);
  void read_progress(const Entry& entry, transcript::Sink& sink);

  bool is_repeat(const Entry& entry) const;
  void settle(const Entry& entry, std::string_view raw);
  Position position_of(const Entry& entry);
  BranchingConversation& thread_of(std::int64_t number);
  BranchingConversation& begin(std::int64_t number, transcript::Sink& sink);
  void emit_origin(transcript::Sink& sink);
  void emit_tools(const Entry& entry, const Position& position, Reading& reading,
                  transcript::Sink& sink);
  void emit_fork(const Entry& entry, transcript::Sink& sink);
  // Returns whether it has words of a person.
  bool emit_blocks(const Entry& entry, const Position& position, Reading& reading,
                   transcript::Sink& sink);
  void emit_kept(const Entry& entry, const Reading& reading, std::uint32_t result,
                 BranchingConversation& thread, transcript::Sink& sink);
  void emit_agents(const Entry& entry, const AgentNames& names, transcript::Sink& sink);
  void emit_agent(std::string_view call_id, std::string_view agent, transcript::Sink& sink);
  void emit_usage(const Entry& entry, const Position& position, transcript::Sink& sink);
  static void emit_requests(const Entry& entry, const json::object& message,
                            const json::object& usage, transcript::Sink& sink);
  // False if nothing has changed.
  bool set_title(BranchingConversation::Title rank, std::string_view text, transcript::Sink& sink);
  void pass(const Entry& entry, const Position& position, bool is_prompt);

  SourceInfo info_;
  bool is_settled_ = false;  // the kind of the file is known
  bool has_spoken_ = false;  // a block of its own conversation was emitted
  bool is_subagent_ = false;
  bool is_call_known_ = false;      // of a subagent: its origin was emitted with the call
  bool is_origin_emitted_ = false;  // by this reader: the sidecar is looked for once
  std::string session_;             // the first that a record names
  std::string agent_;               // of a subagent
  std::string forked_from_;
  std::uint64_t prompt_ = 0;  // hash of the system prompt that was emitted last
  BranchingConversation main_{"", "primary", true};
  std::deque<Sidechain> sidechains_;
  std::int64_t next_sidechain_ = 1;
  // A title that comes before the first message waits for it.
  BranchingConversation::Title waiting_rank_ = BranchingConversation::Title::none;
  std::string waiting_title_;
  std::deque<WaitingSummary> waiting_summaries_;
  RecordWindow records_;
  Snapshots snapshots_;
  UsageCounter usage_;
  SpawningCalls calls_;
  // The conversation in which the sink is; empty after restore().
  std::optional<std::int64_t> entered_;
};

}  // namespace weft::formats::claude_code
