// weft connections: lists the connections of a thought.
#include <map>
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  std::optional<std::string> relation;
  std::string direction = "both";
};

void print_table(const Context& context, const query::Library& library, const json::object& answer,
                 const Cid& here) {
  Table table({{.title = "from", .colour = Colour::cyan, .link_to = Screen::thought},
               {.title = "relation"},
               {.title = "to", .colour = Colour::cyan, .link_to = Screen::thought},
               {.title = "label"},
               {.title = "the other end", .flexible = true}});
  const json::array* connections = find_array(answer, "connections");
  if (connections == nullptr || connections->empty()) {
    context.note("no matching connections");
    return;
  }
  for (const json::value& value : *connections) {
    const json::object& edge = value.as_object();
    const std::string_view from = find_string(edge, "from").value_or("");
    const std::string_view to = find_string(edge, "to").value_or("");
    std::string other;
    if (const Result<Cid> cid = Cid::parse(from == here.str() ? to : from)) {
      const Result<json::object> thought = query::get(library, *cid, query::Layers::open);
      if (thought)
        other = std::string(kind_of(*thought)) + ": " + fitted(summary_line(*thought), 60);
    }
    const std::string relation = on_one_line(find_string(edge, "relation").value_or(""));
    table.add({brief(from), std::string(foreign_sign(edge)) + relation, brief(to),
               on_one_line(find_string(edge, "label").value_or("")), other});
  }
  context.print(table.str(context.style()));
}

Answer connections(const Context& context, const Options& options) {
  static const std::map<std::string, store::Direction> kDirections = {
      {"from", store::Direction::from},
      {"to", store::Direction::to},
      {"both", store::Direction::both}};
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> cid = thought_called(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  Result<json::object> answer =
      query::connections(library, *cid, options.relation, kDirections.at(options.direction));
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
  } else {
    print_table(context, library, *answer, *cid);
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "CID of the thought", {.required = true});
  arguments.add("--relation", options->relation, "Only this relation: contains, causes, sequence…",
                {.value = "R"});
  arguments.add("--direction", options->direction,
                "Only connections from the thought, to it, or both (default: both)",
                {.value = "WHICH", .one_of = {"from", "to", "both"}});
  return [options](Context& context) { return connections(context, *options); };
}

}  // namespace

const Command& connections_command() {
  static const Command command = {
      .name = "connections",
      .group = Group::ask,
      .summary = "list the connections of a thought",
      .about =
          "Lists the connections of a thought, outgoing ones first: what contains it, what it\n"
          "causes, which reasoning it continues or summarizes. Each connection is a signed\n"
          "thought itself; --json includes its CID.",
      .examples =
          "weft connections 3f2a91c0\n"
          "weft connections 3f2a91c0 --relation causes --direction to\n"
          "weft connections 3f2a91c0 --json",
      .see_also = "weft get, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
