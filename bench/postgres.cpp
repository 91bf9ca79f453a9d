// A store on PostgreSQL beside what it can be held against, in one run: pushing and ingesting
// beside a local ingest, its rows beside COPY of the same rows, its answers and its size beside
// SQLite's, many writers beside writers that keep nothing in order.
//
//   bench_postgres [MEGABYTES [COMMITS]]   (default 100 MB of sessions, 400 commits of 20 blocks)
#include <algorithm>
#include <string>
#include <vector>

#include "claude_corpus.hpp"
#include "measure.hpp"
#include "postgres_server.hpp"
#include "postgres_writers.hpp"
#include "weft/store/open.hpp"

namespace {

namespace bench = weft::bench;
namespace sql = weft::sql;
namespace store = weft::store;

// A run of weft, with the processor time of the server meanwhile.
struct Measured {
  bench::Ran ran;
  double server = 0;
};

Measured run(const bench::PostgresServer& server, const std::vector<std::string>& arguments) {
  const double before = server.cpu_seconds();
  Measured measured{.ran = bench::run_weft(arguments)};
  measured.server = server.cpu_seconds() - before;
  if (measured.ran.exit == 0) return measured;
  std::printf("weft %s failed\n", arguments[2].c_str());
  std::exit(1);
}

void report(const char* what, const Measured& measured, const bench::Ran& local) {
  const double cpu = measured.ran.cpu_seconds + measured.server;
  std::printf(
      "%-28s %7.2f s, %.2f of the local ingest (aim 1.5); processor time %.2f s, the server's "
      "%.2f: %.2f of it\n",
      what, measured.ran.seconds, measured.ran.seconds / local.seconds, measured.ran.cpu_seconds,
      measured.server, cpu / local.cpu_seconds);
}

std::int64_t number(const sql::Database& database, sql::Sql sql) {
  sql::Rows rows = database.query(sql);
  return rows.next() ? rows.integer(0) : 0;
}

// The rows of a web, copied by the server into tables with the same indexes.
double copy_rows(const bench::PostgresServer& server, const std::string& schema) {
  const sql::Database database = server.open(schema);
  bench::must(database.script("CREATE SCHEMA copied"));
  std::vector<std::string> tables;
  {
    sql::Rows rows = database.query(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename");
    while (rows.next()) tables.emplace_back(rows.bytes(0));
  }
  for (const std::string& table : tables) {
    const std::string file = "'" + server.directory() + "/" + table + ".copy' (FORMAT binary)";
    bench::must(database.script(
        ("CREATE TABLE copied." + table + " (LIKE " + table + " INCLUDING ALL)").c_str()));
    bench::must(database.script(("COPY " + table + " TO " + file).c_str()));
  }
  const double before = server.cpu_seconds();
  const bench::Stopwatch stopwatch;
  for (const std::string& table : tables) {
    const std::string file = "'" + server.directory() + "/" + table + ".copy' (FORMAT binary)";
    bench::must(database.script(("COPY copied." + table + " FROM " + file).c_str()));
  }
  std::printf("%-28s %7.2f s; processor time of the server %.2f s\n", "COPY of the same rows",
              stopwatch.seconds(), server.cpu_seconds() - before);
  return stopwatch.seconds();
}

void report_size(const bench::PostgresServer& server, const std::string& schema,
                 const std::string& file) {
  const sql::Database database = server.open(schema);
  const auto thoughts = static_cast<double>(number(
      database, "SELECT (SELECT count(*) FROM thoughts) + (SELECT count(*) FROM connections)"));
  const auto bytes = static_cast<double>(
      number(database,
             "SELECT CAST(sum(pg_total_relation_size(c.oid)) AS BIGINT) FROM pg_class c JOIN "
             "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND "
             "c.relkind = 'r'"));
  const auto local = static_cast<double>(std::filesystem::file_size(file));
  std::printf("%-28s %7.0f bytes, SQLite %.0f: %.2f (aim 1.4)\n", "a thought", bytes / thoughts,
              local / thoughts, bytes / local);
  sql::Rows rows = database.query(
      "SELECT c.relname, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n ON "
      "n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r' ORDER BY 2 "
      "DESC LIMIT 8");
  while (rows.next()) {
    std::printf("  %-26s %7.0f bytes a thought\n", std::string(rows.bytes(0)).c_str(),
                static_cast<double>(rows.integer(1)) / thoughts);
  }
}

// The least of a few, in milliseconds: what it costs, not what the neighbours do.
double milliseconds(const store::Store& web, const store::SearchRequest& request,
                    std::uint64_t& total) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const bench::Stopwatch stopwatch;
    const auto found = web.search(request);
    best = std::min(best, stopwatch.seconds() * 1e3);
    if (found) total = found->total;
  }
  return best;
}

