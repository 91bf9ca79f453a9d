// weft push --check finds what is missing or changed in a remote, whatever it is, and mends it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "share_for_test.hpp"
#include "stdio_client.hpp"
#include "web_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class Mending : public Sharing {
 protected:
  Mending() {
    one.ingests(long_session(kOne));
    one.ingests(short_session(kTwo));
  }
  // At random, something may be removed that no conversation has.
  void expect_mended(const char* remote, const std::string& what) {
    SCOPED_TRACE(what);
    const Ran seen = one({"push", remote, "--check", "--dry-run", "--json"});
    const bool is_different = !list(seen.object(), "differences").empty();
    EXPECT_EQ(seen.exit, is_different ? 1 : 0) << seen;
    found_ += is_different ? 1 : 0;
    const json::object mended = one.push(remote, 0, {"--check"});
    for (const json::value& difference : list(mended, "differences")) {
      EXPECT_EQ(difference.at("mended"), true);
    }
    EXPECT_THAT(list(one.push(remote, 0, {"--check"}), "differences"), IsEmpty());
    const Machine fresh;
    fs::create_directories(fresh.home());
    fs::copy_file(one.home() / "keyring.json", fresh.home() / "keyring.json");
    fs::copy_file(one.home() / "config.json", fresh.home() / "config.json");
    EXPECT_THAT(list(fresh.pull(remote), "taken"), SizeIs(2));
    EXPECT_EQ(web_of(fresh), web_of(one));
    EXPECT_TRUE(fresh.verifies());
  }
  void TearDown() override {
    if (!IsSkipped()) EXPECT_GT(found_, 0);
  }
  // A few ids of a table, other than those of conversations.
  static std::string some_of(const std::string& table, std::mt19937& random) {
    const std::string seed = std::to_string(random() % 10'007);
    return "(SELECT id FROM " + table +
           " WHERE id NOT IN (SELECT id FROM conversations) ORDER BY (id * 7919 + " + seed +
           ") % 10007 LIMIT " + std::to_string(1 + random() % 3) + ")";
  }

 private:
  int found_ = 0;
};

TEST_F(Mending, WhatIsGoneFromAStoreInAFileComesBack) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  one.push("store");
  const std::string path = shared.path("shared.db");
  const int rounds = test_is_long() ? 20 : 3;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string table : {"thoughts", "connections"}) {
      const std::string sql = "DELETE FROM " + table + " WHERE id IN " + some_of(table, random);
      Tool(path).run(sql);
      expect_mended("store", sql);
    }
  }
  // Of what several conversations share, weft repair mends the bytes.
  const std::string changed =
      "UPDATE thoughts SET created_at = created_at + 1 WHERE id = (SELECT max(id) FROM thoughts "
      "WHERE type = (SELECT id FROM words WHERE text = 'anthropic/turn'))";
  Tool(path).run(changed);
  expect_mended("store", changed);
}

TEST_F(Mending, WhatIsGoneFromAServerComesBack) {
  if (!schema) GTEST_SKIP() << "built without libpq";
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  one.push("server");
  for (int round = 0; round < (test_is_long() ? 10 : 2); ++round) {
    const std::string sql = "DELETE FROM " + schema->name() +
                            ".thoughts WHERE id IN (SELECT id FROM " + schema->name() +
                            ".thoughts WHERE id NOT IN (SELECT id FROM " + schema->name() +
                            ".conversations) ORDER BY (id * 7919 + " +
                            std::to_string(random() % 10'007) + ") % 10007 LIMIT 3)";
    const Status removed = postgres::open_database(schema->url()).value().script(sql.c_str());
    ASSERT_TRUE(removed) << removed.error().message;
    expect_mended("server", sql);
  }
}

// Random lines of random files.
TEST_F(Mending, WhatIsGoneFromAFolderComesBack) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  one.push("folder");
  for (int round = 0; round < 3; ++round) {
    const fs::path path = files().at(random() % files().size());
    std::istringstream lines(*read_file(path));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(random() % all.size()));
    std::string rest;
    for (const std::string& line : all) rest += line + "\n";
    ASSERT_TRUE(write_file_atomically(path, rest, 0600));
    expect_mended("folder", path.string());
  }
}

}  // namespace
}  // namespace weft::test
