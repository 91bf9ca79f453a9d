#include "weft/cli/app/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <new>
#include <system_error>
#include <tuple>

#include "weft/base/typed/suggest.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/command_shape.hpp"
#include "weft/cli/app/help.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kEveryCommand = "Options of every command";
constexpr std::string_view kSqlite = "sqlite:";

// The command's name is the first word that is neither an option nor an option's value.
struct CommandLine {
  std::optional<std::string> name{};
  std::vector<std::string> rest{};
};

CommandLine split(const std::vector<std::string>& arguments) {
  constexpr std::array<std::string_view, 5> kWithValue = {"--home", "--store", "--keys", "--color",
                                                          "--colour"};
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with('-') && !line.name) {
      line.name = argument;
      line.rest.insert(line.rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                       arguments.end());
      break;
    }
    line.rest.push_back(argument);
    if (std::ranges::find(kWithValue, argument) != kWithValue.end() && i + 1 < arguments.size()) {
      line.rest.push_back(arguments[++i]);
    }
  }
  return line;
}

// `weft help CMD` is `weft CMD --help`; `weft help` is `weft --help`.
CommandLine help_line(CommandLine asked) {
  CommandLine line;
  const auto command = std::ranges::find_if(
      asked.rest, [](const std::string& word) { return !word.starts_with('-'); });
  if (command != asked.rest.end()) line.name = *command;
  line.rest.emplace_back("--help");
  return line;
}

void add_global_options(CLI::App& app, GlobalOptions& options) {
  const std::string group(kEveryCommand);
  app.set_help_flag("-h,--help", "Print what the command does")->group(group);
  app.set_version_flag("-V,--version", std::string(WEFT_VERSION), "Print the version")
      ->group(group);
  app.add_flag("--json", options.json, "Print one JSON document on stdout")->group(group);
  app.add_option("--home", options.places.home, "Folder of keyring and store")
      ->type_name("DIR")
      ->group(group);
  app.add_option("--store", options.places.store, "Use another store: sqlite:PATH or postgres://…")
      ->type_name("URL")
      ->group(group)
      ->check([](const std::string& url) {
        // A path alone could be a mistyped option.
        if (!url.starts_with(kSqlite) && !url.contains("://")) {
          return std::string("expected a store as sqlite:PATH or postgres://HOST/DATABASE");
        }
        const auto parsed = store::StoreUrl::parse(url);
        return parsed ? std::string() : parsed.error().message;
      });
  app.add_option("--keys", options.places.keys, "Use another keyring")
      ->type_name("FILE")
      ->group(group);
  app.add_option_function<std::string>(
         "--color,--colour",
         [&options](const std::string& when) {
           options.colour = when == "always"  ? ColourChoice::always
                            : when == "never" ? ColourChoice::never
                                              : ColourChoice::automatic;
         },
         "auto, always or never (default: auto)")
      ->type_name("WHEN")
      ->group(group)
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("WHEN");
  // As in other programs, the last one counts: an alias may have given the first.
  for (CLI::Option* option : app.get_options()) {
    if (option->get_group() == group && option->get_expected_max() == 1) {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

// Writes to stdout and stderr before and after a command.
class Frame {
 public:
  enum class Manner { usual, unobtrusive };
  Frame(std::FILE* out, std::FILE* err, Manner manner = Manner::usual)
      : out_(out), err_(err), manner_(manner) {}

  void print(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), out_); }

  // With --json it is a document too, as every other answer.
  Exit wrong_usage(std::string_view message, bool json) const {
    if (json && manner_ == Manner::usual) {
      write_json(out_,
                 json::object{{"error", json::object{{"code", to_string(ErrorCode::invalid_input)},
                                                     {"message", message}}}},
                 is_terminal(out_) ? Layout::indented : Layout::compact);
    } else {
      complain(message, {});
    }
    return Exit::usage;
  }

  Exit report(const Refusal& refusal, bool json, Layout layout) const {
    if (manner_ == Manner::unobtrusive) {
      complain(refusal.error.message, {});
    } else if (json) {
      write_json(out_,
                 json::object{{"error", json::object{{"code", to_string(refusal.error.code)},
                                                     {"message", refusal.error.message}}}},
                 layout);
    } else {
      complain(refusal.error.message, refusal.hint);
    }
    return refusal.exit;
  }

  // A full disk shows only when the buffers are flushed.
  Exit flushed(Exit exit) const {
    if (std::fflush(out_) == 0 && std::ferror(out_) == 0) return exit;
    complain("writing the answer: " + std::generic_category().message(errno), {});
    return Exit::failure;
  }

 private:
  void complain(std::string_view message, std::string_view hint) const {
    std::string text = "weft: " + on_one_line(message) + "\n";
    if (!hint.empty()) text += "  " + on_one_line(hint) + "\n";
    std::fwrite(text.data(), 1, text.size(), err_);
  }

  std::FILE* out_;
  std::FILE* err_;
  Manner manner_;
};

std::string no_such_command(const std::string& typed) {
  std::vector<std::string_view> names;
  for (const Command* command : all_commands()) names.push_back(command->name);
  std::string message = fmt::format("unknown command '{}'", typed);
  if (const auto name = nearest(typed, names))
    return fmt::format("{}; did you mean '{}'?", message, *name);
  return message + "; list the commands with weft --help";
}

std::string usage_message(const CLI::App& app, std::string_view command,
                          const CLI::ParseError& error) {
  const std::string more = fmt::format("(weft {} --help)", command);
  const std::vector<std::string> unexpected = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !unexpected.empty()) {
    const std::string& typed = unexpected.front();
    std::vector<std::string> options;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    const std::vector<std::string_view> names(options.begin(), options.end());
    if (const auto name = typed.starts_with("--") ? nearest(typed, names) : std::nullopt) {
      return fmt::format("{}: unknown option '{}'; did you mean {}?", command, typed, *name);
    }
    // Where there are positional arguments, one of them may start like an option.
    const bool takes_positionals =
        std::ranges::any_of(app.get_options(), [](const CLI::Option* option) {
          return option->get_positional() && option->get_name() == "QUERY";
        });
    const char* cure = takes_positionals ? "To use it as an argument, put -- before it. " : "";
    return fmt::format("{}: unknown argument '{}'. {}{}", command, typed, cure, more);
  }
  std::vector<std::string> parts;
  for (const CLI::App* part : app.get_subcommands([](const CLI::App*) { return true; })) {
    parts.push_back(part->get_name());
  }
  if (!parts.empty() && app.get_subcommands().empty()) {
    return fmt::format("{}: expected one of {} {}", command, fmt::join(parts, ", "), more);
  }
  return fmt::format("{}: {} {}", command, error.what(), more);
}

