// A thought and its causes, proven to somebody without the store: what the file shows, what it
// hides, and that no byte of it can be changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "program.hpp"
#include "session_for_test.hpp"
#include "sources_for_test.hpp"
#include "weft/base/file.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/query/proof/part_checker.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kToken = "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";

class Prove : public testing::Test {
 protected:
  void SetUp() override {
    Session session(kOne);
    session.human("what is a heddle");
    session.says("an eye for a thread");
    session.human("find the loom");
    session.thinks("it may be in the attic");
    session.calls("c1", "Bash", "ls attic");
    session.prints("c1", "loom shuttle");
    session.says("it is in the attic");
    session.human("send it");
    session.calls("c2", "Bash", "curl -H 'Authorization: " + std::string(kToken) + "'");
    session.prints("c2", "ok");
    session.says("it is sent");
    append(place(weft, kOne), session.text());
    ASSERT_EQ(weft({"ingest"}).exit, 0);
    answer = cid_of("attic", "response");
  }

  std::string cid_of(const std::string& words, const std::string& type) const {
    return text(list(weft.json({"search", words, "--type", type}), "results").at(0).as_object(),
                "cid");
  }
  json::object prove(std::vector<std::string> more, const std::string& name = "proof.json") {
    std::vector<std::string> words = {"prove", answer, "--out", weft.path(name), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return weft.json(words);
  }
  std::string written(const std::string& name = "proof.json") {
    return read_file(weft.path(name)).value();
  }
  // What the proof says in the clear. Asked with says(): a failure must not print all of it.
  std::string said(const std::string& name = "proof.json") {
    const json::value file = parse_json(written(name)).value().value;
    return crypto::parse_base64(text(file.as_object(), "payload")).value();
  }

  bool says(std::string_view words) { return said().find(words) != std::string::npos; }

  Weft weft;
  std::string answer;
};

TEST_F(Prove, AnAnswerIsProvenBackToItsPromptAndChecksWithoutTheStore) {
  const json::object made = prove({});
  EXPECT_EQ(text(made, "selection"), "signed");
  EXPECT_TRUE(says("it is in the attic"));
  EXPECT_TRUE(says("find the loom"));
  EXPECT_TRUE(says("loom shuttle"));
  EXPECT_FALSE(says("an eye for a thread"));
  Weft stranger;
  const json::object verdict = stranger.json({"verify", weft.path("proof.json")});
  EXPECT_EQ(text(verdict, "verdict"), "holds");
  EXPECT_EQ(text(verdict, "subject"), answer);
  const std::string key = text(verdict.at("owner").as_object(), "key");
  EXPECT_EQ(stranger({"verify", weft.path("proof.json"), "--owner", key}).exit, 0);
  const std::string other = "ed25519:" + std::string(64, 'a');
  EXPECT_EQ(stranger({"verify", weft.path("proof.json"), "--owner", other}).exit, 1);
  EXPECT_EQ(weft.json({"verify", weft.path("proof.json")}).at("owner").at("is_you"), true);
}

TEST_F(Prove, ASecretIsNotInItAndItsThoughtIsAStub) {
  answer = cid_of("sent", "response");
  const json::object made = prove({});
  EXPECT_TRUE(says("it is sent"));
  EXPECT_FALSE(says(kToken));
  EXPECT_THAT(canonical_json(made.at("notes")), HasSubstr("a secret stands"));
  EXPECT_GE(number(made, "stubs"), 1);
  answer = cid_of("curl", "tool_request");
  const Ran ran = weft({"prove", answer, "--out", weft.path("no.json")});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("a secret stands in it"));
}

TEST_F(Prove, WhatIsHiddenIsKnownByWhoSignedItAndByItsEdges) {
  const json::object whole = prove({});
  const json::object hidden = prove({"--hide", "tool_result"});
  EXPECT_FALSE(says("loom shuttle"));
  EXPECT_TRUE(says("find the loom"));
  EXPECT_EQ(number(hidden, "stubs"), number(whole, "stubs") + 1);
  EXPECT_GT(number(hidden, "edges"), 0);
  EXPECT_EQ(weft({"verify", weft.path("proof.json")}).exit, 0);
  prove({"--hide", cid_of("find", "human_input")});
  EXPECT_FALSE(says("find the loom"));
  EXPECT_EQ(weft({"verify", weft.path("proof.json")}).exit, 0);
  EXPECT_EQ(weft({"prove", answer, "--hide", answer, "--out", weft.path("no.json")}).exit, 3);
}

