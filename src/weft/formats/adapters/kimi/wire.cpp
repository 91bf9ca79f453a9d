// kimi-cli's wire.jsonl: {"timestamp": 1767225600.5, "message": {"type", "payload"}} in each
// line, all events of a session, with those of the agents that it spawned:
//
//   {"type": "SubagentEvent",
//    "payload": {"parent_tool_call_id", "agent_id", "event": {"type", "payload"}}}
//
// Newer versions keep each agent's own log in subagents/<agent>/ as well, also of those that
// run in the background: where there is one, it is read, and these are its mirror.
#include <list>

#include "weft/formats/adapters/kimi/speaker.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/unix_time.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Sink;

// Agents at the same time. One that continues after that many others begins a turn of its own,
// counts its usage from 0, and loses its pending text.
constexpr std::size_t kMostAgents = 16;
// Agents within agents; more is no log of kimi-cli's.
constexpr int kMostDepth = 8;

class WireLog final : public Log {
 public:
  explicit WireLog(const SourceInfo& info)
      : info_(info), place_(place_of(Kind::wire, info)), main_(prompts(), info.model) {}

  void read(const JsonRecord& record, const json::object& line, Sink& sink) override;
  void finish(Sink& sink) override;
  void archive(StateArchive& a) override;

 private:
  struct Agent {
    std::string id;
    bool is_mirror = false;
    Speaker speaker;
    void archive(StateArchive& a) {
      a.field("id", id);
      a.check(!id.empty());
      a.field("mirror", is_mirror);
      a.field("speaker", speaker);
    }
  };

  Speaker::Prompts prompts() const {
    return place_.agent.empty() ? Speaker::Prompts::of_person : Speaker::Prompts::of_program;
  }
  void begin(std::string_view raw, Sink& sink);
  void read_agent(Event event, Sink& sink);
  Agent& agent_of(const std::string& id, const std::string& call, Sink& sink);
  // The sink is in the conversation of that agent; "" for the log's own.
  Speaker& enter(const std::string& id, Speaker& speaker);

  SourceInfo info_;
  Place place_;
  Speaker main_;
  std::list<Agent> agents_;  // who spoke last comes last
  std::optional<std::string> entered_;
  transcript::Facts known_;  // of state.json, as last emitted
  bool has_looked_ = false;  // at state.json, since it was opened
};

void WireLog::begin(std::string_view raw, Sink& sink) {
  if (!main_.builder().has_begun()) {
    enter("", main_).builder().begin(heading_of(place_, kCliProgram, raw), sink);
    if (const auto origin = origin_of(place_)) sink.origin(*origin);
    if (!info_.project.empty()) sink.facts({.project = info_.project});
  }
  if (has_looked_ || !place_.agent.empty()) return;
  has_looked_ = true;
  const transcript::Facts facts = facts_beside(info_, "state.json");
  if (facts == known_ || facts == transcript::Facts()) return;
  known_ = facts;
  enter("", main_).builder().resume(sink);
  sink.facts(facts);
}

void WireLog::read(const JsonRecord& record, const json::object& line, Sink& sink) {
  const json::object* message = find_object(line, "message");
  const auto type = message == nullptr ? std::nullopt : find_string(*message, "type");
  if (!type) {
    const bool is_header = find_string(line, "type") == "metadata";
    sink.skip({record.line, is_header ? "metadata" : "malformed: no event of a wire"});
    return;
  }
  begin(record.text, sink);
  if (record.parsed.inexact) {
    enter("", main_).builder().emit(
        {.place = record.counted(),
         .blocks = {{.author = transcript::Author::program,
                     .body = anthropic::unknown_from_text(record.parsed.value, record.text)}},
         .is_answer = true,
         .time = find_unix_time(line, "timestamp")},
        sink);
    return;
  }
  Event event{.type = *type,
              .payload = find_object(*message, "payload"),
              .place = record.counted(),
              .line = record.line,
              .time = find_unix_time(line, "timestamp")};
  if (*type == "SubagentEvent") read_agent(std::move(event), sink);
  else enter("", main_).read(event, sink);
}

void WireLog::read_agent(Event event, Sink& sink) {
  std::string id, call;
  for (int depth = 0; event.type == "SubagentEvent"; ++depth) {
    const json::object* payload = event.payload;
    const json::object* inner = payload == nullptr ? nullptr : find_object(*payload, "event");
    const auto type = inner == nullptr ? std::nullopt : find_string(*inner, "type");
    if (!type || depth == kMostDepth) {
      sink.skip({event.line, "malformed: no event of an agent"});
      return;
    }
    call = find_words(*payload, "parent_tool_call_id").value_or("");
    if (call.empty()) call = find_words(*payload, "task_tool_call_id").value_or("");
    id = find_words(*payload, "agent_id").value_or(call);
    event.type = *type;
    event.payload = find_object(*inner, "payload");
  }
  if (id.empty()) {
    sink.skip({event.line, "malformed: an agent without a name"});
    return;
  }
  Agent& agent = agent_of(id, call, sink);
  if (agent.is_mirror) sink.skip({event.line, "mirror"});
  else enter(id, agent.speaker).read(event, sink);
}

WireLog::Agent& WireLog::agent_of(const std::string& id, const std::string& call, Sink& sink) {
  for (auto agent = agents_.begin(); agent != agents_.end(); ++agent) {
    if (agent->id != id) continue;
    agents_.splice(agents_.end(), agents_, agent);
    return agents_.back();
  }
  if (agents_.size() == kMostAgents) {
    enter(agents_.front().id, agents_.front().speaker).finish(sink);
    entered_.reset();
    agents_.pop_front();
    main_.builder().leave();
  }
  agents_.push_back({.id = id,
                     .is_mirror = id.find('/') == std::string::npos &&
                                  has_beside(info_, "subagents/" + id + "/wire.jsonl"),
                     .speaker = Speaker(Speaker::Prompts::of_program, info_.model)});
  Agent& agent = agents_.back();
  if (!call.empty()) {
    enter("", main_).builder().resume(sink);
    sink.spawned({.call_id = call, .agent = id});
  }
  if (agent.is_mirror) return agent;
  transcript::Heading heading = main_.builder().heading();
  heading.source = "subagent:" + id;
  transcript::Origin origin{.session_id = heading.session_id, .agent = id};
  if (!call.empty()) origin.call_id = call;
  enter(id, agent.speaker).builder().begin(std::move(heading), sink);
  sink.origin(origin);
  return agent;
}

Speaker& WireLog::enter(const std::string& id, Speaker& speaker) {
  if (entered_ != id) speaker.builder().leave();
  entered_ = id;
  return speaker;
}

void WireLog::finish(Sink& sink) {
  for (Agent& agent : agents_) {
    if (!agent.is_mirror) enter(agent.id, agent.speaker).finish(sink);
  }
  if (main_.builder().has_begun()) enter("", main_).finish(sink);
}

void WireLog::archive(StateArchive& a) {
  a.field("main", main_);
  a.field("agents", agents_, kMostAgents, [&] {
    return Agent{.id = {}, .speaker = Speaker(Speaker::Prompts::of_program, info_.model)};
  });
  a.optional("title", known_.title);
  a.optional("cwd", known_.cwd);
}

}  // namespace

std::unique_ptr<Log> open_wire(const SourceInfo& info) { return std::make_unique<WireLog>(info); }

}  // namespace weft::formats::kimi