Answer act(const Action& action, GlobalOptions options, const Environment& environment,
           std::FILE* out, std::FILE* err) {
  Result<Home> home = find_home(environment, options.places);
  if (!home) return refuse(std::move(home).error());
  Context context(std::move(options), environment, *std::move(home), out, err);
  try {
    return action(context);
  } catch (const std::bad_alloc&) {
    return refuse({ErrorCode::unavailable, "out of memory"});
  } catch (const std::exception& bug) {
    return refuse(
        {ErrorCode::internal, fmt::format("internal error, please report it: {}", bug.what())});
  }
}

Exit run_command(const Command& command, std::vector<std::string> arguments,
                 const Environment& environment, const Frame& frame, std::FILE* out,
                 std::FILE* err) {
  const bool asks_for_json = std::ranges::find(arguments, "--json") != arguments.end();
  GlobalOptions options;
  CLI::App app(std::string(command.about) + "\n", fmt::format("weft {}", command.name));
  Arguments declared(app);
  const Action action = command.prepare(declared);
  // All its arguments are positional: their names say what they are.
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional()) option->type_name("");
  }
  add_global_options(app, options);  // last, because the help prints them last
  app.get_formatter()->label("REQUIRED", "(required)");
  app.footer(footer_of(command));
  try {
    std::ranges::reverse(arguments);  // in the order that CLI11 expects
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    frame.print(app.help());
    return Exit::done;
  } catch (const CLI::CallForVersion&) {
    if (app.count("--json") > 0) {
      write_json(out, json::object{{"version", WEFT_VERSION}}, Layout::compact);
    } else {
      frame.print("weft " WEFT_VERSION "\n");
    }
    return Exit::done;
  } catch (const CLI::ParseError& error) {
    return frame.wrong_usage(usage_message(app, command.name, error), asks_for_json);
  }
  const bool json = options.json;
  const Answer answer = act(action, std::move(options), environment, out, err);
  if (answer) return *answer;
  return frame.report(answer.error(), json, is_terminal(out) ? Layout::indented : Layout::compact);
}

