// Searching a million blocks, beside FTS5's own tokenizer and `ORDER BY rank` over the same text in
// the same run.
//
//   bench_search [BLOCKS]             (default 1,000,000: 600 MB of text)
//   bench_search fill HOME [BLOCKS]   makes the same store, to be kept
//   bench_search cold HOME            searches it from new processes
//   bench_search typing HOME          searches it for prefixes
#include <sqlite3.h>

#include <algorithm>

#include "block_texts.hpp"
#include "measure.hpp"
#include "search_peer.hpp"
#include "search_typing.hpp"
#include "weft/store/open.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sql/run_text.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "words.hpp"
#include "woven.hpp"

namespace {

namespace bench = weft::bench;
namespace search = weft::search;
namespace sql = weft::store::sql;
namespace sqlite = weft::sqlite;
namespace store = weft::store;
namespace thought = weft::thought;

constexpr std::uint64_t kBlocks = 1'000'000;
constexpr std::uint64_t kBlocksInConversation = 500, kBlocksInCommit = 10'000;

// What the rows of the index take, in its pages and those of documents.
double index_bytes(const std::string& path) {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_prepare_v2(database,
                     "SELECT (SELECT sum(length(key) + length(body)) FROM index_pages) + "
                     "(SELECT sum(length(documents)) FROM search_documents)",
                     -1, &statement, nullptr);
  const double bytes =
      sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_double(statement, 0) : 0;
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return bytes;
}

[[noreturn]] void give_up(const weft::Error& error) {
  std::printf("%s\n", error.message.c_str());
  std::exit(1);
}

struct Question {
  const char* what;
  std::vector<std::uint64_t> ranks;
};

// The best of a few, in milliseconds: what it costs, not what the neighbours do.
template <class Ask>
double milliseconds(const Ask& ask) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const bench::Stopwatch stopwatch;
    ask();
    best = std::min(best, stopwatch.seconds() * 1e3);
    if (best > 500 && i > 0) break;
  }
  return best;
}

// The index by itself: terms made and added, with nothing else in the file.
double index_alone(const std::filesystem::path& directory, std::uint64_t blocks) {
  auto database = sql::open_store_file(directory / "alone.db", store::Create::yes);
  if (!database) give_up(database.error());
  bench::BlockTexts corpus(1);
  sql::RunText index(*database);
  double seconds = 0;
  std::uint64_t bytes = 0;
  for (std::uint64_t done = 0; done < blocks; done += kBlocksInCommit) {
    std::vector<thought::Thought> thoughts(kBlocksInCommit);
    for (thought::Thought& thought : thoughts) {
      thought.type = "test/response";
      std::string text = corpus.text();
      bytes += text.size();
      thought.content = {{"text", std::move(text)}};
    }
    const double began = bench::cpu_seconds();
    auto transaction = sql::Transaction::begin(*database, sql::Transaction::Kind::immediate);
    std::vector<sql::DocumentRow> rows;
    for (std::uint64_t i = 0; i < thoughts.size(); ++i) {
      const auto terms = store::terms_of(thoughts[i], {});
      const auto document = static_cast<sql::Document>(done + i + 1);
      (void)index.add(sql::Index::clear, document, terms->clear.packed);
      rows.push_back(
          {.thought = document,
           .lengths = {static_cast<std::uint16_t>(std::min(terms->clear.length, 65535U))}});
    }
    (void)sql::DocumentTable(*database).append(rows);
    if (auto flushed = index.flush(); !flushed) give_up(flushed.error());
    if (auto committed = transaction->commit(); !committed) give_up(committed.error());
    seconds += bench::cpu_seconds() - began;
  }
  return static_cast<double>(bytes) / 1e6 / seconds;
}

double peer_alone(Peer& peer, std::uint64_t blocks) {
  bench::BlockTexts corpus(1);
  double seconds = 0;
  std::uint64_t bytes = 0;
  for (std::uint64_t done = 0; done < blocks; done += kBlocksInCommit) {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < kBlocksInCommit; ++i) {
      texts.push_back(corpus.text());
      bytes += texts.back().size();
    }
    const double began = bench::cpu_seconds();
    peer.run("BEGIN");
    for (const std::string& text : texts) peer.insert(text);
    peer.run("COMMIT");
    seconds += bench::cpu_seconds() - began;
  }
  return static_cast<double>(bytes) / 1e6 / seconds;
}

// Makes a store there; how many bytes of text it holds.
std::uint64_t fill(const std::string& home, std::uint64_t blocks) {
  if (bench::run_weft({"--home", home, "init", "--name", "bench"}).exit != 0) std::exit(1);
  auto web = store::open_store(home + "/weft.db", store::Create::yes);
  if (!web) give_up(web.error());
  std::uint64_t bytes = 0;
  bench::BlockTexts corpus(1);
  for (std::uint64_t done = 0; done < blocks;) {
    store::Batch batch;
    for (std::uint64_t i = 0; i < kBlocksInCommit / kBlocksInConversation; ++i) {
      batch.units.push_back(bench::woven_conversation("owner", done / kBlocksInConversation, corpus,
                                                      kBlocksInConversation, bytes));
      done += kBlocksInConversation;
    }
    (*web)->writer().prepare(batch, {});
    if (auto committed = (*web)->writer().commit(batch); !committed) give_up(committed.error());
  }
  return bytes;
}

