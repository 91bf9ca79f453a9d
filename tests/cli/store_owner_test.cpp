// A store and somebody else's keyring: nothing is written, and no keyring is made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "becomes_true.hpp"
#include "program.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class StoreOwner : public testing::Test {
 protected:
  StoreOwner() {
    EXPECT_EQ(weft({"ingest", talk}).exit, 0);
    owner = weft.json({"keys", "show"});
    before = list(weft.json({"list"}), "conversations");
  }

  fs::path keyring() const { return weft.home() / "keyring.json"; }
  std::string store_bytes() const {
    std::ifstream file(weft.home() / "weft.db", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The keyring of somebody else, at `path`.
  void make_other_keyring(const fs::path& path) const {
    ASSERT_EQ(weft({"init", "--name", "bob", "--home", weft.path("bob")}).exit, 0);
    fs::rename(weft.path("bob") + "/keyring.json", path);
  }
  auto names_the_owner_and_the_cure() const {
    return AllOf(HasSubstr(text(owner, "owner")), HasSubstr(text(owner, "public_key")),
                 HasSubstr(keyring().string()), HasSubstr("keyring back"), HasSubstr("--home"));
  }
  void expect_refused(const std::vector<std::string>& words) const {
    const std::string bytes = store_bytes();
    const Ran ran = weft(words);
    ASSERT_EQ(ran.exit, 3) << words.front() << ran;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, names_the_owner_and_the_cure());
    EXPECT_TRUE(store_bytes() == bytes) << words.front();
  }
  void expect_every_writer_refused() const {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"ingest", talk},
          {"ingest"},
          {"sources"},
          {"init"},
          {"reweave"},
          {"mcp"},
          {"up", "--once"},
          {"watch"},
          {"serve", "--listen", "127.0.0.1:0"},
          {"record", "--upstream", "http://127.0.0.1:9", "--listen", "127.0.0.1:0"}}) {
      expect_refused(words);
      if (HasFatalFailure()) return;
    }
  }

  Weft weft;
  std::string talk = weft.write("talk.txt", cli::sample_transcript());
  json::object owner;
  json::array before;
};

TEST_F(StoreOwner, UxA2NoKeyringIsMadeBesideAStoreThatHasOne) {
  const fs::path aside = weft.path("aside.json");
  fs::rename(keyring(), aside);
  expect_every_writer_refused();
  EXPECT_FALSE(fs::exists(keyring()));

  // What needs no keyring works without one, and with one that is named.
  EXPECT_EQ(list(weft.json({"list"}), "conversations"), before);
  EXPECT_EQ(weft({"verify"}).exit, 0);
  EXPECT_EQ(weft({"up", "--once", "--keys", aside.string()}).exit, 0);
  const Ran elsewhere = weft({"ingest", talk, "--home", weft.path("other")});
  EXPECT_EQ(elsewhere.exit, 0) << elsewhere;

  fs::rename(aside, keyring());
  EXPECT_EQ(number(weft.json({"ingest", talk}), "new_thoughts"), 0);
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST_F(StoreOwner, UxA2NobodyElseWritesToIt) {
  fs::rename(keyring(), weft.path("aside.json"));
  make_other_keyring(keyring());
  expect_every_writer_refused();
  expect_refused({"forget", "sample", "--yes"});
  json::array listed = list(weft.json({"list"}), "conversations");
  for (json::value& row : listed) {
    EXPECT_EQ(row.as_object().erase("foreign"), 1u) << "to this keyring it is somebody else's";
  }
  EXPECT_EQ(listed, before);

  const Ran json = weft({"ingest", talk, "--json"});
  EXPECT_EQ(json.exit, 3) << json;
  const json::object error = json.object().at("error").as_object();
  EXPECT_EQ(text(error, "code"), "denied");
  EXPECT_THAT(text(error, "message"), names_the_owner_and_the_cure());
}

TEST_F(StoreOwner, UxA2HooksWriteNothingAndDoctorSaysWhy) {
  const fs::path projects = weft.scratch() / ".claude/projects/-home-ada-looms";
  fs::create_directories(projects);
  const std::string session = (projects / "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0001.jsonl").string();
  std::ofstream(session) << "{}\n";
  fs::remove(keyring());
  const json::object event{{"session_id", "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0001"},
                           {"transcript_path", session},
                           {"cwd", "/home/ada/looms"},
                           {"hook_event_name", "Stop"}};
  EXPECT_EQ(weft({"hook"}, canonical_json(event)).exit, 0);
  EXPECT_TRUE(becomes_true(
      [&] { return weft({"doctor"}).out.find(text(owner, "owner")) != std::string::npos; }));
  EXPECT_FALSE(fs::exists(keyring()));
}

// Nothing of the owner's is in the store but a tombstone.
TEST_F(StoreOwner, UxA2WhatWasForgottenDoesNotComeBackUnderAnotherKeyring) {
  const std::string cid = text(before.at(0).as_object(), "cid");
  ASSERT_EQ(weft({"forget", cid, "--yes"}).exit, 0);
  fs::remove(keyring());
  expect_refused({"ingest", talk});
  EXPECT_FALSE(fs::exists(keyring()));
  EXPECT_EQ(number(weft.json({"list"}), "total"), 0);
}

// Thoughts of others make them no owner, neither before there is one nor after.
TEST_F(StoreOwner, ImportsMakeNobodyTheOwner) {
  const std::string cid = text(before.at(0).as_object(), "cid");
  const std::string file = weft.path("thoughts.jsonl");
  ASSERT_EQ(weft({"export", cid, "--as", "thoughts", "--out", file}).exit, 0);
  const Weft other;
  ASSERT_EQ(other({"import", file}).exit, 0);
  EXPECT_EQ(other({"ingest", talk}).exit, 0);
  EXPECT_EQ(other({"import", file}).exit, 0);
  EXPECT_EQ(other({"ingest", talk}).exit, 0);
  EXPECT_EQ(number(other.json({"list"}), "total"), 2);
  fs::remove(other.home() / "keyring.json");
  EXPECT_EQ(other({"ingest", talk}).exit, 3);
}

}  // namespace
}  // namespace weft::test
