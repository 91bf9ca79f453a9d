// Two people and one web: what a colleague sealed is read with the keys that they gave, and what
// they signed is told apart from what others did.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "program.hpp"
#include "session_for_test.hpp"
#include "sources_for_test.hpp"
#include "weft/base/file.hpp"
#include "weft/base/json.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kThought = "the marmoset hides in the attic";

class People : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(ada({"init", "--name", "Ada"}).exit, 0);
    ASSERT_EQ(bob({"init", "--name", "Bob"}).exit, 0);
    Session session(kOne);
    session.human("where is it");
    session.thinks(std::string(kThought));
    session.says("look upstairs");
    append(place(ada, kOne), session.text());
    ASSERT_EQ(ada({"ingest"}).exit, 0);
    export_keys("content");
    export_keys("metadata");
    const Ran exported = ada({"export", "last", "--as", "thoughts"});
    ASSERT_EQ(exported.exit, 0) << exported;
    thoughts = bob.write("ada.jsonl", exported.out);
    ada_key = text(ada.json({"keys", "show"}), "public_key");
  }

  void export_keys(const std::string& layer) {
    ASSERT_EQ(ada({"keys", "export", "--layer", layer, "--out", bob.path(layer + ".json")}).exit,
              0);
  }
  void import() { ASSERT_EQ(bob({"import", thoughts}).exit, 0); }
  json::object search(const std::string& words) { return bob.json({"search", words}); }
  // The reasoning as Bob sees it; empty if it stays sealed.
  std::string reasoning() {
    const json::array found = list(bob.json({"search", "type:thinking"}), "results");
    if (found.size() != 1) return "not one thinking";
    const json::object shown = bob.json({"get", text(found[0].as_object(), "cid")});
    const json::object& content = shown.at("content").as_object();
    return content.contains("reasoning") ? text(content, "reasoning") : std::string();
  }
  std::string keyring() const { return (bob.home() / "keyring.json").string(); }

  Weft ada, bob;
  std::string thoughts, ada_key;
};

TEST_F(People, ReadingKeysOpenWhatAColleagueSealed) {
  import();
  EXPECT_EQ(reasoning(), "");
  ASSERT_EQ(bob({"keys", "add", bob.path("content.json"), "--name", "ada"}).exit, 0);
  EXPECT_EQ(reasoning(), kThought);
  EXPECT_THAT(bob({"walk", "last"}).out, HasSubstr("marmoset"));
  EXPECT_EQ(bob({"verify"}).exit, 0);
  ASSERT_EQ(bob({"keys", "remove", "ada"}).exit, 0);
  EXPECT_EQ(reasoning(), "");
  EXPECT_EQ(bob({"keys", "remove", "ada"}).exit, 1);
  EXPECT_EQ(bob({"verify"}).exit, 0);
}

TEST_F(People, TheMetadataKeyOpensNoReasoning) {
  import();
  ASSERT_EQ(bob({"keys", "add", bob.path("metadata.json")}).exit, 0);
  EXPECT_EQ(reasoning(), "");
  const json::array people = list(bob.json({"keys", "list"}), "people");
  ASSERT_EQ(people.size(), 1u);
  EXPECT_EQ(text(people[0].as_object(), "name"), "Ada") << "their own name for want of another";
  EXPECT_TRUE(people[0].at("layers").at("metadata").is_string());
  EXPECT_TRUE(people[0].at("layers").at("content").is_null());
  // More of the same person, under the name that is there.
  ASSERT_EQ(bob({"keys", "add", bob.path("content.json")}).exit, 0);
  EXPECT_EQ(reasoning(), kThought);
}

TEST_F(People, SealedTextIsFoundUnderTheKeysThatWereThereWhenItCame) {
  ASSERT_EQ(bob({"keys", "add", bob.path("content.json"), "--name", "ada"}).exit, 0);
  import();
  const json::object found = search("marmoset");
  ASSERT_EQ(number(found, "total"), 1) << canonical_json(found);
  EXPECT_THAT(text(found.at("results").at(0).as_object(), "snippet"), HasSubstr("marmoset"));
  EXPECT_EQ(number(search("\"marmoset hides\""), "total"), 1);
  EXPECT_FALSE(found.contains("sealed_not_searched"));
  // Without the key, the index says nothing of it but how much it is.
  ASSERT_EQ(bob({"keys", "remove", "ada"}).exit, 0);
  const json::object closed = search("marmoset");
  EXPECT_EQ(number(closed, "total"), 0);
  EXPECT_EQ(closed.at("sealed_not_searched"), true);
  EXPECT_EQ(number(closed, "not_searched"), 1);
}

