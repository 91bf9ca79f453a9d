// weft store: a web on a PostgreSQL server: makes its tables and roles, migrates it, lets people
// in.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/store/migrate.hpp"
#include "weft/store/server.hpp"

namespace weft::cli {
namespace {

struct Options {
  bool init = false, migrate = false, grant = false;
  std::string url, role, as;
};

Outcome<store::StoreUrl> parse_server(const Context& context, const std::string& url) {
  Result<store::StoreUrl> parsed = store::StoreUrl::parse(url, context.home().store.folder());
  if (!parsed) return refuse(std::move(parsed).error(), Exit::usage, "");
  if (parsed->server()) return *std::move(parsed);
  return refuse({ErrorCode::invalid_input, parsed->shown() + " is a file, not a web on a server"},
                Exit::usage,
                "files need no setting up: weft ingest makes one, weft migrate brings one up to "
                "date");
}

json::object to_json(const store::GroupRole& role) {
  return {{"as", store::to_string(role.role)},
          {"name", role.name},
          {"exists", role.is_there},
          {"made", role.is_new}};
}

json::object to_json(const store::InitReport& report, const std::string& url) {
  json::object answer{{"store", url},
                      {"schema", report.schema},
                      {"web", report.web},
                      {"version", report.version},
                      {"made_tables", report.made_tables}};
  json::array roles, to_run;
  for (const store::GroupRole& role : report.roles) roles.push_back(to_json(role));
  for (const std::string& sql : report.to_run) to_run.emplace_back(sql);
  answer["roles"] = std::move(roles);
  answer["to_run"] = std::move(to_run);
  return answer;
}

void print_init(const Context& context, const store::InitReport& report, const std::string& url) {
  std::string text =
      fmt::format("{} the web {} in the schema {}: tables of version {}\n",
                  report.made_tables ? "made" : "found", report.web, report.schema, report.version);
  for (const store::GroupRole& role : report.roles) {
    if (!role.is_there) continue;
    text += fmt::format("{} the role {}\n", role.is_new ? "made" : "found", role.name);
  }
  context.print(text);
  if (report.to_run.empty()) {
    context.print("let somebody in: weft store grant '" + on_one_line(url) +
                  "' ROLE --as reader|writer|keeper\n");
    return;
  }
  std::string sql;
  for (const std::string& one : report.to_run) sql += "  " + on_one_line(one) + ";\n";
  context.print("this role may not make roles; who administers the server runs\n" + sql +
                "and then you weft store init again\n");
}

Answer init(const Context& context, const store::StoreUrl& url) {
  Result<store::InitReport> report = store::init_web(*url.server());
  if (!report) return refuse(std::move(report).error());
  if (context.json()) context.print_json(to_json(*report, url.shown()));
  else print_init(context, *report, url.shown());
  return report->to_run.empty() ? Exit::done : Exit::no;
}

Answer migrate(const Context& context, const store::StoreUrl& url) {
  Result<store::MigrationReport> report = store::migrate_store(url);
  if (!report) return refuse(std::move(report).error());
  const std::string shown = on_one_line(url.shown());
  if (context.json()) {
    context.print_json(json::object{
        {"store", url.shown()}, {"from_version", report->from}, {"to_version", report->to}});
  } else if (report->from == report->to) {
    context.print(fmt::format("{} is up to date: version {}\n", shown, report->to));
  } else {
    context.print(fmt::format("migrated {} from version {} to version {}\n", shown, report->from,
                              report->to));
  }
  return Exit::done;
}

store::WebRole to_role(std::string_view as) {
  for (const store::WebRole role : {store::WebRole::writer, store::WebRole::keeper}) {
    if (as == store::to_string(role)) return role;
  }
  return store::WebRole::reader;
}

Answer grant(const Context& context, const store::StoreUrl& url, const Options& options) {
  Result<store::GrantReport> report =
      store::grant_role(*url.server(), options.role, to_role(options.as));
  if (!report) return refuse(std::move(report).error());
  if (context.json()) {
    context.print_json(json::object{{"store", url.shown()},
                                    {"role", report->role},
                                    {"as", options.as},
                                    {"group", report->group},
                                    {"granted", !report->had_it},
                                    {"may_connect", report->may_connect}});
  } else {
    context.print(
        on_one_line(fmt::format("{} {} a member of {}", report->role,
                                report->had_it ? "was already" : "is now", report->group)) +
        "\n");
  }
  if (!report->may_connect) {
    context.note(on_one_line(report->role) +
                 " may not connect to this database yet: GRANT CONNECT ON DATABASE … TO it");
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  const auto add_url = [&](Arguments& action) {
    action.add("URL", options->url, "postgres://HOST/DATABASE, with ?schema= if it is not weft",
               {.required = true});
  };
  Arguments making = arguments.action("init", options->init,
                                      "Make the schema, the tables and the group roles of a web");
  add_url(making);
  Arguments migrating =
      arguments.action("migrate", options->migrate, "Bring the tables of an older weft up to date");
  add_url(migrating);
  Arguments granting = arguments.action("grant", options->grant,
                                        "Let a role of the server read, write or keep the web");
  add_url(granting);
  granting.add("ROLE", options->role, "A role that exists on the server", {.required = true});
  granting.add("--as", options->as,
               "reader asks; writer pushes too; keeper also forgets, repairs and fills tables",
               {.required = true, .one_of = {"reader", "writer", "keeper"}});
  return [options](Context& context) -> Answer {
    Outcome<store::StoreUrl> url = parse_server(context, options->url);
    if (!url) return refuse(std::move(url));
    if (options->migrate) return migrate(context, *url);
    if (options->grant) return grant(context, *url, *options);
    return init(context, *url);
  };
}

}  // namespace

const Command& store_command() {
  static const Command command = {
      .name = "store",
      .group = Group::transfer,
      .summary = "set up a web on a PostgreSQL server; who may use it",
      .about =
          "`init` makes what a web on a PostgreSQL server needs: its schema, its tables, and the\n"
          "group roles weft_reader, weft_writer and weft_keeper, named after the schema. Again, "
          "it\n"
          "makes what is missing and changes nothing else. A role that may not make roles is told\n"
          "the SQL for somebody who may, and the exit status is 1. The role that runs it owns the\n"
          "tables; it alone migrates them.\n"
          "\n"
          "`grant` makes a role of the server a member of one of them, and takes nothing away. A\n"
          "writer adds what a push adds, extends conversations that its own role added, and can\n"
          "remove nothing that is signed. Let each person have a role of their own.\n"
          "\n"
          "`migrate` brings the tables of an older weft to the version of this one. An older web\n"
          "is read as it is, and is not written to before that.",
      .examples =
          "weft store init postgres://db.example.com/team\n"
          "weft store grant postgres://db.example.com/team ada --as writer\n"
          "weft store grant 'postgres://db.example.com/team?schema=looms' grace --as reader "
          "--json\n"
          "weft store migrate postgres://db.example.com/team",
      .see_also = "weft push, weft migrate, weft verify",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