TEST_F(Prove, DepthAndPromptSayHowFarBack) {
  prove({"--depth", "0"});
  EXPECT_TRUE(says("it is in the attic"));
  EXPECT_FALSE(says("find the loom"));
  EXPECT_EQ(weft({"verify", weft.path("proof.json")}).exit, 0);
  prove({"--to", cid_of("heddle", "human_input")});
  EXPECT_TRUE(says("what is a heddle"));
  EXPECT_TRUE(says("an eye for a thread"));
  EXPECT_TRUE(says("find the loom"));
  EXPECT_EQ(weft({"verify", weft.path("proof.json")}).exit, 0);
  const Ran ran = weft(
      {"prove", cid_of("heddle", "human_input"), "--to", answer, "--out", weft.path("no.json")});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("not among the causes"));
}

TEST_F(Prove, AMetadataKeyringMakesAnUnsignedSelectionWithoutReasoning) {
  ASSERT_EQ(
      weft({"keys", "export", "--layer", "metadata", "--out", weft.path("metadata.json")}).exit, 0);
  const json::object made = prove({"--keys", weft.path("metadata.json")});
  EXPECT_EQ(text(made, "selection"), "unsigned");
  EXPECT_FALSE(says("it may be in the attic"));
  const Ran ran = weft({"verify", weft.path("proof.json")});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("unsigned selection"));
}

TEST_F(Prove, NoByteOfADeeperProofCanBeChanged) {
  prove({"--to", cid_of("heddle", "human_input")});
  const std::string file = written();
  const auto holds = [](const std::string& text) {
    const auto proof = query::parse_proof(text);
    return proof && query::check_part(*proof).holds();
  };
  ASSERT_TRUE(holds(file));
  std::mt19937 random(20261120);
  const int changes = std::getenv("WEFT_LONG") != nullptr ? 20'000 : 500;
  for (int i = 0; i < changes; ++i) {
    std::string changed = file;
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, file.size() - 1)(random);
    changed[at] = static_cast<char>(changed[at] ^ std::uniform_int_distribution(1, 255)(random));
    ASSERT_FALSE(holds(changed)) << "byte " << at;
  }
  // And as the program says it.
  for (const std::size_t at : {0ul, 1ul, file.size() / 2, file.size() - 3}) {
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    weft.write("changed.json", changed);
    EXPECT_EQ(weft({"verify", weft.path("changed.json")}).exit, 1) << at;
  }
}

TEST_F(Prove, ThePageAroundAProofIsPartOfIt) {
  prove({}, "proof.html");
  EXPECT_EQ(weft({"verify", weft.path("proof.html")}).exit, 0);
  std::string page = written("proof.html");
  const std::size_t verdict = page.find("Does not hold");
  ASSERT_NE(verdict, std::string::npos);
  page.replace(verdict, 13, "It does hold!");
  weft.write("changed.html", page);
  const Ran ran = weft({"verify", weft.path("changed.html")});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.out, HasSubstr("the page around it was changed"));
}

TEST_F(Prove, AFileOfThoughtsIsVerifiedWithoutAStore) {
  ASSERT_EQ(weft({"export", kOne, "--as", "thoughts", "--out", weft.path("all.jsonl")}).exit, 0);
  Weft stranger;
  EXPECT_EQ(stranger({"verify", weft.path("all.jsonl")}).exit, 0);
  EXPECT_FALSE(fs::exists(stranger.path("weft"))) << "nothing is created";
  std::string text = read_file(weft.path("all.jsonl")).value();
  const std::size_t at = text.find("loom shuttle");
  ASSERT_NE(at, std::string::npos);
  text[at] = 'r';
  weft.write("changed.jsonl", text);
  const Ran ran = stranger({"verify", weft.path("changed.jsonl")});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_THAT(ran.out, HasSubstr("bad"));
  std::string shorter = read_file(weft.path("all.jsonl")).value();
  shorter.erase(0, shorter.find('\n') + 1);
  weft.write("shorter.jsonl", shorter);
  EXPECT_EQ(stranger({"verify", weft.path("shorter.jsonl")}).exit, 1) << "a thought is missing";
  weft.write("empty.jsonl", "");
  EXPECT_EQ(stranger({"verify", weft.path("empty.jsonl")}).exit, 1);
}

TEST_F(Prove, AFileThatIsThereIsKept) {
  prove({});
  const Ran ran = weft({"prove", answer, "--out", weft.path("proof.json")});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(weft({"prove", answer, "--out", weft.path("proof.txt")}).exit, 2);
}

}  // namespace
}  // namespace weft::test