TEST_F(People, TheAnswerSaysHowMuchNoKeyOpensAndThatReindexHelps) {
  import();
  const json::object closed = search("marmoset");
  EXPECT_EQ(number(closed, "total"), 0);
  EXPECT_EQ(closed.at("sealed_not_searched"), true);
  EXPECT_EQ(number(closed, "not_searched"), 1);
  EXPECT_THAT(canonical_json(closed.at("notes")), HasSubstr("weft keys add"));
  ASSERT_EQ(bob({"keys", "add", bob.path("content.json"), "--name", "ada"}).exit, 0);
  const json::object behind = search("marmoset");
  EXPECT_EQ(number(behind, "not_searched"), 1);
  EXPECT_THAT(canonical_json(behind.at("notes")), HasSubstr("weft reindex"));
  ASSERT_EQ(bob({"reindex"}).exit, 0);
  const json::object found = search("marmoset");
  EXPECT_EQ(number(found, "total"), 1);
  EXPECT_FALSE(found.contains("sealed_not_searched")) << canonical_json(found);
  EXPECT_EQ(bob({"verify"}).exit, 0);
}

// What somebody else's server knows of the reader stays what it was.
TEST_F(People, OnesOwnSealedTextIsSearchedBesideTheirs) {
  Session session(kTwo);
  session.human("and mine");
  session.thinks("a marmoset of my own");
  append(place(bob, kTwo), session.text());
  ASSERT_EQ(bob({"ingest"}).exit, 0);
  import();
  EXPECT_EQ(number(search("marmoset"), "total"), 1);
  EXPECT_EQ(number(search("marmoset"), "not_searched"), 1);
  ASSERT_EQ(bob({"keys", "add", bob.path("content.json")}).exit, 0);
  ASSERT_EQ(bob({"reindex"}).exit, 0);
  EXPECT_EQ(number(search("marmoset"), "total"), 2);
  EXPECT_EQ(bob({"verify"}).exit, 0);
  // A reader with no key at all.
  const json::object closed =
      ada.json({"search", "marmoset", "--store", "sqlite:" + (bob.home() / "weft.db").string(),
                "--keys", bob.path("metadata.json")});
  EXPECT_EQ(number(closed, "not_searched"), 2) << canonical_json(closed);
}

TEST_F(People, VerifyTellsOwnTrustedAndForeignApart) {
  import();
  json::object answer = bob.json({"verify"});
  EXPECT_EQ(number(answer, "trusted"), 0);
  const std::int64_t all = number(answer, "foreign");
  EXPECT_GT(all, 0);
  json::array signers = list(answer, "signers");
  ASSERT_EQ(signers.size(), 1u) << "her model's words are hers: " << canonical_json(signers);
  EXPECT_EQ(text(signers[0].as_object(), "name"), "Ada");
  EXPECT_EQ(signers[0].at("trusted"), false);

  ASSERT_EQ(bob({"keys", "trust", ada_key, "--name", "ada of the loom"}).exit, 0);
  answer = bob.json({"verify"});
  EXPECT_EQ(number(answer, "trusted"), all);
  EXPECT_EQ(number(answer, "foreign"), 0);
  signers = list(answer, "signers");
  ASSERT_EQ(signers.size(), 1u);
  EXPECT_EQ(text(signers[0].as_object(), "name"), "ada of the loom");
  EXPECT_EQ(signers[0].at("trusted"), true);
  EXPECT_EQ(number(signers[0].as_object(), "signatures"), all);
  EXPECT_THAT(bob({"verify"}).out, HasSubstr("trusted  ada of the loom"));
}

