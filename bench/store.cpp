// The cost of storing a block with its edges, compared with a plain INSERT of the same
// bytes into the same SQLite in the same run.
//
//   bench_store [BLOCKS]   (default 60,000; 4.5 names a block)
#include <sqlite3.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>

#include "weft/crypto/blake3.hpp"
#include "weft/store/open.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tree.hpp"

namespace {

namespace crypto = weft::crypto;
namespace store = weft::store;
namespace thought = weft::thought;
namespace weave = weft::weave;
using weft::Cid;

// Of this thread's own time, so that a busy machine does not blur the ratio.
struct Clock {
  using time_point = double;
  static time_point now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
  }
};

double micros_since(Clock::time_point began) { return Clock::now() - began; }

constexpr int kBlocksInTurn = 10, kBlocksInConversation = 200, kConversationsInBatch = 10;

// Text with the redundancy of prose: words of a small vocabulary, common ones first.
class Prose {
 public:
  std::string text(std::size_t size) {
    std::string out;
    while (out.size() < size) {
      const auto word = static_cast<std::uint64_t>(2000.0 * std::pow(unit_(random_), 3));
      std::uint64_t seed = word * 0x9E3779B97F4A7C15u + 1;
      for (std::uint64_t n = 2 + word % 7; n > 0; --n, seed /= 23) {
        out += static_cast<char>('a' + seed % 23);
      }
      out += ' ';
    }
    return out;
  }
  // Sizes as transcripts have them: many short, few long; 1.4 KB on average.
  std::size_t size() { return static_cast<std::size_t>(std::exp(6.2 + 1.2 * normal_(random_))); }

 private:
  std::mt19937_64 random_{7};
  std::uniform_real_distribution<double> unit_{0, 1};
  std::normal_distribution<double> normal_{0, 1};
};

// A conversation of the proportions that weaving gives: 3.5 edges and 1.7 references a
// block. Signatures are bytes: making them is not the store's work.
weave::CommitUnit conversation(int number, Prose& prose, const Cid& owner) {
  weave::CommitUnit woven;
  crypto::SignatureBytes signature;
  signature.fill(1);
  const auto add = [&](thought::Thought thought, bool by_tree) {
    thought.created_by = owner;
    thought.created_at = 1'700'000'000'000 + number;
    thought.cid = thought::cid_of(thought);
    if (by_tree) woven.leaves.push_back(thought.cid);
    else thought.signature = signature;
    woven.thoughts.push_back(std::move(thought));
    return woven.thoughts.back().cid;
  };
  const auto connect = [&](std::string_view relation, const Cid& from, const Cid& to,
                           std::optional<std::uint64_t> index) {
    thought::Connection edge{.relation = std::string(relation),
                             .from = from,
                             .to = to,
                             .index = index,
                             .created_by = owner,
                             .created_at = number};
    if (!index) edge.label = "reasoning led to tool call";
    woven.leaves.push_back(thought::cid_of(edge));
    woven.connections.push_back(std::move(edge));
  };
  thought::Thought head;
  head.type = "test/conversation";
  head.content = {{"format", "test"}, {"session_id", std::to_string(number)}, {"source", "x"}};
  woven.conversation = add(head, false);
  Cid turn;
  std::vector<Cid> blocks;
  for (int i = 0; i < kBlocksInConversation; ++i) {
    if (i % kBlocksInTurn == 0) {
      thought::Thought opened;
      opened.type = "test/turn";
      opened.content = {{"conversation", woven.conversation.str()}, {"sequence", i}};
      turn = add(opened, true);
      connect("contains", woven.conversation, turn, i);
    }
    thought::Thought block;
    block.type = "test/response";
    block.content = {{"text", prose.text(prose.size())}, {"duration_ms", i}};
    for (int back = 1; back <= (i % 10 < 7 ? 2 : 1) && back <= i; ++back) {
      block.because.push_back({.thought = blocks[static_cast<std::size_t>(i - back)]});
    }
    blocks.push_back(add(block, false));
    connect("contains", turn, blocks.back(), static_cast<std::uint64_t>(i % kBlocksInTurn));
    for (int back = 1; back <= 2 + i % 2 && back <= i; ++back) {
      connect("causes", blocks[static_cast<std::size_t>(i - back)], blocks.back(), {});
    }
    weave::PlaceKey key;
    std::copy_n(crypto::blake3(std::to_string(i)).begin(), key.size(), key.begin());
    woven.places.push_back({key, blocks.back()});
  }
  thought::Thought checkpoint;
  checkpoint.type = std::string(thought::kCheckpointType);
  checkpoint.content = to_content(thought::Checkpoint{.conversation = woven.conversation,
                                                      .leaves = woven.leaves.size(),
                                                      .root = thought::Tree(woven.leaves).root()});
  woven.checkpoint = add(checkpoint, false);
  sign_by_tree(woven);
  return woven;
}

