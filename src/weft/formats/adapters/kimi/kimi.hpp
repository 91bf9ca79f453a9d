// The parts of the kimi adapter: three logs that two programs write, and what their lines have
// in common. Internal; the adapter itself is in adapter.cpp.
//
//   record ─▶ open_log ─▶ WireLog     kimi-cli, wire.jsonl: what happened, event by event
//                      ├▶ ContextLog  kimi-cli, context.jsonl: what the model was given
//                      └▶ CodeLog     Kimi Code, agents/<agent>/wire.jsonl: both in one
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::kimi {

inline constexpr std::string_view kName = "kimi";
inline constexpr std::string_view kCliProgram = "kimi-cli";
inline constexpr std::string_view kCodeProgram = "kimi-code";

// One file's lines, of one kind.
class Log {
 public:
  virtual ~Log() = default;
  virtual void read(const JsonRecord& record, const json::object& line, transcript::Sink& sink) = 0;
  virtual void finish(transcript::Sink& sink) = 0;
  virtual void archive(StateArchive& a) = 0;
};

enum class Kind { none, wire, context, code };
// By name in saved states.
json::value write_value(Kind kind);
StateFit read_value(const json::value& from, Kind& kind);
// `none` for a line that any of them may have, or none.
Kind kind_of(const json::object& line);
// Of a kind other than `none`.
std::unique_ptr<Log> open_log(Kind kind, const SourceInfo& info);
std::unique_ptr<Log> open_wire(const SourceInfo& info);
std::unique_ptr<Log> open_context(const SourceInfo& info);
std::unique_ptr<Log> open_code(const SourceInfo& info);

Confidence recognises(std::string_view head);

// Whose log a file is, from where it lies. Both logs of a session of kimi-cli's lie in its
// folder, so they are one conversation.
struct Place {
  std::string session;  // empty if the folders do not name it
  std::string agent;    // of an agent that was spawned; empty for the session's own
  // A context that was compacted, cleared or reverted is kept, and a new one continues it: sessions
  // of their own, unless there is a wire that has everything.
  std::string rotated_from;  // the one that this one continues; empty for none
  bool is_aside = false;     // one that was kept, or an agent's among the session's own files
};
Place place_of(Kind kind, const SourceInfo& info);
// Of the wire that has all that a context at `place` has.
Place place_of_wire(Place place);
// `raw` names a session that its folder does not.
transcript::Heading heading_of(const Place& place, std::string_view program, std::string_view raw);
// The origin of the conversation, if its place names it.
std::optional<transcript::Origin> origin_of(const Place& place);
// Whether its tool keeps such a file beside the log.
bool has_beside(const SourceInfo& info, const std::string& relative);

// The facts in state.json of either program. Empty if there is no such file.
transcript::Facts facts_beside(const SourceInfo& info, const std::string& relative);

// A body for a part of a message: text, think, image, audio or video; Unknown for others.
transcript::Body parse_part(const json::value& part);
// A string, or a list of parts; each by `author`. Nothing for text that is empty.
std::vector<AuthoredBlock> append_text(const json::value* content, transcript::Author author);
// The same for a prompt: text that a program has put into it is the program's.
std::vector<AuthoredBlock> append_prompt(const json::value* content);
// All its text, a newline between parts.
std::string text_of(const json::value* content);
// Whether a program put that text where a person speaks.
bool is_injected(std::string_view text);

// Text and parts of what a tool gave back.
void set_output(transcript::ToolResult& result, const json::value* output);
// Arguments as a model wrote them; a string where they are no exact JSON.
json::value parse_arguments(std::string_view arguments);
// {"function": {"name", "arguments"}, "id"}.
transcript::ToolCall parse_call(const json::object& call);
// Calls of that tool may spawn an agent.
bool is_spawning(std::string_view tool);
// The agent that a result names as spawned: "agent_id: …" in its first line.
std::optional<std::string> spawned_agent(const transcript::ToolResult& result);

// Tokens, in either program's words: input_other or inputOther, and so on.
std::optional<transcript::Usage> find_usage(const json::object& object, std::string_view key);

}  // namespace weft::formats::kimi