TEST_F(People, TrustIsPutInAKeyAnIdentityOrAnExportedKeyring) {
  import();
  const std::string cid = text(ada.json({"keys", "show"}), "owner");
  for (const std::string& whom : {cid, cid.substr(11, 12), bob.path("metadata.json")}) {
    ASSERT_EQ(bob({"keys", "trust", whom}).exit, 0) << whom;
    const json::array people = list(bob.json({"keys", "list"}), "people");
    ASSERT_EQ(people.size(), 1u);
    EXPECT_EQ(text(people[0].as_object(), "public_key"), ada_key);
    EXPECT_EQ(people[0].at("trusted"), true);
    EXPECT_TRUE(people[0].at("layers").at("metadata").is_null()) << "trust reads nothing";
    ASSERT_EQ(bob({"keys", "remove", "Ada"}).exit, 0);
  }
  EXPECT_EQ(bob({"keys", "trust", ada_key}).exit, 2) << "a key has no name";
  const json::object found = search("upstairs");
  const std::string answer = text(found.at("results").at(0).as_object(), "cid");
  EXPECT_EQ(bob({"keys", "trust", answer}).exit, 3) << "a response is nobody";
}

TEST_F(People, WhatCannotBeAddedChangesNothing) {
  const std::string before = read_file(keyring()).value();
  const Ran owners = bob({"keys", "add", (ada.home() / "keyring.json").string()});
  EXPECT_EQ(owners.exit, 3);
  EXPECT_THAT(owners.err, HasSubstr("weft keys export"));
  EXPECT_EQ(bob({"keys", "add", thoughts}).exit, 3);
  EXPECT_EQ(bob({"keys", "add", bob.path("no.json")}).exit, 1);
  const std::string own = text(bob.json({"keys", "show"}), "public_key");
  EXPECT_EQ(bob({"keys", "trust", own, "--name", "me"}).exit, 3);
  EXPECT_EQ(read_file(keyring()).value(), before);
}

TEST_F(People, AnOldKeyringStaysAsItIsUntilSomebodyIsAdded) {
  const std::string before = read_file(keyring()).value();
  EXPECT_THAT(before, HasSubstr("\"weft_keyring\":1"));
  EXPECT_THAT(list(bob.json({"keys", "list"}), "people"), IsEmpty());
  EXPECT_EQ(read_file(keyring()).value(), before);
  ASSERT_EQ(bob({"keys", "trust", ada_key, "--name", "ada"}).exit, 0);
  EXPECT_THAT(read_file(keyring()).value(), HasSubstr("\"weft_keyring\":2"));
  struct stat info{};
  ASSERT_EQ(::stat(keyring().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  ASSERT_EQ(bob({"keys", "remove", "ada"}).exit, 0);
  EXPECT_EQ(read_file(keyring()).value(), before);

  std::string newer = before;
  newer.replace(newer.find("\"weft_keyring\":1"), 16, "\"weft_keyring\":3");
  std::ofstream(keyring()) << newer;
  const Ran refused = bob({"keys", "show"});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, HasSubstr("version 3"));
  EXPECT_THAT(refused.err, HasSubstr("newer weft"));
}

TEST_F(People, AreAddedUnderThePassphraseThatTheKeyringHas) {
  import();
  const std::string passphrase = bob.write("words", "open sesame\n");
  ASSERT_EQ(::chmod(passphrase.c_str(), 0600), 0);
  ASSERT_EQ(bob({"keys", "passphrase", "--new-passphrase-file", passphrase}).exit, 0);
  bob.environment["WEFT_PASSPHRASE_FILE"] = passphrase;
  ASSERT_EQ(bob({"keys", "add", bob.path("content.json"), "--name", "ada"}).exit, 0);
  const std::string text = read_file(keyring()).value();
  EXPECT_THAT(text, HasSubstr("\"lock\""));
  EXPECT_THAT(text, Not(HasSubstr("content_key")));
  EXPECT_EQ(reasoning(), kThought);
  bob.environment.erase("WEFT_PASSPHRASE_FILE");
  EXPECT_EQ(bob({"keys", "list"}).exit, 3);
}

}  // namespace
}  // namespace weft::test
