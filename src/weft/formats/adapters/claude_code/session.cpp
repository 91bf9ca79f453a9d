#include "weft/formats/adapters/claude_code/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/claude_code/places.hpp"
#include "weft/formats/apis/claude_code/prompt_origin.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Origin;
using Title = BranchingConversation::Title;

struct RecordReader {
  std::string_view type;
  Reading (*read)(const Entry&);
};
constexpr std::array<RecordReader, 4> kReaders = {{
    {"user", read_user},
    {"assistant", read_assistant},
    {"attachment", read_attachment},
    {"system", read_system},
}};

}  // namespace

std::vector<std::string> tool_names(const json::object& holder) {
  std::vector<std::string> names;
  const json::array* tools = find_array(holder, "tools");
  if (tools == nullptr) return names;
  for (const json::value& tool : *tools) {
    const json::object* object = tool.if_object();
    const auto name = object == nullptr ? std::nullopt : find_string(*object, "name");
    if (name) names.emplace_back(*name);
  }
  return names;
}

void Session::read(const Entry& entry, std::string_view raw, transcript::Sink& sink) {
  if (session_.empty() && entry.session) session_ = *entry.session;
  const auto known = std::ranges::find(kReaders, entry.type, &RecordReader::type);
  const bool is_known = known != kReaders.end();
  const bool is_progress = entry.type == "progress";
  if (!is_known && !is_progress && (is_session_record(entry.type) || !entry.uuid)) {
    read_session_record(entry, sink);
    return;
  }
  if (is_repeat(entry)) {
    sink.skip({entry.line, "duplicate"});
    return;
  }
  settle(entry, raw);
  if (is_progress) {
    read_progress(entry, sink);
  } else {
    read_message(entry, is_known ? known->read(entry) : read_unknown(entry), sink);
  }
}

bool Session::is_repeat(const Entry& entry) const {
  if (!entry.uuid) return false;
  const RecordWindow::Seen* seen = records_.find(quick_hash_of(*entry.uuid));
  return seen != nullptr && seen->fingerprint == entry.fingerprint;
}

// What a source without messages has become is not in its saved state: once messages come, it is
// read again.
void Session::finish(transcript::Sink& sink) {
  if (!has_spoken_ && !waiting_summaries_.empty()) {
    const std::string_view stem = stem_of(info_.name);
    const std::string unnamed = session_from(waiting_summaries_.front().text);
    main_ = BranchingConversation(is_uuid(stem)      ? std::string(stem)
                                  : session_.empty() ? unnamed
                                                     : session_,
                                  "primary", true);
    begin(0, sink);
    emit_waiting_summaries(sink);
    return;
  }
  if (!has_spoken_ && !waiting_title_.empty()) sink.skip({0, "no turns"});
}

// The first record of the thread says what the file is.
void Session::settle(const Entry& entry, std::string_view raw) {
  if (is_settled_) return;
  is_settled_ = true;
  const auto folder = parent_session(info_.directory);
  const std::string_view stem = stem_of(info_.name);
  const auto named = agent_of_file(info_.name);
  is_subagent_ = folder || (entry.is_sidechain && (entry.agent || named));
  std::string session = session_, source = "primary";
  if (is_subagent_) {
    agent_ = entry.agent.value_or(named.value_or(entry.id));
    source = "subagent:" + agent_;
    // Some write the agent's own id as the session: the folder knows better.
    if (folder && !is_uuid(session_)) session = *folder;
  } else if (is_uuid(stem)) {
    session = stem;
  }
  if (session.empty()) session = session_from(raw);
  main_ = BranchingConversation(std::move(session), std::move(source), !is_subagent_);
  if (is_subagent_ && is_internal_agent(agent_)) main_.set_internal();
}

Session::Position Session::position_of(const Entry& entry) {
  const RecordWindow::Seen* parent = nullptr;
  for (const auto* id : {&entry.parent, &entry.logical_parent}) {
    if (parent == nullptr && *id) parent = records_.find(quick_hash_of(**id));
  }
  Position position;
  if (entry.is_sidechain && !is_subagent_) {
    const auto goes_on = std::ranges::find_if(sidechains_, [&](const Sidechain& chain) {
      return parent != nullptr && chain.number == parent->thread;
    });
    if (goes_on != sidechains_.end()) {
      position.number = goes_on->number;
    } else {
      position.number = next_sidechain_++;
      sidechains_.push_back(
          {position.number,
           BranchingConversation(main_.heading().session_id, "subagent:" + entry.id, false)});
      if (is_internal_agent(entry.agent.value_or(""))) sidechains_.back().thread.set_internal();
      if (sidechains_.size() > kMostSidechains) sidechains_.pop_front();
    }
    return position;
  }
  if (parent != nullptr) {
    if (parent->thread == 0) position.above = parent->turn;
  } else {
    for (const auto* id : {&entry.parent, &entry.logical_parent}) {
      if (position.above == kNoTurn && *id)
        position.above = main_.prompt_before(quick_hash_of(**id));
    }
  }
  return position;
}