// Discards what it prints to stdout, and exits with 0.
int run_unobtrusively(const Command& command, std::vector<std::string> arguments,
                      const Environment& environment, std::FILE* err) {
  // Nobody may read stderr, and files may be at their size limit: neither is a reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::FILE* nowhere = std::fopen("/dev/null", "we");
  if (nowhere == nullptr) return 0;
  const Frame frame(nowhere, err, Frame::Manner::unobtrusive);
  std::ignore = run_command(command, std::move(arguments), environment, frame, nowhere, err);
  std::fclose(nowhere);
  return 0;
}

// "a|b|c" as option_text() of Arguments writes permitted values.
std::vector<std::string> values_in(const std::string& text) {
  std::vector<std::string> values;
  if (text.find('|') == std::string::npos) return values;
  std::string_view rest = std::string_view(text).substr(0, text.find(' '));
  while (!rest.empty()) {
    values.emplace_back(rest.substr(0, rest.find('|')));
    rest.remove_prefix(std::min(rest.size(), values.back().size() + 1));
  }
  return values;
}

OptionShape to_shape(const CLI::Option& option) {
  OptionShape shape{.help = option.get_description(),
                    .is_positional = option.get_positional(),
                    .is_global = option.get_group() == kEveryCommand};
  if (shape.is_positional) {
    shape.names = {option.get_name()};
  } else {
    for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  }
  shape.one_of = values_in(option.get_option_text());
  if (option.get_items_expected_max() > 0 && !shape.is_positional) {
    shape.value = option.get_type_name().empty() ? "VALUE" : option.get_type_name();
  }
  return shape;
}

void add_shapes(const CLI::App& app, CommandShape& shape) {
  for (const CLI::Option* option : app.get_options()) shape.options.push_back(to_shape(*option));
  for (const CLI::App* action : app.get_subcommands([](const CLI::App*) { return true; })) {
    shape.actions.emplace_back(action->get_name(), action->get_description());
    add_shapes(*action, shape);
  }
}

}  // namespace

CommandShape shape_of(const Command& command) {
  CLI::App app("", std::string(command.name));
  app.set_help_flag();
  Arguments declared(app);
  const Action action = command.prepare(declared);
  GlobalOptions options;
  add_global_options(app, options);
  CommandShape shape;
  add_shapes(app, shape);
  return shape;
}

const Command* find_command(std::string_view name) {
  for (const Command* command : all_commands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

int run(const std::vector<std::string>& arguments, const Environment& environment, std::FILE* out,
        std::FILE* err) {
  ::tzset();
  const Frame frame(out, err);
  CommandLine line = split(arguments);
  if (line.name == "help") line = help_line(std::move(line));
  const bool asks_for_help = std::ranges::any_of(
      line.rest, [](const std::string& word) { return word == "--help" || word == "-h"; });
  // weft without a command is for a person to look at; in a script it prints and exits.
  const bool is_interactive = is_terminal(out) && is_terminal(stdin) &&
                              std::ranges::find(line.rest, "--json") == line.rest.end();
  if (!line.name && !is_interactive) line.rest.emplace_back("--once");
  Exit exit = Exit::done;
  if (!line.name && asks_for_help) {
    frame.print(overview());
  } else if (const Command* command = find_command(line.name.value_or("up"))) {
    if (command->is_unobtrusive != nullptr && command->is_unobtrusive(line.rest)) {
      return run_unobtrusively(*command, std::move(line.rest), environment, err);
    }
    exit = run_command(*command, std::move(line.rest), environment, frame, out, err);
  } else {
    exit = frame.wrong_usage(no_such_command(*line.name),
                             std::ranges::find(line.rest, "--json") != line.rest.end());
  }
  return static_cast<int>(frame.flushed(exit));
}

}  // namespace weft::cli
