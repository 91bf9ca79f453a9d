// kill -9 at any moment, and several writers at once: the web comes out the same.
#include <sys/wait.h>

#include <set>

#include "kill_moments_for_test.hpp"
#include "web_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft {
namespace {

// Enough rounds for several commits.
std::string long_talk(int rounds, const std::string& salt) {
  std::string text = "Model: claude-x\nSession: " + salt + "\n\n";
  for (int i = 0; i < rounds; ++i) {
    const std::string n = salt + std::to_string(i);
    text += "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"question " + n + "\"}]\n\n" +
            std::string(80, '=') + "\n";
    text += "Assistant:\nContent:\n[{\"type\":\"thinking\",\"thinking\":\"hm " + n +
            "\",\"summaries\":[{\"summary\":\"s\"}]},{\"type\":\"tool_use\",\"id\":\"t" + n +
            "\",\"name\":\"ls\",\"input\":{}},{\"type\":\"tool_result\",\"tool_use_id\":\"t" + n +
            "\",\"content\":\"out " + n + "\"},{\"type\":\"text\",\"text\":\"answer " + n +
            "\"}]\n\n" + std::string(80, '=') + "\n";
  }
  return text;
}

// Equal in all thoughts but checkpoints and facts.
std::set<Cid> web_of(const std::string& path) {
  const auto store = store::open_store(path, store::Create::no);
  EXPECT_TRUE(store) << store.error().message;
  return store ? store::web_of(**store) : std::set<Cid>();
}

struct Fixture {
  Fixture() : keyring(*crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking)) {
    for (int i = 0; i < 3; ++i) {
      files.push_back(dir / ("talk" + std::to_string(i) + ".txt"));
      write_text(files.back(), long_talk(60, std::string(1, static_cast<char>('a' + i))));
    }
  }
  // Many small commits, so that a kill falls into every part of them.
  Result<ingest::Report> ingest(const std::string& store_path) const {
    auto store = store::open_store(store_path, store::Create::yes);
    if (!store) return fail(std::move(store).error());
    ingest::Options options{.paths = files, .commit_bytes = 32u << 10};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    return ingest::ingest(**store, keyring, options);
  }
  bool verifies(const std::string& store_path) const {
    const auto store = store::open_store(store_path, store::Create::no);
    const auto answer = query::verify(**store, &keyring, {});
    return answer && answer->at("verdict") == "valid";
  }

  TempDir dir;
  crypto::Keyring keyring;
  std::vector<std::filesystem::path> files;
};

pid_t in_child(const std::function<bool()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(work() ? 0 : 1);
  return pid;
}

TEST(Crash, KilledAtAnyMomentTheNextIngestGoesOnAndTheWebIsTheSame) {
  const Fixture fixture;
  const std::string calm = fixture.dir / "calm.db";
  test::KillMoments moments([&] { ASSERT_TRUE(fixture.ingest(calm)); });
  const std::set<Cid> expected = web_of(calm);
  ASSERT_GT(expected.size(), 3'000u);

  const std::string hit = fixture.dir / "hit.db";
  const auto remove = [&] {
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(hit + suffix);
  };
  while (moments.killed() < test::KillMoments::count()) {
    SCOPED_TRACE(moments.trace());
    const bool killed = moments.strike(in_child([&] { return fixture.ingest(hit).has_value(); }));
    if (!killed) {
      ASSERT_EQ(moments.exit, 0);
      EXPECT_EQ(web_of(hit), expected);
      remove();  // nothing is left to do
      continue;
    }
    if (moments.killed() % 5 == 0 && std::filesystem::exists(hit)) {
      const auto store = store::open_store(hit, store::Create::yes);
      ASSERT_TRUE(store) << store.error().message;
      const auto answer = query::verify(**store, &fixture.keyring, {});
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->at("verdict"), "valid") << pretty_json(*answer);
    }
    if (moments.killed() % 7 == 6) remove();  // the first commits are moments, too
  }
  ASSERT_TRUE(fixture.ingest(hit));
  EXPECT_EQ(web_of(hit), expected);
  EXPECT_TRUE(fixture.verifies(hit));
}

// The previous index stays in use until the new one is complete.
TEST(Crash, KilledWhileItIsIndexedAgainTheStoreFindsWhatItFound) {
  const Fixture fixture;
  const std::string path = fixture.dir / "indexed.db";
  ASSERT_TRUE(fixture.ingest(path));
  const auto reindex = [&] {
    auto store = store::open_store(path, store::Create::no);
    return store && (*store)->writer().reindex({.keyring = &fixture.keyring}, {}).has_value();
  };
  const auto found = [&] {
    const auto store = store::open_store(path, store::Create::no);
    EXPECT_TRUE(store) << store.error().message;
    const query::Library library{**store, &fixture.keyring};
    std::string all;
    for (const char* words : {"question", "hm", "out a1", "answer"}) {
      auto answer = query::search(library, {.query = words, .limit = 50});
      EXPECT_TRUE(answer) << answer.error().message;
      if (!answer) continue;
      answer->erase("next_cursor");  // it is one of this index
      all += canonical_json(*answer) + "\n";
    }
    return all;
  };
  test::KillMoments moments([&] { ASSERT_TRUE(reindex()); });
  const std::string expected = found();
  for (int i = 0; i < test::KillMoments::count(); ++i) {
    SCOPED_TRACE(moments.trace());
    moments.strike(in_child(reindex));
    EXPECT_EQ(found(), expected);
    if (i % 5 == 0) EXPECT_TRUE(fixture.verifies(path));
  }
  EXPECT_GT(moments.killed(), 0);
  EXPECT_TRUE(fixture.verifies(path));
}

TEST(Crash, SeveralProcessesIngestingTheSameFilesLoseAndDoubleNothing) {
  const Fixture fixture;
  const std::string calm = fixture.dir / "calm.db";
  ASSERT_TRUE(fixture.ingest(calm));
  const std::string busy = fixture.dir / "busy.db";
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(in_child([&] { return fixture.ingest(busy).has_value(); }));
  }
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(web_of(busy), web_of(calm));
  EXPECT_TRUE(fixture.verifies(busy));
}

TEST(Crash, ForksTakenInByTwoProcessesAtOnceShareTheirEdges) {
  Fixture fixture;
  // The same words at the same times under two names: a fork of the other.
  std::string origin = long_talk(40, "x");
  std::string fork = origin;
  fork.replace(fork.find("Session: x"), 10, "Session: y");
  fixture.files = {fixture.dir / "x.txt", fixture.dir / "y.txt"};
  write_text(fixture.files[0], origin);
  write_text(fixture.files[1], fork);
  const std::string busy = fixture.dir / "busy.db";
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    children.push_back(in_child([&, i] {
      Fixture one;
      auto store = store::open_store(busy, store::Create::yes);
      ingest::Options options{.paths = {fixture.files[static_cast<std::size_t>(i)]},
                              .commit_bytes = 8u << 10};
      options.clock = [] { return Millis{1'770'000'000'000}; };
      return store && ingest::ingest(**store, fixture.keyring, options).has_value();
    }));
  }
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  const std::string calm = fixture.dir / "calm.db";
  ASSERT_TRUE(fixture.ingest(calm));
  EXPECT_EQ(web_of(busy), web_of(calm));
  EXPECT_TRUE(fixture.verifies(busy));
}

}  // namespace
}  // namespace weft
