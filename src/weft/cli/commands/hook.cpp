// weft hook: ingests the transcript named by an agent's hook event; install and uninstall edit the
// agent's settings.
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>

#include "weft/base/file.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/own_command.hpp"
#include "weft/cli/hooks/commit_hook.hpp"
#include "weft/cli/hooks/hook_handover.hpp"
#include "weft/cli/hooks/hook_settings.hpp"
#include "weft/cli/hooks/hook_work.hpp"
#include "weft/cli/render/line_diff.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/settings_file.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string action;  // nothing, "install" or "uninstall"
  bool user = false, yes = false, git = false, handover = false;
  std::optional<std::string> project, message, message_from;
  SourceOptions where;
};

Outcome<fs::path> settings_path(const Context& context, const Options& options) {
  if (options.project) {
    fs::path directory = with_home(*options.project, context.environment());
    std::error_code failed;
    if (!fs::is_directory(directory, failed)) {
      return refuse({ErrorCode::not_found, directory.string() + " is not a directory"});
    }
    return fs::absolute(directory) / ".claude/settings.json";
  }
  const fs::path path = hook_settings_path(context.environment().home.value_or(""));
  if (path.is_relative()) {
    return refuse({ErrorCode::not_found, "cannot find your settings: HOME is not set"});
  }
  return path;
}

HookCommands own_hooks(const Context& context, const Options& options) {
  std::vector<std::string> words = own_command(context, "hook");
  std::vector<std::string> handover = words;
  handover.insert(handover.begin() + 2, "--handover");
  for (const std::string& source : options.where.sources) {
    words.insert(words.end(), {"--source", source});
  }
  return {.ingest = quoted_for_shell(words),
          .handover = quoted_for_shell(handover),
          .adds_handover = options.handover};
}

