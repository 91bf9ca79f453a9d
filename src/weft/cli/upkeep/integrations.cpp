#include "weft/cli/upkeep/integrations.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/confirm.hpp"
#include "weft/cli/hooks/hook_settings.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/line_diff.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/lock_holders.hpp"
#include "weft/cli/upkeep/settings_file.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

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

void add_stray(std::vector<Integration>& strays, const fs::path& self, Integration found) {
  const auto real = resolved(found.program);
  if (real == self) return;
  found.is_missing = !real.has_value();
  strays.push_back(std::move(found));
}

void add_hooks(std::vector<Integration>& strays, const fs::path& self, const fs::path& home) {
  const fs::path settings = hook_settings_path(home);
  const Result<std::string> text = read_file(settings);
  if (!text) return;
  for (const std::string& program : hook_programs(*text)) {
    add_stray(strays, self,
              {.kind = Integration::Kind::hook,
               .what = "the hook of Claude Code",
               .program = program,
               .cure = "weft hook install",
               .settings = settings});
  }
}

void add_clients(std::vector<Integration>& strays, const fs::path& self, const fs::path& home) {
  for (const McpClient& client : mcp_clients()) {
    const fs::path settings = home / client.path;
    const Result<std::string> text = read_file(settings);
    const auto program = text ? weft_program_in(client.shape, *text) : std::nullopt;
    if (!program) continue;
    add_stray(strays, self,
              {.kind = Integration::Kind::client,
               .what = std::string(client.title),
               .program = *program,
               .cure = fmt::format("weft mcp install {}", client.name),
               .settings = settings,
               .shape = client.shape});
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
    add_stray(strays, self,
              {.kind = Integration::Kind::process,
               .what = "process " + pid,
               .program = program,
               .cure = "kill " + pid + ", and start it again",
               .pid = holder.pid});
  }
}

Result<bool> put_settings_right(const Context& context, const Integration& stray,
                                const std::string& self, bool yes) {
  WEFT_TRY_VALUE(const std::string before, read_file(stray.settings));
  Result<std::string> after = stray.kind == Integration::Kind::hook
                                  ? with_hook_program(before, stray.program, self)
                                  : with_weft_program(stray.shape, before, self);
  if (!after) return fail(std::move(after).error().within("'" + stray.settings.string() + "'"));
  if (*after == before) return false;
  if (!context.json()) print_change(context, stray.settings, line_diff(before, *after));
  if (!yes && !is_answered_yes(context, "Write this? [y/N] ")) return false;
  WEFT_TRY(write_settings(stray.settings, before, *after));
  return true;
}

// Only if it is still the process that was found.
Result<bool> end_process(const Context& context, const Integration& stray, bool yes) {
  const std::string question =
      fmt::format("End {} ({})? What started it has to start it again. [y/N] ", stray.what,
                  on_one_line(stray.program));
  if (!yes && !is_answered_yes(context, question)) return false;
  const std::vector<LockHolder> holders = lock_holders(lock_for(context, {}));
  if (std::ranges::find(holders, stray.pid, &LockHolder::pid) == holders.end()) return false;
  if (::kill(stray.pid, SIGTERM) != 0) {
    return fail(ErrorCode::denied, "cannot end " + stray.what + ": it belongs to another user");
  }
  return true;
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

std::string described(const Integration& stray) {
  return fmt::format("{} {} {}, {}: {}", stray.what,
                     stray.kind == Integration::Kind::process ? "is" : "starts", stray.program,
                     stray.is_missing ? "which is not there" : "which is not this weft",
                     stray.cure);
}

Result<bool> put_right(const Context& context, const Integration& stray, bool yes) {
  if (!yes && !can_ask(context)) return false;
  if (stray.kind == Integration::Kind::process) return end_process(context, stray, yes);
  const auto self = this_program();
  if (!self) return fail(ErrorCode::unavailable, "cannot find the path of this weft");
  return put_settings_right(context, stray, self->string(), yes);
}

}  // namespace weft::cli
