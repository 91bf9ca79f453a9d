// Writers of one web on a server, beside the floor: clients that put the same rows into tables
// without reading anything, waiting for each other or keeping a log.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "measure.hpp"
#include "postgres_server.hpp"
#include "weft/store/open.hpp"
#include "weft/store/postgres/many_rows.hpp"
#include "weft/store/prepared.hpp"
#include "woven.hpp"

namespace weft::bench {

struct WritersResult {
  double commits_a_second = 0, client_ms = 0, server_ms = 0;  // processor time of a commit
  double p50_ms = 0, p99_ms = 0;
};

// Runs `commit(writer, number)` in as many threads.
template <class Open, class Commit>
WritersResult run_writers(const PostgresServer& server, int writers, int commits_each,
                          const Open& open, const Commit& commit) {
  std::vector<std::vector<double>> times(static_cast<std::size_t>(writers));
  std::atomic<int> ready = 0;
  std::atomic<bool> goes = false;
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      auto client = open();
      ++ready;
      while (!goes) std::this_thread::yield();
      for (int i = 0; i < commits_each; ++i) {
        const Stopwatch stopwatch;
        commit(client, writer, i);
        times[static_cast<std::size_t>(writer)].push_back(stopwatch.seconds() * 1e3);
      }
    });
  }
  while (ready < writers) ::usleep(1000);
  const double client = cpu_seconds(), at_server = server.cpu_seconds();
  const Stopwatch stopwatch;
  goes = true;
  threads.clear();
  const double seconds = stopwatch.seconds(), all = writers * commits_each;
  std::vector<double> sorted;
  for (const auto& one : times) sorted.insert(sorted.end(), one.begin(), one.end());
  std::ranges::sort(sorted);
  return {.commits_a_second = all / seconds,
          .client_ms = (cpu_seconds() - client) * 1e3 / all,
          .server_ms = (server.cpu_seconds() - at_server) * 1e3 / all,
          .p50_ms = sorted[sorted.size() / 2],
          .p99_ms = sorted[sorted.size() * 99 / 100]};
}

inline void must(const Status& status) {
  if (status) return;
  std::printf("%s\n", status.error().message.c_str());
  std::exit(1);
}

// The rows of a unit: bodies, names, connections and what the index holds of it, in one transaction
// that is sent ahead as a whole.
inline void commit_rows(const sql::Database& database, const store::Batch& batch,
                        std::int64_t first) {
  using store::sql::ManyRows;
  static constexpr auto kNames = store::sql::many_rows<2>("INSERT INTO names VALUES ");
  static constexpr auto kEdges = store::sql::many_rows<5>("INSERT INTO edges VALUES ");
  const weave::CommitUnit& unit = batch.units.front();
  const auto& prepared = *store::find_prepared(batch);
  auto transaction = sql::Transaction::begin(database, sql::TransactionKind::immediate);
  must(transaction ? Status() : fail(transaction.error()));
  ManyRows names(database, kNames.data(), "INSERT INTO names VALUES (?, ?)");
  ManyRows edges(database, kEdges.data(), "INSERT INTO edges VALUES (?, ?, ?, ?, ?)");
  std::string terms;
  std::int64_t id = first;
  for (std::size_t i = 0; i < unit.thoughts.size(); ++i, ++id) {
    must(names.add({id, sql::blob(unit.thoughts[i].cid.digest())}));
    must(database.run("INSERT INTO thoughts VALUES (?, ?, ?, ?, ?)", id, first,
                      unit.thoughts[i].created_at, sql::blob(unit.thoughts[i].cid.digest()),
                      sql::Blob{prepared.bodies[0][i]}));
    if (prepared.terms[0][i]) terms += prepared.terms[0][i]->clear.packed;
  }
  must(names.finish());
  for (std::size_t i = 0; i < unit.connections.size(); ++i, ++id) {
    must(edges.add({id, std::int64_t{1}, first, id - 1, std::int64_t{0}}));
  }
  must(edges.finish());
  must(database.run("INSERT INTO pages VALUES (?, ?)", first, sql::Blob{terms}));
  must(transaction->commit());
}

// One line: ours and the floor with the same units.
inline void measure_writers(const PostgresServer& server, int writers, int commits_each) {
  std::vector<std::vector<store::Batch>> batches(static_cast<std::size_t>(writers));
  std::uint64_t bytes = 0;
  const std::string schema = "writers" + std::to_string(writers);
  auto store = store::open_store(server.url(schema), store::Create::yes);
  must(store ? Status() : fail(store.error()));
  for (int writer = 0; writer < writers; ++writer) {
    BlockTexts corpus(static_cast<std::uint64_t>(writer) + 1);
    for (int i = 0; i < commits_each; ++i) {
      store::Batch& batch = batches[static_cast<std::size_t>(writer)].emplace_back();
      batch.units.push_back(woven_conversation("owner " + std::to_string(writer),
                                               static_cast<std::uint64_t>(i), corpus, 20, bytes));
      (*store)->writer().prepare(batch, {});
    }
  }
  const auto batch_of = [&](int writer, int i) -> const store::Batch& {
    return batches[static_cast<std::size_t>(writer)][static_cast<std::size_t>(i)];
  };
  {
    const std::string floor = schema + "_floor";
    const sql::Database database = server.open(floor);
    must(database.script(("CREATE SCHEMA " + floor).c_str()));
    must(database.script(
        "CREATE TABLE names(id bigint PRIMARY KEY, cid bytea);"
        "CREATE TABLE thoughts(id bigint PRIMARY KEY, conversation bigint, created_at bigint, "
        "signature bytea, body bytea);"
        "CREATE TABLE edges(id bigint PRIMARY KEY, relation bigint, from_id bigint, to_id bigint, "
        "position bigint); CREATE INDEX ON edges(from_id); CREATE INDEX ON edges(to_id);"
        "CREATE TABLE pages(id bigint PRIMARY KEY, body bytea)"));
  }
  const WritersResult floor = run_writers(
      server, writers, commits_each, [&] { return server.open(schema + "_floor"); },
      [&](const sql::Database& database, int writer, int i) {
        commit_rows(database, batch_of(writer, i), (std::int64_t{writer} << 32) + 1000 * i);
      });
  const WritersResult ours = run_writers(
      server, writers, commits_each,
      [&] {
        auto opened = store::open_store(server.url(schema), store::Create::no);
        must(opened ? Status() : fail(opened.error()));
        return *std::move(opened);
      },
      [&](const auto& client, int writer, int i) {
        const auto committed = client->writer().commit(batch_of(writer, i));
        must(committed ? Status() : fail(committed.error()));
      });
  std::printf(
      "%3d writers: %7.1f commits/s of 20 blocks, floor %7.1f, ratio %.2f (aim 0.9); p50 %.1f ms, "
      "p99 %.1f (floor %.1f, %.1f); processor time a commit: client %.2f ms, server %.2f (floor "
      "%.2f, %.2f)\n",
      writers, ours.commits_a_second, floor.commits_a_second,
      ours.commits_a_second / floor.commits_a_second, ours.p50_ms, ours.p99_ms, floor.p50_ms,
      floor.p99_ms, ours.client_ms, ours.server_ms, floor.client_ms, floor.server_ms);
}

}  // namespace weft::bench
