// Records that have no place in the thread: titles, the queue, progress, the harness's own
// bookkeeping; and the session's state.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/claude_code/session.hpp"
#include "weft/formats/apis/claude_code/prompt_origin.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

using Title = BranchingConversation::Title;

// Bookkeeping of the harness, skipped under its own name.
constexpr std::array<std::string_view, 22> kBookkeeping = {"file-history-snapshot",
                                                           "agent-name",
                                                           "agent-setting",
                                                           "mode",
                                                           "permission-mode",
                                                           "pr-link",
                                                           "frame-link",
                                                           "bridge-session",
                                                           "worktree-state",
                                                           "relocated",
                                                           "atis-latch",
                                                           "content-replacement",
                                                           "started",
                                                           "result",
                                                           "tag",
                                                           "api-request-shape",
                                                           "api-request-blob",
                                                           "api-request",
                                                           "tools-used",
                                                           "cost-state",
                                                           "file-snapshot",
                                                           "speculation-accept"};

struct TitleRecord {
  std::string_view type, member;
  Title rank;
};
constexpr std::array<TitleRecord, 3> kTitles = {{
    {"custom-title", "customTitle", Title::chosen},
    {"ai-title", "aiTitle", Title::made},
    {"last-prompt", "lastPrompt", Title::last_prompt},
}};

// A summary of another session. It has no time of its own.
transcript::Block summary_block(std::string id, std::string text, std::string leaf) {
  return {
      .author = transcript::Author::program,
      .body =
          transcript::Summary{.text = std::move(text), .leaf = std::move(leaf), .is_aside = true},
      .source_id = std::move(id)};
}

}  // namespace

bool is_session_record(std::string_view type) {
  return std::ranges::find(kBookkeeping, type) != kBookkeeping.end() ||
         std::ranges::find(kTitles, type, &TitleRecord::type) != kTitles.end() ||
         type == "summary" || type == "queue-operation";
}

void Session::read_session_record(const Entry& entry, transcript::Sink& sink) {
  const auto title = std::ranges::find(kTitles, entry.type, &TitleRecord::type);
  if (title != kTitles.end()) {
    const auto text = find_string(entry.object(), title->member).value_or("");
    const bool is_news = set_title(title->rank, one_line(text, kTitleLength), sink);
    if (!is_news) sink.skip({entry.line, "unchanged"});
  } else if (entry.type == "summary") {
    read_summary(entry, sink);
  } else if (entry.type == "queue-operation") {
    read_queue(entry, sink);
  } else if (is_session_record(entry.type)) {
    const json::object* shape = find_object(entry.object(), "shape");
    if (shape != nullptr && has_spoken_) {
      begin(0, sink).note({.tools = tool_names(*shape)}, sink);
    }
    sink.skip({entry.line, entry.type});
  } else {
    sink.skip({entry.line, entry.type.empty() ? "malformed: no type" : "unknown-record"});
  }
}

bool Session::set_title(Title rank, std::string_view text, transcript::Sink& sink) {
  if (has_spoken_) return begin(0, sink).set_title(rank, text, sink);
  if (text.empty() || rank < waiting_rank_) return false;
  waiting_rank_ = rank;
  return std::exchange(waiting_title_, std::string(text)) != text;
}

// A summary may be of another session: its leaf is then unknown here, and it stands aside.
void Session::read_summary(const Entry& entry, transcript::Sink& sink) {
  const auto leaf = find_id(entry.object(), "leafUuid");
  const auto& after = leaf ? leaf : entry.parent;
  const RecordWindow::Seen* seen = after ? records_.find(quick_hash_of(*after)) : nullptr;
  const bool is_ours = seen != nullptr || (after && main_.ends_with(quick_hash_of(*after)));
  std::string text(find_string(entry.object(), "summary").value_or(""));
  const json::object* message = find_object(entry.object(), "message");
  const json::value* content = message == nullptr ? nullptr : find_member(*message, "content");
  if (text.empty() && content != nullptr) text = joined_text(*content);
  if (text.empty()) {
    sink.skip({entry.line, "empty"});
    return;
  }
  if (!is_ours && !has_spoken_) {
    std::size_t bytes = text.size();
    for (const WaitingSummary& waiting : waiting_summaries_) bytes += waiting.text.size();
    if (waiting_summaries_.size() >= kMostSummaries || bytes > kMostSummaryBytes) {
      sink.skip({entry.line, "too many summaries before the first message"});
      return;
    }
    waiting_summaries_.push_back({entry.id, std::move(text), after.value_or("")});
    return;
  }
  if (!is_ours) {
    begin(0, sink).emit_aside(summary_block(entry.id, std::move(text), after.value_or("")), sink);
    return;
  }
  BranchingConversation& thread = begin(seen == nullptr ? 0 : seen->thread, sink);
  thread.emit(entry, false, kNoTurn,
              {.author = transcript::Author::program,
               .body = transcript::Summary{.text = text, .leaf = after.value_or("")},
               .source_id = entry.id,
               .recorded = entry.time},
              sink);
  thread.note({.summary = text}, sink);
  thread.set_title(Title::summary, one_line(text, kTitleLength), sink);
}

void Session::emit_waiting_summaries(transcript::Sink& sink) {
  BranchingConversation& thread = begin(0, sink);
  for (WaitingSummary& waiting : std::exchange(waiting_summaries_, {})) {
    thread.emit_aside(summary_block(waiting.id, std::move(waiting.text), std::move(waiting.leaf)),
                      sink);
  }
}

// A queued text comes again as a prompt. The agent that a call spawned may be named here first.
void Session::read_queue(const Entry& entry, transcript::Sink& sink) {
  const auto content = find_string(entry.object(), "content").value_or("");
  const std::string_view call = tagged(content, "tool-use-id");
  if (has_spoken_ && calls_.has(call)) {
    begin(0, sink);
    emit_agent(call, tagged(content, "task-id"), sink);
  }
  sink.skip({entry.line, "queue-operation"});
}

void Session::read_progress(const Entry& entry, transcript::Sink& sink) {
  const Position position = position_of(entry);
  const json::object* data = find_object(entry.object(), "data");
  const auto agent = data == nullptr ? std::nullopt : find_id(*data, "agentId");
  const auto call = find_id(entry.object(), "parentToolUseID");
  if (agent && call && has_spoken_ && calls_.has(*call)) {
    begin(thread_of(position.number).has_turns() ? position.number : 0, sink);
    emit_agent(*call, *agent, sink);
  }
  sink.skip({entry.line, "progress"});
  pass(entry, position, false);
}

void Session::archive(StateArchive& a) {
  a.field("settled", is_settled_);
  a.field("spoken", has_spoken_);
  a.field("subagent", is_subagent_);
  a.field("call_known", is_call_known_);
  a.field("session", session_);
  a.field("agent", agent_);
  a.field("forked_from", forked_from_);
  a.field("prompt", StateBits{prompt_});
  a.field("main", main_);
  a.field("sidechains", sidechains_, kMostSidechains);
  a.field("next_sidechain", next_sidechain_);
  a.check(next_sidechain_ >= 1);
  a.field("waiting_rank", waiting_rank_);
  a.field("waiting_title", waiting_title_);
  a.field("waiting_summaries", waiting_summaries_, kMostSummaries);
  records_.archive(a, "seen");
  snapshots_.archive(a, "snapshots");
  usage_.archive(a, "usage");
  a.field("calls", calls_);
  if (a.is_writing()) return;
  entered_.reset();
  is_origin_emitted_ = false;
}

}  // namespace weft::formats::claude_code
