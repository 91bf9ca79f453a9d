#include "weft/query/handover/handover.hpp"

#include <algorithm>
#include <map>

#include "weft/base/time.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/edits/call_reader.hpp"
#include "weft/query/handover/handover_text.hpp"
#include "weft/query/handover/human_words.hpp"
#include "weft/query/handover/open_todos.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/transcript/rebuild.hpp"

namespace weft::query {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

constexpr std::size_t kMostDecisions = 6;
constexpr std::size_t kMostTodos = 12;
constexpr std::size_t kMostFiles = 12;

struct Words {
  Cid cid;
  std::string text;
  Millis time = 0;
};

struct Failed {
  Cid result;
  ToolCall call;
  Millis time = 0;
};

bool is_commit(const ToolCall& call) {
  const json::object* input = call.input.if_object();
  if (input == nullptr) return false;
  for (const std::string_view name : {"command", "cmd"}) {
    const json::value* command = find_member(*input, name);
    if (command == nullptr) continue;
    const std::string text =
        command->is_string() ? std::string(view(command->get_string())) : canonical_json(*command);
    if (text.find("git commit") != std::string::npos) return true;
  }
  return false;
}

// What a walk through the conversation collects.
class Collection {
 public:
  explicit Collection(const Library& library) : library_(library), foreigners_(library) {}

  void note(const Block& block, const Cid& cid) {
    if (const auto* text = std::get_if<Text>(&block.body)) {
      if (block.author == Author::human) note_words(text->text, block, cid);
    } else if (const auto* call = std::get_if<ToolCall>(&block.body)) {
      note_call(*call, block, cid);
    } else if (const auto* result = std::get_if<ToolResult>(&block.body)) {
      note_result(*result, block, cid);
    }
  }

  std::optional<Words> begun, task;
  std::vector<Words> decisions;  // the newest last
  TodoList todos;
  std::optional<Failed> failure;
  Millis committed = 0;  // the time of the last `git commit`

 private:
  bool is_own(const Cid& cid) {
    const Result<thought::Thought> thought = library_.web.get_without_path(cid);
    return thought && !foreigners_.is_foreign(*thought);
  }

  void note_words(const std::string& text, const Block& block, const Cid& cid) {
    if (!is_own(cid)) return;
    const Words words{cid, text, block.start.value_or(0)};
    if (task && is_decision(text)) decisions.push_back(words);
    if (!is_task(text)) return;
    if (!begun) begun = words;
    task = words;
  }

  void note_call(const ToolCall& call, const Block& block, const Cid& cid) {
    if (!is_own(cid)) return;
    todos.note(call, cid);
    if (is_commit(call)) committed = block.start.value_or(0);
    if (!call.id.empty()) calls_[call.id] = call;
  }

  // A call that failed and was made again without failing is no failure any more.
  void note_result(const ToolResult& result, const Block& block, const Cid& cid) {
    const auto call = calls_.find(result.call_id);
    if (call == calls_.end()) return;
    if (result.is_error) {
      if (is_own(cid)) failure = Failed{cid, call->second, block.start.value_or(0)};
    } else if (failure && failure->call.name == call->second.name &&
               failure->call.input == call->second.input) {
      failure.reset();
    }
  }

  const Library& library_;
  Foreigners foreigners_;
  std::map<std::string, ToolCall> calls_;  // by id
};

struct ChangedFile {
  Cid last;
  std::string path;
  std::uint64_t edits = 0;
  std::uint64_t rank = 0;  // of its last edit
};

Result<std::vector<ChangedFile>> changed_files(const Library& library,
                                               const store::ConversationRow& row, Millis since,
                                               const QueryControl& control) {
  std::map<std::string, ChangedFile> files;
  std::uint64_t rank = 0;
  CallReader reader(library, control, [&](const MadeEdit& made) {
    if (!made.result || made.time < since) return;
    ChangedFile& file = files[made.edit.path];
    file.path = made.edit.path;
    file.last = made.request;
    ++file.edits;
    file.rank = ++rank;
  });
  WEFT_TRY(reader.read(row));
  std::vector<ChangedFile> list;
  for (auto& [path, file] : files) list.push_back(std::move(file));
  std::ranges::sort(list, std::ranges::greater(), &ChangedFile::rank);
  if (list.size() > kMostFiles) list.resize(kMostFiles);
  return list;
}

json::object to_json(const Words& words) {
  return {{"cid", words.cid.str()}, {"words", words.text}, {"time", words.time}};
}

json::object to_json(const Failed& failed) {
  json::object failure{{"cid", failed.result.str()}, {"tool", failed.call.name}};
  if (const std::string call = call_in_words(failed.call); !call.empty()) failure["call"] = call;
  failure["time"] = failed.time;
  return failure;
}

}  // namespace

Result<json::object> handover(const Library& library, const store::ConversationRow& row,
                              const QueryControl& control) {
  WEFT_TRY_VALUE(const auto rebuilt, rebuild(library, row, {.leave_out_sealed = true}));
  Collection found(library);
  std::size_t at = 0;
  for (const transcript::Turn& turn : rebuilt.conversation.turns) {
    for (const Block& block : turn.blocks) found.note(block, rebuilt.cids[at++]);
  }
  WEFT_TRY_VALUE(const auto files, changed_files(library, row, found.committed, control));

  const json::object described = describe(library, row);
  json::object answer{{"conversation_cid", row.cid.str()},
                      {"session_id", row.session_id},
                      {"title", find_string(described, "title").value_or("")}};
  if (found.task) answer["task"] = to_json(*found.task);
  if (found.begun && found.begun->cid != found.task->cid) answer["begun"] = to_json(*found.begun);
  json::array todos;
  for (const Todo& todo : found.todos.open()) {
    if (todos.size() == kMostTodos) break;
    todos.push_back(
        json::object{{"cid", todo.call.str()}, {"words", todo.words}, {"status", todo.status}});
  }
  answer["todos"] = std::move(todos);
  json::array changed;
  for (const ChangedFile& file : files) {
    changed.push_back(
        json::object{{"cid", file.last.str()}, {"path", file.path}, {"edits", file.edits}});
  }
  answer["files"] = std::move(changed);
  if (found.failure) answer["failure"] = to_json(*found.failure);
  json::array decisions;
  for (auto words = found.decisions.rbegin(); words != found.decisions.rend(); ++words) {
    if (decisions.size() == kMostDecisions) break;
    if (!found.task || words->cid != found.task->cid) decisions.push_back(to_json(*words));
  }
  answer["decisions"] = std::move(decisions);
  answer["text"] = handover_text(answer);
  return answer;
}

}  // namespace weft::query
