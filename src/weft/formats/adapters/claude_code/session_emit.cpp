// Emits a record of a session: blocks in their places, spawned agents, usage, titles.
#include <algorithm>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/claude_code/session.hpp"
#include "weft/formats/apis/anthropic/requests.hpp"
#include "weft/formats/apis/anthropic/stream.hpp"
#include "weft/formats/apis/claude_code/prompt_origin.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Spawned;
using transcript::Text;
using Title = BranchingConversation::Title;

bool may_spawn(std::string_view tool) {
  return tool == "Task" || tool == "Agent" || tool == "Workflow";
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

const transcript::ToolResult* single_result(const Reading& reading) {
  const transcript::ToolResult* single = nullptr;
  for (const AuthoredBlock& block : reading.blocks) {
    const auto* result = std::get_if<transcript::ToolResult>(&block.body);
    if (result == nullptr) continue;
    if (single != nullptr) return nullptr;
    single = result;
  }
  return single;
}

// A call that may begin an agent, and the words that the agent begins with.
struct SpawningCall {
  std::string id, prompt;
};
std::optional<SpawningCall> spawning_call(const transcript::Body& body) {
  const auto* call = std::get_if<transcript::ToolCall>(&body);
  if (call == nullptr || !may_spawn(call->name) || call->id.empty()) return std::nullopt;
  const json::object* input = call->input.if_object();
  const auto prompt = input == nullptr ? std::nullopt : find_string(*input, "prompt");
  return SpawningCall{call->id, std::string(prompt.value_or(""))};
}

// The call of an agent that ran in the background, if the block is its report; else empty. Other
// tasks notify in the same way; the calls of those spawned nothing.
std::string notified_call(const AuthoredBlock& block) {
  const auto* text = std::get_if<Text>(&block.body);
  if (text == nullptr || block.author != Author::program) return {};
  if (!text->text.starts_with("<task-notification>")) return {};
  const std::string_view call = tagged(text->text, "tool-use-id");
  return call.size() > kMaxIdBytes ? std::string() : std::string(call);
}

// Where nobody is human, the first words that the program says to the model.
bool is_title(const Entry& entry, const AuthoredBlock& block, const BranchingConversation& thread) {
  if (!std::holds_alternative<Text>(block.body)) return false;
  return thread.has_people() ? block.author == Author::human
                             : entry.type == "user" && block.author != Author::model;
}
std::string title_of(const AuthoredBlock& block) {
  return one_line(std::get<Text>(block.body).text, kTitleLength);
}

}  // namespace

bool Session::emit_blocks(const Entry& entry, const Position& position, Reading& reading,
                          transcript::Sink& sink) {
  BranchingConversation& thread = begin(position.number, sink);
  const bool is_persons =
      thread.has_people() && std::ranges::find(reading.blocks, Author::human,
                                               &AuthoredBlock::author) != reading.blocks.end();
  if (position.number != 0 && !thread.has_turns()) {
    // The first words of a sidechain are in the call that began it.
    const auto* prompt = std::get_if<Text>(&reading.blocks.front().body);
    const auto call = prompt == nullptr ? std::nullopt : calls_.take(prompt->text);
    if (call) {
      sink.origin({.session_id = main_.heading().session_id, .call_id = call});
    }
  }
  const auto api_index =
      reading.blocks.size() == 1 ? find_int(entry.object(), "apiBlockIndex") : std::nullopt;
  const AgentNames names = agent_names(reading);
  bool is_emitted = false;
  for (AuthoredBlock& authored : reading.blocks) {
    Block block{.author = authored.author,
                .body = {},
                .source_id = entry.id,
                .index = authored.index,
                .start = authored.start,
                .stop = authored.stop,
                .recorded = entry.time};
    if (block.author == Author::human && !thread.has_people()) block.author = Author::program;
    // A compaction is the model's too, but stands in a user record.
    const bool is_of_message = entry.type == "assistant" && block.author != Author::program;
    if (is_of_message) block.message_id = reading.message_id;
    if (is_of_message && block.author == Author::model) {
      block.model = reading.model ? reading.model : info_.model;
      const Snapshots::Found found =
          reading.message_id ? snapshots_.add(*reading.message_id, api_index, authored,
                                              {.source_id = entry.id, .index = authored.index})
                             : Snapshots::Found{};
      if (found.kind == Snapshots::Found::Kind::repeat) continue;
      if (found.kind == Snapshots::Found::Kind::restated) {
        block.source_id = found.place.source_id;
        block.index = found.place.index;
      }
    }
    is_emitted = true;
    const std::optional<SpawningCall> spawning = spawning_call(authored.body);
    const std::string notified = notified_call(authored);
    const std::string title = is_title(entry, authored, thread) ? title_of(authored) : "";
    block.body = std::move(authored.body);
    thread.emit(entry, is_persons, position.above, std::move(block), sink);
    emit_kept(entry, reading, authored.index, thread, sink);
    if (spawning) {
      calls_.add(spawning->id, spawning->prompt);
      sink.spawned({.call_id = spawning->id});
    }
    if (!notified.empty()) sink.spawned({.call_id = notified, .outcome = Spawned::Outcome::here});
    thread.set_title(authored.is_command ? Title::command : Title::prompt, title, sink);
  }
  if (!is_emitted) {
    sink.skip({entry.line, "duplicate"});
  } else {
    transcript::Facts facts;
    const auto cwd = find_string(entry.object(), "cwd");
    const auto branch = find_string(entry.object(), "gitBranch");
    if (cwd && !cwd->empty()) facts.cwd = *cwd;
    if (branch && !branch->empty()) facts.git_branch = *branch;
    facts.updated_at = entry.time;
    thread.note(facts, sink);
    emit_agents(entry, names, sink);
  }
  return is_persons && is_emitted;
}

