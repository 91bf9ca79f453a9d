// weft mcp: serves the store to an agent over stdin and stdout; `weft mcp install` configures
// agents to start it.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/confirm.hpp"
#include "weft/cli/app/own_command.hpp"
#include "weft/cli/render/line_diff.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/serve/mcp_clients.hpp"
#include "weft/cli/serve/serving.hpp"
#include "weft/mcp/transports/stdio.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words;  // nothing, or "install" or "uninstall" and client names
  bool print = false, yes = false;
  SourceOptions where;
  std::vector<std::string> allow;
};

Answer serve(const Context& context, const Options& options) {
  Outcome<std::unique_ptr<Serving>> serving = Serving::begin(context, options.where, options.allow);
  if (!serving) return refuse(std::move(serving));
  const Status served = mcp::serve_stdio((*serving)->server(), STDIN_FILENO, STDOUT_FILENO,
                                         (*serving)->stop_descriptor());
  if (!served) return refuse(served.error());
  return Exit::done;
}

// The command line with which an agent starts this program.
ServerCommand server_command(const Context& context, const Options& options) {
  ServerCommand command = own_command(context, "mcp");
  const auto add = [&](std::string_view name, const std::string& value) {
    command.emplace_back(name);
    command.push_back(value);
  };
  for (const std::string& source : options.where.sources) add("--source", source);
  if (options.where.pattern) add("--pattern", *options.where.pattern);
  for (const std::string& directory : options.allow) {
    add("--allow", fs::absolute(directory).string());
  }
  return command;
}

Outcome<fs::path> config_path(const Context& context, const McpClient& client) {
  if (!context.environment().home) {
    return refuse({ErrorCode::not_found, "cannot find your configuration: HOME is not set"});
  }
  return fs::path(*context.environment().home) / client.path;
}

// Writes a temporary file first, and keeps a backup.
Status write_config(const fs::path& path, const std::string& before, const std::string& after) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  if (!before.empty()) {
    fs::path copy = path;
    copy += ".before-weft";
    if (!fs::exists(copy, ignored)) {
      WEFT_TRY(write_file_atomically(copy, before, 0600));
    }
  }
  return write_file_atomically(path, after, 0600);
}

// Shows what will change, and asks. With nobody to ask, the command line has said it.
bool is_agreed(const Context& context, const Options& options, const fs::path& path,
               const std::string& before, const std::string& after) {
  if (options.yes || !can_ask(context)) return true;
  context.print(on_one_line(path.string()) + ":\n" + made_safe(line_diff(before, after)));
  if (is_answered_yes(context, "Write this? [y/N] ")) return true;
  context.print("Nothing was written.\n");
  return false;
}

Answer uninstall_one(const Context& context, const Options& options, const McpClient& client,
                     json::array& removed) {
  Outcome<fs::path> path = config_path(context, client);
  if (!path) return refuse(std::move(path));
  Result<std::string> before = read_file(*path);
  if (!before && before.error().code != ErrorCode::not_found) {
    return refuse(std::move(before).error());
  }
  const std::string text = before ? *before : std::string();
  Result<std::string> after = without_weft(client.shape, text);
  if (!after) return refuse(std::move(after).error().within("'" + path->string() + "'"));
  const bool is_there = *after != text;
  if (is_there && !options.print) {
    if (!is_agreed(context, options, *path, text, *after)) return Exit::no;
    if (Status written = write_config(*path, text, *after); !written) {
      return refuse(std::move(written).error());
    }
  }
  if (!context.json()) {
    context.print(!is_there       ? fmt::format("{} does not use weft ({}).\n", client.title,
                                                on_one_line(path->string()))
                  : options.print ? made_safe(line_diff(text, *after))
                                  : fmt::format("{} no longer uses weft ({}). Restart it.\n",
                                                client.title, on_one_line(path->string())));
  }
  removed.push_back(json::object{{"client", client.name},
                                 {"path", path->string()},
                                 {"was_there", is_there},
                                 {"written", is_there && !options.print}});
  return Exit::done;
}