// Asks the person on the terminal; a script passes --yes.
Outcome<bool> is_wanted(const Context& context, const Options& options) {
  if (options.yes) return true;
  if (context.json() || !is_terminal(stdin) || !is_terminal(context.out())) {
    return refuse(
        {ErrorCode::denied, "nothing was written: there is no terminal to ask for confirmation on"},
        Exit::no, "pass --yes to write without confirmation");
  }
  context.print("Write this? [y/N] ");
  std::fflush(context.out());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

// A file that install or uninstall changes.
struct Change {
  fs::path path;
  std::string before{}, after{};
  std::string_view done{};  // what to say when it is written
};

// Shows the change, asks, and writes.
Answer make_change(const Context& context, const Options& options, const Change& change,
                   const std::function<Status()>& write) {
  const bool is_changed = change.after != change.before;
  const std::string diff = line_diff(change.before, change.after);
  if (is_changed) {
    if (!context.json()) print_change(context, change.path, diff);
    Outcome<bool> wanted = is_wanted(context, options);
    if (!wanted) return refuse(std::move(wanted));
    if (!*wanted) {
      context.print("Nothing was written.\n");
      return Exit::no;
    }
    if (Status written = write(); !written) return refuse(std::move(written).error());
  }
  if (context.json()) {
    context.print_json(
        json::object{{"path", change.path.string()}, {"changed", is_changed}, {"diff", diff}});
  } else if (!is_changed) {
    context.print(fmt::format("{} needs no change.\n", on_one_line(change.path.string())));
  } else {
    context.print(change.done);
  }
  return Exit::done;
}

Answer change_settings(const Context& context, const Options& options) {
  const bool is_install = options.action == "install";
  Outcome<fs::path> path = settings_path(context, options);
  if (!path) return refuse(std::move(path));
  Result<std::string> text = read_file(*path);
  if (!text && text.error().code != ErrorCode::not_found) return refuse(std::move(text).error());
  const std::string before = text ? *text : std::string();
  Result<std::string> after =
      is_install ? with_hooks(before, own_hooks(context, options)) : without_hooks(before);
  if (!after) {
    return refuse(std::move(after).error().within("'" + path->string() + "'"),
                  "the file was not changed; correct it first");
  }
  const Change change{.path = *path,
                      .before = before,
                      .after = *after,
                      .done = is_install ? "Claude Code will call weft from its next session on.\n"
                                         : "Claude Code no longer calls weft.\n"};
  return make_change(context, options, change,
                     [&] { return write_settings(change.path, change.before, change.after); });
}

Answer change_commit_hook(const Context& context, const Options& options) {
  constexpr mode_t kRunnable = 0755;
  const bool is_install = options.action == "install";
  fs::path directory = ".";
  if (options.project) directory = with_home(*options.project, context.environment());
  const std::string command = quoted_for_shell(own_command(context, "hook"));
  const std::string by_hand = "add this line to the hook: " + commit_hook_line(command);
  Result<fs::path> path = commit_hook_path(directory);
  if (!path) {
    const bool is_elsewhere = path.error().code == ErrorCode::invalid_input;
    return refuse(std::move(path).error(), is_elsewhere ? by_hand : std::string());
  }
  Result<std::string> text = read_file(*path);
  if (!text && text.error().code != ErrorCode::not_found) return refuse(std::move(text).error());
  Change change{.path = *path, .before = text ? *text : std::string()};
  const bool is_foreign = text && !is_commit_hook(change.before);
  if (is_foreign && is_install) {
    return refuse({ErrorCode::denied, path->string() + " is another hook; it was not changed"},
                  Exit::no, by_hand);
  }
  if (is_install) change.after = commit_hook_script(command);
  else if (is_foreign) change.after = change.before;
  change.done = is_install ? "git will name the tool calls of a commit in its message.\n"
                           : "git no longer calls weft.\n";
  return make_change(context, options, change, [&]() -> Status {
    std::error_code failed;
    if (is_install) {
      fs::create_directories(path->parent_path(), failed);
      return write_file_atomically(*path, change.after, kRunnable);
    }
    fs::remove(*path, failed);
    if (!failed) return {};
    return fail(ErrorCode::unavailable, "removing " + path->string() + ": " + failed.message());
  });
}

Answer run(const Context& context, const Options& options) {
  if (!options.action.empty()) {
    if (options.user && options.project) {
      return refuse({ErrorCode::invalid_input, "use either --user or --project DIR, not both"},
                    Exit::usage);
    }
    if (options.git && options.user) {
      return refuse({ErrorCode::invalid_input, "--git is about one repository"}, Exit::usage,
                    "use --project DIR to name it");
    }
    return options.git ? change_commit_hook(context, options) : change_settings(context, options);
  }
  if (options.message) {
    const Status added = add_trailers(context, *options.message, options.message_from.value_or(""));
    if (!added) return refuse(Error(added.error()));
    return Exit::done;
  }
  if (options.handover) {
    hand_over(context);
    return Exit::done;
  }
  if (Status answered = answer_hook(context, options.where); !answered) {
    return refuse(std::move(answered).error());
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("ACTION", options->action,
                "install or uninstall the hooks; default: answer a hook event on stdin",
                {.one_of = {"install", "uninstall"}});
  arguments.flag("--user", options->user, "With install or uninstall: your own settings (default)");
  arguments.add("--project", options->project,
                "With install or uninstall: the settings of the project in DIR", {.value = "DIR"});
  arguments.flag("--git", options->git,
                 "With install or uninstall: git's hook prepare-commit-msg, in the repository of "
                 "--project (default: here)");
  arguments.add("--message", options->message,
                "For that hook: name in this message the calls whose edits are staged",
                {.value = "FILE"});
  arguments.add("--message-from", options->message_from,
                "For that hook: where git says the message comes from", {.value = "KIND"});
  arguments.flag("--yes", options->yes, "With install or uninstall: do not ask for confirmation");
  arguments.flag("--handover", options->handover,
                 "Answer a SessionStart after a compaction with a handover; with install: add a "
                 "hook for that");
  options->where.add_to(arguments);
  return [options](Context& context) { return run(context, *options); };
}

// True unless a person runs install or uninstall, or the agent waits for an answer.
bool is_called_by_agent(std::span<const std::string> arguments) {
  constexpr std::array<std::string_view, 6> kTyped = {"install", "uninstall", "--help",
                                                      "-h",      "--version", "--handover"};
  return std::ranges::none_of(arguments, [&](const std::string& word) {
    return std::ranges::find(kTyped, word) != kTyped.end();
  });
}

}  // namespace

const Command& hook_command() {
  static const Command command = {
      .name = "hook",
      .group = Group::run_ingest,
      .summary = "ingest a transcript when an agent's hook fires; install sets this up",
      .about =
          "Claude Code runs `weft hook` while it works, with a JSON object on stdin that names\n"
          "the session's transcript. A background process ingests what is new, so the agent does\n"
          "not wait. The exit code is always 0 and nothing is printed to stdout; failures are\n"
          "reported on stderr, or in hook.log in the home. `weft hook install` adds weft to\n"
          "Claude Code's settings after showing the change; `weft hook uninstall` removes it.\n"
          "`weft hook --handover` is another hook, added only by `weft hook install --handover`:\n"
          "after a compaction it prints what `weft handover` says of the session, for the agent.\n"
          "\n"
          "With --git, install writes the hook prepare-commit-msg of a git repository. It adds a\n"
          "line `Weft-Thought: CID` to the message of a commit for each tool call whose edits are\n"
          "staged; weft blame reads these lines. It never fails a commit and prints nothing. A "
          "hook\n"
          "that is not weft's is left alone.",
      .examples =
          "weft hook install\n"
          "weft hook install --handover\n"
          "weft hook install --project . --yes\n"
          "weft hook install --git --project ~/src/looms\n"
          "weft hook uninstall",
      .see_also = "weft watch, weft up, weft doctor",
      .prepare = prepare,
      .is_unobtrusive = is_called_by_agent,
  };
  return command;
}

}  // namespace weft::cli
