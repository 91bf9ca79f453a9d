// The speed of weft's answers at a million thoughts, process start included, and how close
// `verify` comes to the bare checking of the same signatures on as many cores.
//
//   bench_answers [MB]     the corpus that is ingested first; 350 make a million thoughts
#include <algorithm>
#include <cstdlib>
#include <map>
#include <thread>

#include "corpus.hpp"
#include "measure.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::bench {
namespace {

struct Signed {
  crypto::PublicKey key;
  Cid cid;
  crypto::SignatureBytes signature;
};

struct Contents {
  std::vector<Signed> signatures;
  std::vector<Cid> responses;
  std::size_t thoughts = 0;
};

Contents read_store(const std::filesystem::path& path) {
  Contents contents;
  const auto store = store::open_store(path, store::Create::no);
  std::map<Cid, crypto::PublicKey> keys;
  const store::Scan all = store::scan(**store);
  for (const thought::Thought& thought : all.thoughts) {
    if (thought::is_identity(thought)) {
      keys[thought.cid] = *crypto::PublicKey::parse(*find_string(thought.content, "pubkey"));
    }
  }
  for (const thought::Thought& thought : all.thoughts) {
    if (const auto* bytes = std::get_if<crypto::SignatureBytes>(&thought.signature)) {
      contents.signatures.push_back({keys[thought.created_by], thought.cid, *bytes});
    }
    if (thought.type == "anthropic/response") contents.responses.push_back(thought.cid);
  }
  contents.thoughts = all.thoughts.size() + all.connections.size();
  return contents;
}

double bare_verification(const std::vector<Signed>& signatures, unsigned threads) {
  const Stopwatch stopwatch;
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      std::size_t verified = 0;
      for (std::size_t i = t; i < signatures.size(); i += threads) {
        const Signed& one = signatures[i];
        verified += one.key.verifies(one.signature, crypto::bytes_of(one.cid.digest())) ? 1 : 0;
      }
      if (verified == 0) std::abort();
    });
  }
  workers.clear();
  return stopwatch.seconds();
}

void answer_times(const std::string& home, const std::vector<Cid>& responses) {
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"get"}, std::vector<std::string>{"why", "--depth", "20"}}) {
    std::vector<double> times;
    for (std::size_t i = 0; i < 50; ++i) {
      std::vector<std::string> arguments = question;
      arguments.push_back(responses[i * responses.size() / 50].str());
      arguments.insert(arguments.end(), {"--json", "--home", home});
      times.push_back(run_weft(arguments).seconds * 1000);
    }
    std::sort(times.begin(), times.end());
    std::string name = "weft";
    for (const std::string& word : question) name += " " + word;
    std::printf("%-46s %8.1f ms median, %.1f worst of 50 (limit 20)%s\n", name.c_str(), times[25],
                times.back(), times[25] > 20 ? "  OVER" : "");
  }
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;  // NOLINT(google-build-using-namespace): a program, not a header
  const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 350;
  const TempDir dir;
  const std::string home = dir.path / "home";
  std::vector<std::string> arguments{"ingest", "--json", "--home", home};
  for (const auto& file : Corpus(7).write(dir.path, megabytes << 20)) arguments.push_back(file);
  run_weft(arguments);
  const Contents contents = read_store(dir.path / "home" / "weft.db");
  std::printf("%zu thoughts, %zu of them signed one by one\n", contents.thoughts,
              contents.signatures.size());
  const Ran nothing = run_weft({"--version"});
  std::printf("%-46s %8.1f ms\n", "weft --version (process start alone)", nothing.seconds * 1000);
  answer_times(home, contents.responses);
  // The best of three each, measured in turns, because the machine may be shared.
  double bare = bare_verification(contents.signatures, 2);
  Ran verified = run_weft({"verify", "--json", "--home", home});
  for (int i = 0; i < 2; ++i) {
    bare = std::min(bare, bare_verification(contents.signatures, 2));
    const Ran again = run_weft({"verify", "--json", "--home", home});
    if (again.seconds < verified.seconds) verified = again;
  }
  report("weft verify, against bare Ed25519 on 2 cores", verified.seconds, bare, 1.3);
  std::printf("%-46s %8.1f MB, exit %d\n", "peak memory of verify", verified.peak_mb,
              verified.exit);
}