BranchingConversation& Session::thread_of(std::int64_t number) {
  const auto found = std::ranges::find(sidechains_, number, &Sidechain::number);
  return found == sidechains_.end() ? main_ : found->thread;
}

// The thread, with the sink in it.
BranchingConversation& Session::begin(std::int64_t number, transcript::Sink& sink) {
  BranchingConversation& thread = thread_of(number);
  if (entered_ != number) {
    entered_ = number;
    thread.enter(sink);
  }
  if (number == 0) {
    const bool is_first = !std::exchange(has_spoken_, true);
    if (is_subagent_ && !is_call_known_ && !std::exchange(is_origin_emitted_, true))
      emit_origin(sink);
    if (is_first && !waiting_title_.empty()) {
      thread.set_title(waiting_rank_, waiting_title_, sink);
      waiting_title_.clear();
    }
  }
  if (!info_.project.empty()) thread.note({.project = info_.project}, sink);
  if (thread.is_internal()) thread.note({.internal = true}, sink);
  return thread;
}

// The sidecar names the call; it may come to be after the first records were read.
void Session::emit_origin(transcript::Sink& sink) {
  Origin origin{
      .kind = Origin::Kind::spawned, .session_id = main_.heading().session_id, .agent = agent_};
  if (info_.beside) {
    const auto sidecar = info_.beside(std::string(stem_of(info_.name)) + ".meta.json");
    const Result<ParsedJson> parsed = parse_json(sidecar.value_or(""));
    if (const json::object* meta = parsed ? parsed->value.if_object() : nullptr) {
      origin.call_id = find_id(*meta, "toolUseId");
      const auto description = find_string(*meta, "description");
      if (description) {
        main_.set_title(Title::made, one_line(*description, kTitleLength), sink);
      }
    }
  }
  is_call_known_ = origin.call_id || !info_.beside;
  sink.origin(origin);
}

void Session::emit_fork(const Entry& entry, transcript::Sink& sink) {
  const json::object* fork = find_object(entry.object(), "forkedFrom");
  if (fork == nullptr || is_subagent_ || entry.is_sidechain) return;
  const auto from = find_id(*fork, "sessionId");
  if (!from || *from == forked_from_ || *from == main_.heading().session_id) return;
  forked_from_ = *from;
  begin(0, sink);
  sink.origin({.kind = Origin::Kind::continued, .session_id = *from});
}

void Session::read_message(const Entry& entry, Reading reading, transcript::Sink& sink) {
  const Position position = position_of(entry);
  if (reading.is_cut_short) {
    sink.skip({entry.line, "too large: more than " + std::to_string(kMaxBlocks) + " blocks"});
  }
  bool is_prompt = false;
  // Nothing but requests is emitted of a conversation before its first block.
  if (!reading.blocks.empty() || thread_of(position.number).has_turns()) {
    emit_fork(entry, sink);
    emit_tools(entry, position, reading, sink);
    emit_usage(entry, position, sink);
    if (!reading.blocks.empty()) is_prompt = emit_blocks(entry, position, reading, sink);
    if (has_spoken_ && !waiting_summaries_.empty()) emit_waiting_summaries(sink);
  } else {
    emit_usage(entry, position, sink);
  }
  if (reading.blocks.empty()) sink.skip({entry.line, reading.skip});
  pass(entry, position, is_prompt);
}

// A snapshot of what the model is given. Its system prompt is emitted only if it differs from
// than before.
void Session::emit_tools(const Entry& entry, const Position& position, Reading& reading,
                         transcript::Sink& sink) {
  const json::object* attachment = find_object(entry.object(), "attachment");
  if (attachment == nullptr || find_string(*attachment, "type") != "prompt_snapshot") return;
  const auto tools = tool_names(*attachment);
  if (!tools.empty()) begin(position.number, sink).note({.tools = tools}, sink);
  if (reading.blocks.empty()) return;
  const auto* text = std::get_if<transcript::Text>(&reading.blocks[0].body);
  const std::uint64_t hash = quick_hash_of(text == nullptr ? "" : text->text);
  if (std::exchange(prompt_, hash) != hash) return;
  reading.blocks.clear();
  reading.skip = "unchanged";
}

// Later records may name this one as the one that they follow.
void Session::pass(const Entry& entry, const Position& position, bool is_prompt) {
  BranchingConversation& thread = thread_of(position.number);
  thread.pass(entry);
  if (!entry.uuid) return;
  records_.add({.uuid = quick_hash_of(*entry.uuid),
                .fingerprint = entry.fingerprint,
                .thread = position.number,
                .turn = is_prompt ? thread.last_prompt() : position.above});
}

}  // namespace weft::formats::claude_code
