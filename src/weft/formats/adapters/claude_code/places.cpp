#include "weft/formats/adapters/claude_code/places.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/apis/claude_code/entry.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

constexpr std::string_view kAgentFile = "agent-";
constexpr std::size_t kHeadRecords = 200;
// A longer name of a project folder ends in a hash.
constexpr std::size_t kMostEncoded = 200;

// The index of the "subagents" that lies in a session's side folder; empty if none does.
std::optional<std::size_t> subagents_at(const std::vector<std::string_view>& parts) {
  for (std::size_t i = parts.size(); i-- > 1;) {
    if (parts[i] == "subagents" && is_uuid(parts[i - 1])) return i;
  }
  return std::nullopt;
}

bool is_folder_of(std::string_view folder, std::string_view cwd) {
  const std::string name = project_folder(cwd);
  if (name.size() <= kMostEncoded) return name == folder;
  return folder.starts_with(name.substr(0, kMostEncoded));
}

void add(std::vector<std::string>& found, std::string folder) {
  folder += "/projects";
  if (std::ranges::find(found, folder) == found.end()) found.push_back(std::move(folder));
}

}  // namespace

bool is_internal_agent(std::string_view agent) {
  return agent.starts_with("acompact-") || agent.starts_with("aprompt_suggestion-");
}

// What is neither letter nor digit is a dash, for
// each UTF-16 unit one.
std::string project_folder(std::string_view cwd) {
  std::string name;
  for (const char c : cwd) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain) name += c;
    else if (byte < 0x80 || byte >= 0xC0) name.append(byte >= 0xF0 ? 2 : 1, '-');
  }
  return name;
}

std::optional<std::string> agent_of_file(std::string_view name) {
  const std::string_view stem = stem_of(name);
  if (!stem.starts_with(kAgentFile) || stem.size() == kAgentFile.size()) return std::nullopt;
  return std::string(stem.substr(kAgentFile.size()));
}

std::optional<std::string> parent_session(std::string_view directory) {
  const auto parts = components(directory);
  const auto at = subagents_at(parts);
  if (!at) return std::nullopt;
  return std::string(parts[*at - 1]);
}

std::vector<std::string> folders(const Environment& environment) {
  std::vector<std::string> found;
  const std::string own = environment("CLAUDE_CONFIG_DIR").value_or("");
  const std::string home = environment("HOME").value_or("");
  if (!own.empty()) add(found, own);
  else if (!home.empty()) add(found, home + "/.claude");
  const std::string list = environment("CLAUDE_CONFIG_DIRS").value_or("");
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(":,"), rest.size());
    if (end > 0) add(found, std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

std::optional<std::string> ignore_reason(std::string_view path) {
  const auto parts = components(path);
  if (parts.empty()) return std::nullopt;
  const std::string_view name = parts.back();
  if (name.ends_with(".meta.json")) return "sidecar";
  if (name == "journal.jsonl") return "journal";
  if (name == "sessions-index.json") return "index";
  if (name == "history.jsonl") return "prompt-history";
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == "tool-results") return "tool-result";
    if (parts[i] == "workflows" && parts[i + 1] == "scripts") return "script";
  }
  return std::nullopt;
}

std::string project(std::string_view path, std::string_view head) {
  const auto parts = components(path);
  const auto subagents = subagents_at(parts);
  std::string_view folder;
  if (subagents && *subagents >= 2) folder = parts[*subagents - 2];
  else if (!subagents && parts.size() >= 2) folder = parts[parts.size() - 2];

  std::string first, own;
  each_in_head(head, kHeadRecords, [&](const json::object& record) {
    const auto cwd = find_string(record, "cwd");
    const auto names = components(cwd.value_or(""));
    if (names.empty()) return true;
    if (first.empty()) first = names.back();
    if (is_folder_of(folder, *cwd)) own = names.back();
    return own.empty();
  });
  if (!own.empty()) return own;
  if (!first.empty()) return first;
  folder.remove_prefix(std::min(folder.find_first_not_of('-'), folder.size()));
  return std::string(folder);
}

}  // namespace weft::formats::claude_code