void ask(const std::string& here, const std::string& there) {
  const auto local = store::open_store(here, store::Create::no);
  const auto remote = store::open_store(there, store::Create::no);
  if (!local || !remote) std::exit(1);
  bench::Words dice(1);  // those of the sessions
  std::vector<double> ratios;
  double ours = 0, sqlite = 0;
  int different = 0;
  for (int i = 0; i < 50; ++i) {
    std::string words;
    for (int word = 0; word <= i % 3; ++word) {
      const std::string prose = dice.prose(60);
      words += prose.substr(0, prose.find_first_of(" .")) + " ";
    }
    const store::SearchRequest request{.query = weft::search::parse_query(words), .limit = 15};
    std::uint64_t total_here = 0, total_there = 0;
    const double local_ms = milliseconds(**local, request, total_here);
    const double remote_ms = milliseconds(**remote, request, total_there);
    different += total_here == total_there ? 0 : 1;
    ratios.push_back(remote_ms / local_ms);
    ours += remote_ms;
    sqlite += local_ms;
  }
  std::ranges::sort(ratios);
  std::printf(
      "%-28s %7.2f ms each, SQLite %.2f: %.2f (aim 1.5); ratios of single questions: median %.2f, "
      "worst %.2f; %d with another total\n",
      "50 questions", ours / 50, sqlite / 50, ours / sqlite, ratios[25], ratios.back(), different);
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t megabytes = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100;
  const int commits = count > 2 ? std::atoi(arguments[2]) : 400;
  const bench::PostgresServer server;
  const bench::TempDir directory;
  const std::string home = (directory.path / "home").string();
  const std::string sessions = (directory.path / "sessions").string();
  bench::ClaudeCorpus(1).write(sessions, megabytes << 20);
  if (bench::run_weft({"--home", home, "init", "--name", "bench"}).exit != 0) return 1;
  std::ofstream(home + "/config.json") << R"({"remotes": {"server": {"url": ")"
                                       << server.url("pushed") << R"(", "projects": ["*"]}}})";

  const bench::Ran local = bench::run_weft({"--home", home, "ingest", sessions});
  if (local.exit != 0) return 1;
  std::printf("%-28s %7.2f s; processor time %.2f s, %llu MB of sessions\n", "local ingest",
              local.seconds, local.cpu_seconds, static_cast<unsigned long long>(megabytes));
  const Measured pushed = run(server, {"--home", home, "push", "server", "--yes"});
  report("push", pushed, local);
  const Measured ingested =
      run(server, {"--home", home, "ingest", sessions, "--store", server.url("ingested")});
  report("ingest into the server", ingested, local);
  const double copied = copy_rows(server, "ingested");
  std::printf("%-28s %7.2f of COPY, push %.2f\n", "ingest into the server",
              ingested.ran.seconds / copied, pushed.ran.seconds / copied);
  bench::must(server.open("ingested").script("ANALYZE"));
  report_size(server, "ingested", home + "/weft.db");
  ask(home + "/weft.db", server.url("ingested"));
  for (const int writers : {1, 10, 100}) {
    bench::measure_writers(server, writers, std::max(1, commits / writers));
  }
  return 0;
}
