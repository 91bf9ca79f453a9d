#include "weft/query/ask/tool_summary.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/base/ascii.hpp"
#include "weft/base/utf8.hpp"

namespace weft::query {
namespace {

using Words = std::span<const std::string_view>;

// One member of a summary: its name, and the arguments it may come from, the likeliest first.
struct SummaryRule {
  std::string_view member;
  Words arguments;
  std::size_t code_points;
};

constexpr std::string_view kCommands[] = {"command", "cmd", "script", "code", "commands"};
constexpr std::string_view kFiles[] = {
    "file_path",        "filePath",       "path",     "absolute_path", "target_file",
    "target_file_path", "file",           "filename", "notebook_path", "relative_workspace_path",
    "dir_path",         "directory_path", "paths",    "files",         "TargetFile",
    "AbsolutePath"};
constexpr std::string_view kQueries[] = {"query", "pattern",     "regex",        "q",
                                         "url",   "search_term", "search_query", "queries",
                                         "urls",  "keyword",     "Query",        "prompt"};
constexpr std::string_view kUrls[] = {"url", "urls", "query", "prompt"};
constexpr std::string_view kActions[] = {"action", "command", "operation"};
constexpr std::string_view kTargets[] = {"accountId",  "to",        "target",
                                         "recipient",  "channel",   "agent_id",
                                         "sessionKey", "sessionId", "session_id"};
constexpr std::string_view kTasks[] = {"description", "title",    "task", "prompt",
                                       "message",     "question", "name"};
constexpr std::string_view kSkills[] = {"skill", "name", "command"};

constexpr std::size_t kLong = 200;
constexpr std::size_t kShort = 100;
// No real path is longer, and a path that is cut names nothing.
constexpr std::size_t kPath = 500;

constexpr SummaryRule kCommand{"command", kCommands, kLong};
constexpr SummaryRule kFile{"file", kFiles, kPath};
constexpr SummaryRule kQuery{"query", kQueries, kShort};
constexpr SummaryRule kUrl{"query", kUrls, kShort};
constexpr SummaryRule kAction{"action", kActions, kShort};
constexpr SummaryRule kTarget{"target", kTargets, kShort};
constexpr SummaryRule kTask{"task", kTasks, kLong};
constexpr SummaryRule kSkill{"skill", kSkills, kShort};

constexpr SummaryRule kOfShell[] = {kCommand};
constexpr SummaryRule kOfFiles[] = {kFile};
constexpr SummaryRule kOfEditors[] = {kAction, kFile};
constexpr SummaryRule kOfSearch[] = {kQuery};
constexpr SummaryRule kOfFetch[] = {kUrl};
constexpr SummaryRule kOfBrowsers[] = {kAction, kUrl};
constexpr SummaryRule kOfProcesses[] = {kAction, kTarget};
constexpr SummaryRule kOfMessages[] = {kTarget};
constexpr SummaryRule kOfTasks[] = {kTask};
constexpr SummaryRule kOfSkills[] = {kSkill};

struct Kind {
  std::span<const SummaryRule> rules;
  Words names;  // folded: lower case, letters and digits alone
};
constexpr std::string_view kShells[] = {"bash",
                                        "shell",
                                        "exec",
                                        "execcommand",
                                        "runshellcommand",
                                        "bashtool",
                                        "localshell",
                                        "runcommands",
                                        "runterminalcmd",
                                        "executecommand",
                                        "runcommand",
                                        "runinterminal",
                                        "terminal",
                                        "python",
                                        "localshellcall",
                                        "codeexecution",
                                        "bashcodeexecution",
                                        "powershell",
                                        "repl",
                                        "codeinterpreter"};
constexpr std::string_view kFileTools[] = {
    "read",          "write",          "edit",        "multiedit",     "notebookedit",
    "notebookread",  "readfile",       "writefile",   "editfile",      "replace",
    "strreplace",    "strreplacefile", "createfile",  "create",        "view",
    "viewimage",     "list",           "ls",          "listdir",       "listfiles",
    "listdirectory", "readmanyfiles",  "writetofile", "replaceinfile", "deletefile",
    "searchreplace", "presentfiles",   "readlints",   "applypatch",    "patch"};
constexpr std::string_view kEditors[] = {"strreplacebasededittool", "strreplaceeditor",
                                         "texteditorcodeexecution", "memory", "artifacts"};
constexpr std::string_view kSearches[] = {
    "grep",       "glob",         "websearch",          "searchfilecontent", "googlewebsearch",
    "searchweb",  "memorysearch", "searchfiles",        "codebasesearch",    "grepsearch",
    "filesearch", "search",       "conversationsearch", "toolsearch",        "find"};
constexpr std::string_view kFetches[] = {"webfetch", "fetchurl", "fetch", "openurl"};
constexpr std::string_view kBrowsers[] = {"browser", "browseraction", "computer"};
constexpr std::string_view kProcesses[] = {"process", "cron", "gateway", "nodes"};
constexpr std::string_view kMessages[] = {"sessionssend", "message", "sendmessage", "sendinput",
                                          "sessionshistory"};
constexpr std::string_view kTaskTools[] = {
    "task",          "agent",         "subagent",        "spawnagent",         "newtask",
    "sessionsspawn", "dispatchagent", "askuserquestion", "askfollowupquestion"};
constexpr std::string_view kSkillTools[] = {"skill", "slashcommand", "activateskill"};

constexpr Kind kKinds[] = {{kOfShell, kShells},        {kOfFiles, kFileTools},
                           {kOfEditors, kEditors},     {kOfSearch, kSearches},
                           {kOfFetch, kFetches},       {kOfBrowsers, kBrowsers},
                           {kOfProcesses, kProcesses}, {kOfMessages, kMessages},
                           {kOfTasks, kTaskTools},     {kOfSkills, kSkillTools}};

// For unknown tools: the first of these that is present.
constexpr SummaryRule kOfOthers[] = {kFile, kCommand, kQuery, kTask};

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : to_lower(name)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

const Kind* find_kind(std::string_view name) {
  const std::string word = folded(name);
  const auto* found = std::ranges::find_if(kKinds, [&](const Kind& kind) {
    return std::ranges::find(kind.names, word) != kind.names.end();
  });
  return found == std::end(kKinds) ? nullptr : found;
}

// A text, or a list of texts joined by blanks: ["git", "pull"]. Empty for any other value.
std::optional<std::string> words_in(const json::value& value) {
  if (const json::string* text = value.if_string()) {
    return text->empty() ? std::nullopt : std::optional(std::string(view(*text)));
  }
  const json::array* list = value.if_array();
  if (list == nullptr) return std::nullopt;
  std::string out;
  for (const json::value& item : *list) {
    const json::string* text = item.if_string();
    if (text == nullptr) return std::nullopt;
    if (!out.empty()) out += ' ';
    out += view(*text);
  }
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

std::string cut(const std::string& text, std::size_t code_points) {
  const std::string_view kept = slice_code_points(text, 0, code_points);
  return std::string(kept) + (kept.size() < text.size() ? "…" : "");
}

bool apply(const SummaryRule& rule, const json::object& input, json::object& out) {
  for (const std::string_view name : rule.arguments) {
    const json::value* value = find_member(input, name);
    const auto words = value == nullptr ? std::nullopt : words_in(*value);
    if (!words) continue;
    out[rule.member] = cut(*words, rule.code_points);
    return true;
  }
  return false;
}

// The files that a patch changes, from its text.
std::optional<std::string> patched_files(std::string_view patch) {
  constexpr std::array<std::string_view, 3> kHeads = {
      "*** Update File: ", "*** Add File: ", "*** Delete File: "};
  std::string files;
  while (!patch.empty()) {
    const std::string_view line = patch.substr(0, patch.find('\n'));
    for (const std::string_view head : kHeads) {
      if (!line.starts_with(head)) continue;
      if (!files.empty()) files += ' ';
      files += line.substr(head.size());
    }
    patch.remove_prefix(std::min(line.size() + 1, patch.size()));
  }
  return files.empty() ? std::nullopt : std::optional(std::move(files));
}

// Arguments that are one text, as some tools take them.
void summarize_text(std::string_view text, bool is_shell, json::object& out) {
  if (const auto files = patched_files(text)) {
    out["file"] = cut(*files, kPath);
  } else if (is_shell && !text.empty()) {
    out["command"] = cut(std::string(text), kLong);
  }
}

}  // namespace

json::object tool_summary(const json::object& content) {
  const std::string_view name = find_string(content, "tool_name").value_or("unknown");
  json::object out{{"tool", name}};
  const json::value* input = find_member(content, "input");
  if (input == nullptr) return out;
  const Kind* kind = find_kind(name);
  if (const json::string* text = input->if_string()) {
    summarize_text(view(*text), kind != nullptr && kind->rules.data() == kOfShell, out);
    return out;
  }
  const json::object* arguments = input->if_object();
  if (arguments == nullptr) return out;
  if (kind != nullptr) {
    for (const SummaryRule& rule : kind->rules) apply(rule, *arguments, out);
  }
  // The text of a patch names its files.
  for (const std::string_view member : {"input", "patch", "patchText"}) {
    if (out.size() > 1) break;
    if (const auto patch = find_string(*arguments, member)) summarize_text(*patch, false, out);
  }
  if (kind == nullptr && out.size() == 1) {
    for (const SummaryRule& rule : kOfOthers) {
      if (apply(rule, *arguments, out)) break;
    }
  }
  return out;
}

}  // namespace weft::query
