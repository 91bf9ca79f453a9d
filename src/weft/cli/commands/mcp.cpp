// weft mcp: the web in an agent's hands, over stdin and stdout.
#include <unistd.h>

#include <memory>

#include "weft/cli/command.hpp"
#include "weft/cli/serving.hpp"
#include "weft/mcp/transports/stdio.hpp"

namespace weft::cli {
namespace {

struct Options {
  Where where;
  std::vector<std::string> allow;
};

Answer serve(const Context& context, const Options& options) {
  Asked<std::unique_ptr<Serving>> serving = Serving::begin(context, options.where, options.allow);
  if (!serving) return refuse(std::move(serving));
  const Status served = mcp::serve_stdio((*serving)->server(), STDIN_FILENO, STDOUT_FILENO,
                                         (*serving)->stop_descriptor());
  if (!served) return refuse(served.error());
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  options->where.add_to(arguments);
  arguments.add("--allow", options->allow,
                "A folder from which a client may have transcripts taken in, given each time",
                {.value = "DIR"});
  return [options](Context& context) { return serve(context, *options); };
}

}  // namespace

const Command& mcp_command() {
  static const Command command = {
      .name = "mcp",
      .group = Group::serve,
      .summary = "serve the web to an agent over stdin and stdout",
      .about =
          "Speaks the Model Context Protocol on stdin and stdout: an agent searches your\n"
          "conversations, reads them, and asks why. Agents start it themselves, once they know\n"
          "of it. What is new on this machine is taken in when something is first asked. The\n"
          "keyring decides what can be read: with --keys METADATA.json reasoning stays sealed.",
      .examples =
          "claude mcp add weft -- weft mcp\n"
          "weft mcp --pattern 'weft*'\n"
          "weft mcp --keys metadata.json",
      .see_also = "weft serve, weft search, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