// The whole of a result that the transcript has only the beginning of. Its path is foreign:
// only the name counts, within the one folder in which the harness keeps such files.
void Session::emit_kept(const Entry& entry, const Reading& reading, std::uint32_t result,
                        BranchingConversation& thread, transcript::Sink& sink) {
  if (!info_.beside) return;
  // A subagent's file lies in its session's own folder, one deeper.
  const std::string folder = is_subagent_ ? "../" : std::string(stem_of(info_.name)) + "/";
  for (const Reading::Kept& kept : reading.kept) {
    if (kept.result != result) continue;
    const std::string_view name = base_name(kept.path);
    if (name.empty() || name == "." || name == ".." || name.size() > kMaxIdBytes) continue;
    const auto file = info_.beside(folder + "tool-results/" + std::string(name));
    if (!file) continue;
    std::string storage;
    std::size_t repairs = 0;
    const std::string_view text = repair_utf8(*file, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    thread.emit(entry, false, kNoTurn,
                {.author = Author::tool,
                 .body = transcript::Attachment{.kind = "file",
                                                .name = std::string(name),
                                                .text = std::string(text),
                                                .size = file->size()},
                 .source_id = entry.id,
                 .index = static_cast<std::uint32_t>(reading.blocks.size()) + result,
                 .recorded = entry.time},
                sink);
  }
}

Session::AgentNames Session::agent_names(const Reading& reading) {
  if (const auto* result = single_result(reading)) return {.result_of = result->call_id};
  AgentNames names;
  for (const AuthoredBlock& block : reading.blocks) {
    const auto* text = std::get_if<Text>(&block.body);
    if (text == nullptr || block.author != Author::program) continue;
    const std::string_view call = tagged(text->text, "tool-use-id");
    if (call.empty() || call.size() > kMaxIdBytes) continue;
    names.tasks.emplace_back(call, tagged(text->text, "task-id"));
  }
  return names;
}

void Session::emit_agents(const Entry& entry, const AgentNames& names, transcript::Sink& sink) {
  if (!names.result_of.empty()) {
    const json::object* structured = find_object(entry.object(), "toolUseResult");
    const auto agent = structured == nullptr ? std::nullopt : find_id(*structured, "agentId");
    if (!agent) return;
    emit_agent(names.result_of, *agent, sink);
    if (find_bool(*structured, "isAsync").value_or(false)) {
      sink.spawned({.call_id = names.result_of, .outcome = Spawned::Outcome::later});
    }
    return;
  }
  for (const auto& [call, task] : names.tasks) {
    if (calls_.has(call)) emit_agent(call, task, sink);
  }
}

void Session::emit_agent(std::string_view call_id, std::string_view agent, transcript::Sink& sink) {
  if (agent.empty() || agent.size() > kMaxIdBytes || !calls_.name(call_id, agent)) return;
  sink.spawned({.call_id = std::string(call_id), .agent = std::string(agent)});
}

void Session::emit_usage(const Entry& entry, const Position& position, transcript::Sink& sink) {
  const json::object* message = find_object(entry.object(), "message");
  const json::object* usage = message == nullptr ? nullptr : find_object(*message, "usage");
  if (usage == nullptr || entry.type != "assistant") return;
  if (find_string(*message, "model") == "<synthetic>") return;
  std::string key(find_string(*message, "id").value_or(entry.id));
  key.append("\n").append(find_string(entry.object(), "requestId").value_or(""));
  const transcript::Usage line = anthropic::counts_of(*usage);
  BranchingConversation& thread = begin(position.number, sink);
  const transcript::Usage more = usage_.add(quick_hash_of(key), line);
  thread.add_usage(more, sink);
  if (more != transcript::Usage()) emit_requests(entry, *message, *usage, sink);
}

// The request of a line, and those to advisors that the model asked on the way: their tokens are
// not in its own counts.
void Session::emit_requests(const Entry& entry, const json::object& message,
                            const json::object& usage, transcript::Sink& sink) {
  const json::object& line = entry.object();
  transcript::Request request = anthropic::request_of(message, usage);
  if (request.message_id.empty()) request.message_id = entry.id;
  request.request_id = find_string(line, "requestId").value_or("");
  request.time = entry.time;
  request.is_sidechain = entry.is_sidechain;
  if (const json::value* cost = find_member(line, "costUSD"); cost && cost->is_number()) {
    request.stated_cost = transcript::to_nanodollars(cost->to_number<double>());
  }
  sink.request(request);
  for (transcript::Request& advice : anthropic::advisor_requests(usage)) {
    advice.message_id = request.message_id + advice.message_id;
    advice.request_id = request.request_id;
    advice.time = request.time;
    advice.is_sidechain = request.is_sidechain;
    sink.request(advice);
  }
}

}  // namespace weft::formats::claude_code