// The floor: each block's canonical form, its name and its signature in one table.
class Plain {
 public:
  explicit Plain(const std::string& path) {
    sqlite3_open(path.c_str(), &database_);
    run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4096;"
        "CREATE TABLE plain (cid BLOB, body BLOB, signature BLOB)");
    sqlite3_prepare_v2(database_, "INSERT INTO plain VALUES (?, ?, ?)", -1, &insert_, nullptr);
  }
  ~Plain() {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  void insert(const std::vector<std::pair<Cid, std::string>>& rows) {
    run("BEGIN IMMEDIATE");
    const std::string signature(64, '\1');
    for (const auto& [cid, body] : rows) {
      sqlite3_bind_blob(insert_, 1, cid.digest().data(), 32, SQLITE_STATIC);
      sqlite3_bind_blob64(insert_, 2, body.data(), body.size(), SQLITE_STATIC);
      sqlite3_bind_blob(insert_, 3, signature.data(), 64, SQLITE_STATIC);
      sqlite3_step(insert_);
      sqlite3_reset(insert_);
    }
    run("COMMIT");
  }

 private:
  void run(const char* sql) { sqlite3_exec(database_, sql, nullptr, nullptr, nullptr); }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

struct Costs {
  double plain = 0, pack = 0, commit = 0;
  int blocks = 0;
  std::size_t bytes = 0;
};

void print(const char* when, const Costs& costs) {
  const double n = costs.blocks;
  std::printf("%-12s plain %4.1f   packing %4.1f   commit %4.1f   %.1f times plain\n", when,
              costs.plain / n, costs.pack / n, costs.commit / n,
              (costs.pack + costs.commit) / costs.plain);
}

template <class Question>
void time_reads(const char* what, const std::vector<Cid>& asked, Question question) {
  const auto began = Clock::now();
  for (const Cid& cid : asked) question(cid);
  std::printf("%-12s %.1f us\n", what, micros_since(began) / static_cast<double>(asked.size()));
}

void bench(int blocks, const std::filesystem::path& directory) {
  const std::string path = directory / "weft.db";
  auto web = store::open_store(path, store::Create::yes).value();
  Plain plain(directory / "plain.db");
  Prose prose;
  const Cid owner(crypto::blake3("owner"));
  Costs all, part;
  std::vector<Cid> some, leaves;
  std::printf("us a block:\n");
  const int batch_blocks = kBlocksInConversation * kConversationsInBatch;
  for (int done = 0; done < blocks; done += batch_blocks) {
    store::Batch batch;
    std::vector<std::pair<Cid, std::string>> rows;
    for (int i = 0; i < kConversationsInBatch; ++i) {
      batch.units.push_back(conversation(done + i, prose, owner));
      for (const thought::Thought& thought : batch.units.back().thoughts) {
        rows.emplace_back(thought.cid, canonical_form(thought));
        part.bytes += rows.back().second.size();
      }
      some.push_back(batch.units.back().thoughts[50].cid);
      leaves.push_back(batch.units.back().leaves[50]);
    }
    auto began = Clock::now();
    plain.insert(rows);
    part.plain += micros_since(began);
    began = Clock::now();
    web->writer().prepare(batch, {});
    part.pack += micros_since(began);
    began = Clock::now();
    const auto committed = web->writer().commit(batch);
    part.commit += micros_since(began);
    if (!committed) {
      std::printf("%s\n", committed.error().message.c_str());
      std::exit(1);
    }
    part.blocks += batch_blocks;
    if (part.blocks * 4 >= blocks || done + batch_blocks >= blocks) {
      print(("to " + std::to_string(done + batch_blocks)).c_str(), part);
      all.plain += part.plain, all.pack += part.pack, all.commit += part.commit;
      all.blocks += part.blocks, all.bytes += part.bytes;
      part = {};
    }
  }
  print("in all", all);
  time_reads("get", some, [&](const Cid& cid) { return web->get(cid).has_value(); });
  time_reads("get a leaf", leaves, [&](const Cid& cid) { return web->get(cid).has_value(); });
  time_reads("has", some, [&](const Cid& cid) { return web->has(cid).value(); });
  time_reads("neighbours", some, [&](const Cid& cid) {
    return web->neighbours(cid, "causes", store::Direction::both).has_value();
  });
  const auto began = Clock::now();
  std::size_t visited = 0;
  const store::Inspector counter{
      .thought = [&](const store::CanonicalThought&) { ++visited; },
      .connection = [&](const std::optional<Cid>&, const thought::Connection&) { ++visited; },
      .dangling = [](const Cid&) {},
      .broken = [](const Cid&, const std::string&) {}};
  const auto ranges = web->audit().scan_ranges().value();
  for (const store::ScanRange& range : ranges) (void)web->audit().inspect(range, counter);
  std::printf("%-12s %.1f us a row\n", "each", micros_since(began) / static_cast<double>(visited));
  web.reset();
  const auto kb = [&](const char* name) {
    return static_cast<double>(std::filesystem::file_size(directory / name)) / all.blocks;
  };
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("bytes a block: %.0f as JSON, %.0f stored, %.0f plain; peak memory %ld MB\n",
              static_cast<double>(all.bytes) / all.blocks, kb("weft.db"), kb("plain.db"),
              usage.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 60'000;
  std::string name = (std::filesystem::temp_directory_path() / "weft-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return 1;
  bench(blocks, name);
  std::filesystem::remove_all(name);
}
