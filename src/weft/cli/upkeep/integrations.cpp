#include "weft/cli/upkeep/integrations.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/file.hpp"
#include "weft/cli/hooks/hook_settings.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/serve/mcp_clients.hpp"
#include "weft/cli/upkeep/lock_holders.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHookSettings = ".claude/settings.json";

std::optional<fs::path> this_program() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? std::nullopt : std::optional(self);
}

// The file that a command starts: a path as it is, a name as the PATH finds it.
std::optional<fs::path> resolved(const std::string& program) {
  std::error_code error;
  if (program.find('/') != std::string::npos) {
    const fs::path real = fs::canonical(program, error);
    return error ? std::nullopt : std::optional(real);
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const fs::path candidate = fs::path(folder) / program;
    if (::access(candidate.c_str(), X_OK) == 0) return fs::canonical(candidate, error);
  }
  return std::nullopt;
}

// The first word of a command for a shell, without its quotes.
std::string first_word(std::string_view command) {
  std::string word;
  char quote = 0;
  for (const char c : command) {
    if (quote == 0 && c == ' ') break;
    if (quote == 0 && (c == '\'' || c == '"')) quote = c;
    else if (c == quote) quote = 0;
    else word += c;
  }
  return word;
}

// The commands of weft's hooks in settings of Claude Code.
void find_hooks(const json::value& value, std::vector<std::string>& found) {
  if (const json::array* array = value.if_array()) {
    for (const json::value& item : *array) find_hooks(item, found);
  } else if (const json::object* object = value.if_object()) {
    const auto command = find_string(*object, "command");
    if (command && is_weft_hook(*command)) found.push_back(first_word(*command));
    for (const auto& member : *object) find_hooks(member.value(), found);
  }
}

void add_stray(std::vector<Integration>& strays, const fs::path& self, std::string what,
               const std::string& program, std::string cure) {
  const auto real = resolved(program);
  if (real == self) return;
  strays.push_back({std::move(what), program, std::move(cure), !real.has_value()});
}

void add_hooks(std::vector<Integration>& strays, const fs::path& self, const fs::path& home) {
  const Result<std::string> text = read_file(home / kHookSettings);
  const Result<ParsedJson> parsed = text ? parse_json(*text) : fail(ErrorCode::not_found, "");
  if (!parsed) return;
  std::vector<std::string> programs;
  find_hooks(parsed->value, programs);
  std::ranges::sort(programs);
  programs.erase(std::ranges::unique(programs).begin(), programs.end());
  for (const std::string& program : programs) {
    add_stray(strays, self, "the hook of Claude Code", program, "weft hook install");
  }
}

void add_clients(std::vector<Integration>& strays, const fs::path& self, const fs::path& home) {
  for (const McpClient& client : mcp_clients()) {
    const Result<std::string> text = read_file(home / client.path);
    const auto program = text ? weft_program_in(client.shape, *text) : std::nullopt;
    if (!program) continue;
    add_stray(strays, self, std::string(client.title), *program,
              fmt::format("weft mcp install {}", client.name));
  }
}

// Processes that ingest into this home.
void add_processes(std::vector<Integration>& strays, const fs::path& self, const Context& context) {
  for (const LockHolder& holder : lock_holders(lock_for(context, {}))) {
    const std::string pid = std::to_string(holder.pid);
    // The link of a program that keeps its memory private cannot be read; its command line can.
    const Result<std::string> line = read_file(fs::path("/proc") / pid / "cmdline");
    const std::string program = line ? line->substr(0, line->find('\0')) : std::string();
    if (fs::path(program).filename() != "weft") continue;
    add_stray(strays, self, "process " + pid, program, "kill " + pid + ", and start it again");
  }
}

}  // namespace

std::vector<Integration> find_strays(const Context& context) {
  std::vector<Integration> strays;
  const auto self = this_program();
  if (!self) return strays;
  if (context.environment().home) {
    const fs::path home(*context.environment().home);
    add_hooks(strays, *self, home);
    add_clients(strays, *self, home);
  }
  add_processes(strays, *self, context);
  return strays;
}

}  // namespace weft::cli