void run(std::uint64_t blocks) {
  const bench::TempDir directory;
  const std::string home = (directory.path / "home").string();
  const std::string path = home + "/weft.db";
  const std::uint64_t bytes = fill(home, blocks);
  const double text = static_cast<double>(bytes);
  std::printf("%llu blocks, %.0f MB of text\n", static_cast<unsigned long long>(blocks),
              text / 1e6);

  Peer peer((directory.path / "peer.db").string());
  const double peer_speed = peer_alone(peer, blocks);
  const double our_speed = index_alone(directory.path, blocks);
  std::printf(
      "indexing on one core             %6.1f MB/s  %.2f of FTS5's own tokenizer, %.1f (at least "
      "12)%s\n",
      our_speed, our_speed / peer_speed, peer_speed, our_speed < 12 ? "  UNDER" : "");
  const double size = index_bytes(path);
  std::printf("index                            %6.1f MB    %.2f of the text (limit 0.60)%s\n",
              size / 1e6, size / text, size / text > 0.6 ? "  OVER" : "");

  auto web = store::open_store(path, store::Create::no);
  if (!web) give_up(web.error());
  std::vector<Question> questions;
  bench::Words dice(5);
  const auto rare = [&] { return 100'000 + dice.number(200'000); };
  const auto middling = [&] { return 2'000 + dice.number(8'000); };
  const auto common = [&] { return 16 + dice.number(40); };
  for (int i = 0; i < 10; ++i) questions.push_back({"rare", {rare()}});
  for (int i = 0; i < 10; ++i) questions.push_back({"middling", {middling()}});
  for (int i = 0; i < 6; ++i) questions.push_back({"common", {common()}});
  for (int i = 0; i < 8; ++i) questions.push_back({"rare + middling", {rare(), middling()}});
  for (int i = 0; i < 6; ++i)
    questions.push_back({"rare + middling + common", {rare(), middling(), common()}});
  for (int i = 0; i < 4; ++i) questions.push_back({"two common", {common(), common()}});
  for (int i = 0; i < 6; ++i)
    questions.push_back({"three middling", {middling(), middling(), middling()}});

  std::vector<double> times;
  double worst_rare = 0, worst_ratio = 0;
  const char* shown = "";
  double ours_sum = 0, peers_sum = 0;
  int in_group = 0;
  std::uint64_t totals = 0;
  const auto show = [&] {
    if (in_group == 0) return;
    std::printf("  %-26s %8.2f ms   rank %8.2f ms   %.3f of it   %.0f matches\n", shown,
                ours_sum / in_group, peers_sum / in_group, ours_sum / peers_sum,
                static_cast<double>(totals) / in_group);
  };
  for (const Question& question : questions) {
    std::string words, match;
    bool has_common = false;
    for (const std::uint64_t rank : question.ranks) {
      words += bench::BlockTexts::word(rank) + " ";
      match += (match.empty() ? "\"" : " OR \"") + bench::BlockTexts::word(rank) + "\"";
      has_common = has_common || rank < 1000;
    }
    store::SearchRequest request{.query = search::parse_query(words)};
    std::uint64_t total = 0;
    const double ours = milliseconds([&] {
      auto answer = (*web)->search(request);
      if (!answer) give_up(answer.error());
      total = answer->total;
    });
    const double peers = milliseconds([&] { peer.ask(match); });
    times.push_back(ours);
    if (question.what == std::string_view("rare")) worst_rare = std::max(worst_rare, ours);
    if (has_common) worst_ratio = std::max(worst_ratio, ours / peers);
    if (question.what != std::string_view(shown)) {
      show();
      shown = question.what;
      ours_sum = peers_sum = 0;
      in_group = 0;
      totals = 0;
    }
    ours_sum += ours, peers_sum += peers, ++in_group, totals += total;
  }
  show();
  std::ranges::sort(times);
  std::printf("one rare word, the slowest       %6.2f ms (limit 1)%s\n", worst_rare,
              worst_rare > 1 ? "  OVER" : "");
  std::printf("p50 of %zu queries               %6.2f ms (limit 10)%s\n", times.size(),
              times[times.size() / 2], times[times.size() / 2] > 10 ? "  OVER" : "");
  std::printf("with a common word, the slowest  %6.3f of rank (limit 0.2)%s\n", worst_ratio,
              worst_ratio > 0.2 ? "  OVER" : "");
  bench::ask_while_typing(**web, bench::BlockTexts::word);
  web->reset();

  // Asked by a small process: a large one would count as its children's memory.
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::fflush(stdout);
  if (std::system(("\"" + self + "\" cold \"" + home + "\"").c_str()) != 0) std::abort();
}

// What a person waits for, process start included.
void ask_cold(const std::string& home) {
  const std::string common = bench::BlockTexts::word(20) + " " + bench::BlockTexts::word(30) + " " +
                             bench::BlockTexts::word(40);
  double cold = 1e9, peak = 0;
  for (int i = 0; i < 5; ++i) {
    const bench::Ran ran =
        bench::run_weft({"--home", home, "search", "--json", bench::BlockTexts::word(150'000)});
    cold = std::min(cold, ran.seconds);
    peak = std::max(peak, bench::run_weft({"--home", home, "search", "--json", common}).peak_mb);
  }
  std::printf("a cold process, first answer     %6.0f ms (limit 150)%s\n", cold * 1e3,
              cold > 0.15 ? "  OVER" : "");
  std::printf("its memory, three common words   %6.0f MB (limit 102)%s\n", peak,
              peak > 102 ? "  OVER" : "");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && argv[1] == std::string_view("cold")) {
    ask_cold(argv[2]);
    return 0;
  }
  if (argc == 3 && argv[1] == std::string_view("typing")) {
    auto web = store::open_store(std::string(argv[2]) + "/weft.db", store::Create::no);
    if (!web) give_up(web.error());
    bench::ask_while_typing(**web, bench::BlockTexts::word);
    return 0;
  }
  if (argc >= 3 && argv[1] == std::string_view("fill")) {
    fill(argv[2], argc > 3 ? std::strtoull(argv[3], nullptr, 10) : kBlocks);
    return 0;
  }
  run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kBlocks);
}
