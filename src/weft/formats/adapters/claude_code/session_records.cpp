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

// A summary may be of another session: then its leaf is none of ours.
void Session::read_summary(const Entry& entry, transcript::Sink& sink) {
  const auto leaf = find_id(entry.object(), "leafUuid");
  const auto& after = leaf ? leaf : entry.parent;
  const RecordWindow::Seen* seen = after ? records_.find(quick_hash_of(*after)) : nullptr;
  const bool is_ours = seen != nullptr || (after && main_.ends_with(quick_hash_of(*after)));
  if (!is_ours) {
    sink.skip({entry.line, "other-session"});
    return;
  }
  std::string text(find_string(entry.object(), "summary").value_or(""));
  const json::object* message = find_object(entry.object(), "message");
  const json::value* content = message == nullptr ? nullptr : find_member(*message, "content");
  if (text.empty() && content != nullptr) text = joined_text(*content);
  if (text.empty()) {
    sink.skip({entry.line, "empty"});
    return;
  }
  BranchingConversation& thread = begin(seen == nullptr ? 0 : seen->thread, sink);
  thread.emit(entry, false, kNoTurn,
              {.author = transcript::Author::program,
               .body = transcript::Summary{.text = text},
               .source_id = entry.id,
               .recorded = entry.time},
              sink);
  thread.note({.summary = text}, sink);
  thread.set_title(Title::summary, one_line(text, kTitleLength), sink);
}

// What is queued comes again as a prompt; only whom a call spawned may stand here first.
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
  const Stand stand = stand_of(entry);
  const json::object* data = find_object(entry.object(), "data");
  const auto agent = data == nullptr ? std::nullopt : find_id(*data, "agentId");
  const auto call = find_id(entry.object(), "parentToolUseID");
  if (agent && call && has_spoken_ && calls_.has(*call)) {
    begin(thread_of(stand.number).has_turns() ? stand.number : 0, sink);
    emit_agent(*call, *agent, sink);
  }
  sink.skip({entry.line, "progress"});
  pass(entry, stand, false);
}

json::object Session::save() const {
  json::array sidechains;
  for (const Sidechain& chain : sidechains_) {
    json::object state = chain.thread.save();
    state["number"] = chain.number;
    sidechains.push_back(std::move(state));
  }
  return {{"settled", is_settled_},
          {"spoken", has_spoken_},
          {"subagent", is_subagent_},
          {"call_known", is_call_known_},
          {"session", session_},
          {"agent", agent_},
          {"forked_from", forked_from_},
          {"prompt", static_cast<std::int64_t>(prompt_)},
          {"main", main_.save()},
          {"sidechains", std::move(sidechains)},
          {"next_sidechain", next_sidechain_},
          {"waiting_rank", static_cast<std::int64_t>(waiting_rank_)},
          {"waiting_title", waiting_title_},
          {"seen", records_.save()},
          {"snapshots", snapshots_.save()},
          {"usage", usage_.save()},
          {"calls", calls_.save()}};
}

bool Session::restore(const json::object& state) {
  const auto settled = find_bool(state, "settled"), spoken = find_bool(state, "spoken"),
             subagent = find_bool(state, "subagent"), call_known = find_bool(state, "call_known");
  const auto session = find_string(state, "session"), agent = find_string(state, "agent"),
             forked_from = find_string(state, "forked_from"),
             waiting_title = find_string(state, "waiting_title"),
             records = find_string(state, "seen");
  const auto prompt = find_int(state, "prompt"), next = find_int(state, "next_sidechain"),
             waiting_rank = find_int(state, "waiting_rank");
  const json::object* main = find_object(state, "main");
  const json::object* calls = find_object(state, "calls");
  const json::array* sidechains = find_array(state, "sidechains");
  const json::array* snapshots = find_array(state, "snapshots");
  const json::array* usage = find_array(state, "usage");
  const bool is_whole = settled && spoken && subagent && call_known && session && agent &&
                        forked_from && waiting_title && records && prompt && next && waiting_rank &&
                        main != nullptr && calls != nullptr && sidechains != nullptr &&
                        snapshots != nullptr && usage != nullptr;
  if (!is_whole || *next < 1 || sidechains->size() > kMostSidechains) return false;
  if (*waiting_rank < 0 || *waiting_rank > static_cast<std::int64_t>(Title::chosen)) return false;

  Session restored(info_);
  restored.is_settled_ = *settled;
  restored.has_spoken_ = *spoken;
  restored.is_subagent_ = *subagent;
  restored.is_call_known_ = *call_known;
  restored.session_ = *session;
  restored.agent_ = *agent;
  restored.forked_from_ = *forked_from;
  restored.prompt_ = static_cast<std::uint64_t>(*prompt);
  restored.next_sidechain_ = *next;
  restored.waiting_rank_ = static_cast<Title>(*waiting_rank);
  restored.waiting_title_ = *waiting_title;
  for (const json::value& value : *sidechains) {
    const json::object* chain = value.if_object();
    const auto number = chain == nullptr ? std::nullopt : find_int(*chain, "number");
    if (!number || *number < 1) return false;
    Sidechain& added = restored.sidechains_.emplace_back();
    added.number = *number;
    if (!added.thread.restore(*chain)) return false;
  }
  if (!restored.main_.restore(*main) || !restored.records_.restore(*records) ||
      !restored.snapshots_.restore(*snapshots) || !restored.usage_.restore(*usage) ||
      !restored.calls_.restore(*calls)) {
    return false;
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::claude_code