Answer install_one(const Context& context, const Options& options, const McpClient& client,
                   json::array& installed) {
  const ServerCommand command = server_command(context, options);
  Outcome<fs::path> path = config_path(context, client);
  if (!path) return refuse(std::move(path));
  const std::string config = shown_config(client.shape, command);
  if (options.print) {
    if (!context.json()) {
      context.print(
          fmt::format("{}, in {}:\n\n{}\n", client.title, on_one_line(path->string()), config));
    }
  } else {
    Result<std::string> before = read_file(*path);
    if (!before && before.error().code != ErrorCode::not_found) {
      return refuse(std::move(before).error());
    }
    const std::string text = before ? *before : std::string();
    Result<std::string> after = with_weft(client.shape, text, command);
    if (!after) {
      return refuse(std::move(after).error().within("'" + path->string() + "'"),
                    fmt::format("add it by hand: weft mcp install {} --print", client.name));
    }
    if (*after != text) {
      if (!is_agreed(context, options, *path, text, *after)) return Exit::no;
      if (Status written = write_config(*path, text, *after); !written) {
        return refuse(std::move(written).error());
      }
    }
    if (!context.json()) {
      context.print(fmt::format("{} is configured to use weft ({}). Restart it.\n", client.title,
                                on_one_line(path->string())));
    }
  }
  installed.push_back(json::object{{"client", client.name},
                                   {"path", path->string()},
                                   {"config", config},
                                   {"written", !options.print}});
  return Exit::done;
}

// Without a name: lists the known clients, and which of them are used on this machine.
Answer list_clients(const Context& context) {
  json::array clients;
  Table table({{.title = "client", .colour = Colour::cyan}, {.title = ""}, {.title = "here"}});
  for (const McpClient& client : mcp_clients()) {
    Outcome<fs::path> path = config_path(context, client);
    if (!path) return refuse(std::move(path));
    std::error_code ignored;
    const bool is_here = fs::exists(*path, ignored);
    clients.push_back(
        json::object{{"client", client.name}, {"path", path->string()}, {"configured", is_here}});
    table.add({std::string(client.name), std::string(client.title), is_here ? "yes" : ""});
  }
  if (context.json()) {
    context.print_json(json::object{{"clients", std::move(clients)}});
  } else {
    context.print(table.str(context.style()));
    context.print(
        "\n"
        "Configure one with weft mcp install CLIENT; with --print, only show what would be "
        "written.\n");
  }
  return Exit::done;
}

Answer uninstall(const Context& context, const Options& options) {
  if (options.words.size() == 1) return list_clients(context);
  json::array removed;
  for (std::size_t i = 1; i < options.words.size(); ++i) {
    Answer done = uninstall_one(context, options, *find_mcp_client(options.words[i]), removed);
    if (!done || *done != Exit::done) return done;
  }
  if (context.json()) context.print_json(json::object{{"uninstalled", std::move(removed)}});
  return Exit::done;
}

Answer install(const Context& context, const Options& options) {
  if (options.words.size() == 1) return list_clients(context);
  json::array installed;
  for (std::size_t i = 1; i < options.words.size(); ++i) {
    Answer done = install_one(context, options, *find_mcp_client(options.words[i]), installed);
    if (!done || *done != Exit::done) return done;
  }
  if (context.json()) context.print_json(json::object{{"installed", std::move(installed)}});
  return Exit::done;
}

std::string check_word(const std::string& word) {
  if (word == "install" || word == "uninstall" || find_mcp_client(word) != nullptr) return {};
  std::string known;
  for (const McpClient& client : mcp_clients()) {
    known += (known.empty() ? "" : ", ") + std::string(client.name);
  }
  return "unknown client '" + word + "'; known clients: " + known;
}

Answer run(const Context& context, const Options& options) {
  if (options.words.empty()) return serve(context, options);
  if (options.words.front() == "uninstall") return uninstall(context, options);
  if (options.words.front() != "install") {
    return refuse({ErrorCode::invalid_input,
                   "to configure a client: weft mcp install " + options.words.front()},
                  Exit::usage);
  }
  return install(context, options);
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("install", options->words,
                "Configure these clients to use weft, or with uninstall no longer; without a name, "
                "list the known ones",
                {.check = check_word});
  arguments.flag("--print", options->print,
                 "With install or uninstall: only show what would be written");
  arguments.flag("--yes", options->yes, "Do not ask before a configuration is written");
  options->where.add_to(arguments);
  arguments.add("--allow", options->allow,
                "Folder from which clients may ingest transcripts; may be repeated",
                {.value = "DIR"});
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace

const Command& mcp_command() {
  static const Command command = {
      .name = "mcp",
      .group = Group::serve,
      .summary = "serve the store to an agent over stdin and stdout",
      .about =
          "Speaks the Model Context Protocol on stdin and stdout: an agent can search your\n"
          "conversations, read them, and ask why an answer was given. Agents start it themselves\n"
          "once they are configured: weft mcp install CLIENT. New conversations on this machine\n"
          "are ingested when the first question arrives. The keyring decides what can be read:\n"
          "with --keys METADATA.json reasoning stays sealed.",
      .examples =
          "weft mcp install claude\n"
          "weft mcp install codex --print\n"
          "weft mcp uninstall claude\n"
          "weft mcp --pattern 'weft*'\n"
          "weft mcp --keys metadata.json",
      .see_also = "weft serve, weft search, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
