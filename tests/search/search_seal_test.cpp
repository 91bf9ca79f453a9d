// Searching respects the seal: without the key nothing is found, the answer says so, and the index
// reveals nothing either.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace fs = std::filesystem;

std::vector<Planted> all_planted() {
  std::vector<Planted> all(kClear.begin(), kClear.end());
  all.insert(all.end(), {kThinking, kThinkingSummary});
  return all;
}

// Whether it is found; if not, the answer must note that something was left out.
bool finds(const Weft& weft, const Planted& planted, std::vector<std::string> options) {
  options.insert(options.begin(), planted.word);
  const json::object answer = search(weft, std::move(options));
  if (number(answer, "total") > 0) {
    const json::object best = list(answer, "results").at(0).as_object();
    EXPECT_EQ(text(best, "type"), "anthropic/" + planted.kind);
    EXPECT_THAT(text(best, "snippet"), HasSubstr(planted.word));
    return true;
  }
  EXPECT_EQ(find_bool(answer, "sealed_not_searched"), true) << canonical_json(answer);
  EXPECT_THAT(list(answer, "notes"), Not(IsEmpty()));
  return false;
}

TEST(SearchSeal, FindsAsMuchAsTheKeysOpen) {
  const Looms looms;
  const std::vector<std::string> metadata = {"--keys", looms.exported_keys("metadata")};
  const std::vector<std::string> content = {"--keys", looms.exported_keys("content")};
  for (const Planted& planted : kClear) {
    EXPECT_TRUE(finds(looms, planted, metadata)) << planted.word;
    EXPECT_TRUE(finds(looms, planted, content)) << planted.word;
  }
  EXPECT_TRUE(finds(looms, kThinkingSummary, metadata));
  EXPECT_FALSE(finds(looms, kThinking, metadata));
  EXPECT_TRUE(finds(looms, kThinkingSummary, content));
  EXPECT_TRUE(finds(looms, kThinking, content));
  const Ran result = looms({"search", "weaver", metadata[0], metadata[1]});
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_THAT(result.err, HasSubstr("keys export --layer content"));

  fs::rename(looms.home() / "keyring.json", looms.scratch() / "away.json");
  for (const Planted& planted : kClear) EXPECT_TRUE(finds(looms, planted, {})) << planted.word;
  EXPECT_FALSE(finds(looms, kThinkingSummary, {}));
  EXPECT_FALSE(finds(looms, kThinking, {}));
  EXPECT_THAT(looms({"search", "weaver"}).err, HasSubstr("there is no keyring"));
}

TEST(SearchSeal, AnotherKeyringFindsNoMoreThanNoneAndMakesNoIndex) {
  const Looms looms;
  const Weft stranger;
  ASSERT_EQ(stranger({"init"}).exit, 0);
  const std::string keys = (stranger.home() / "keyring.json").string();
  EXPECT_TRUE(finds(looms, kClear[0], {"--keys", keys}));
  EXPECT_EQ(total(looms, {kThinking.word, "--keys", keys}), 0);
  EXPECT_EQ(total(looms, {kThinkingSummary.word, "--keys", keys}), 0);
  const Ran refused = looms({"reindex", "--keys", keys});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_THAT(refused.err, HasSubstr("sealed with other keys"));
  EXPECT_TRUE(finds(looms, kThinking, {}));
}

TEST(SearchSeal, NoFileHoldsASealedWord) {
  const Looms looms;
  // What is in the clear shows, so that we know that we would see it.
  EXPECT_TRUE(files_hold(looms.home(), "Corvanthel"));
  EXPECT_FALSE(files_hold(looms.home(), kThinking.word));
  EXPECT_FALSE(files_hold(looms.home(), kThinkingSummary.word));
  ASSERT_EQ(looms({"reindex"}).exit, 0);
  EXPECT_TRUE(files_hold(looms.home(), "Corvanthel"));
  EXPECT_FALSE(files_hold(looms.home(), kThinking.word));
  EXPECT_FALSE(files_hold(looms.home(), kThinkingSummary.word));
}

TEST(SearchSeal, ModeAllSealsEveryWordAndFindsItWithTheKeys) {
  const Looms looms({"init", "--seal", "all"});
  const std::vector<std::string> content = {"--keys", looms.exported_keys("content")};
  const std::vector<std::string> metadata = {"--keys", looms.exported_keys("metadata")};
  for (const Planted& planted : all_planted()) {
    EXPECT_FALSE(files_hold(looms.home(), planted.word)) << planted.word;
    EXPECT_TRUE(finds(looms, planted, {})) << planted.word;
    EXPECT_TRUE(finds(looms, planted, content)) << planted.word;
    EXPECT_EQ(finds(looms, planted, metadata), planted.kind == "thinking_summary") << planted.word;
  }
  EXPECT_EQ(total(looms, {"weaver", "--project", "looms"}), 3);
  EXPECT_EQ(total(looms, {"find", "tool:bash"}), 1);
  fs::rename(looms.home() / "keyring.json", looms.scratch() / "away.json");
  for (const Planted& planted : all_planted()) EXPECT_FALSE(finds(looms, planted, {}));
  const json::object answer = search(looms, {"weaver", "--project", "looms"});
  EXPECT_EQ(number(answer, "total"), 0);
  EXPECT_THAT(canonical_json(answer), HasSubstr("does not open the name of their project"));
}

TEST(SearchSeal, SaysWhatDoesNotReachSealedText) {
  const Looms looms;
  EXPECT_EQ(total(looms, {"fenwhar*"}), 0);
  const json::object answer = search(looms, {"fenwhar*", "brindle*"});
  EXPECT_EQ(number(answer, "total"), 1);
  EXPECT_EQ(find_bool(answer, "sealed_not_searched"), true);
  EXPECT_THAT(canonical_json(answer), HasSubstr("end in *"));
  EXPECT_EQ(total(looms, {"\"fenwharrow knows the weaver\""}), 1);
  EXPECT_EQ(total(looms, {"\"fenwharrow the knows weaver\""}), 0);
}

TEST(SearchSeal, ForgetTakesWordsOutOfResultsAndOutOfTheFiles) {
  const Looms looms;
  ASSERT_EQ(looms({"forget", kLoomsSession, "--yes"}).exit, 0);
  for (const Planted& planted : all_planted()) {
    const bool is_forgotten = planted.word != "Lumbraxine" && planted.word != kThinkingSummary.word;
    EXPECT_EQ(total(looms, {planted.word}), is_forgotten ? 0 : 1) << planted.word;
    const bool is_sealed = planted.word == kThinkingSummary.word;
    EXPECT_EQ(files_hold(looms.home(), planted.word), !is_forgotten && !is_sealed) << planted.word;
  }
  EXPECT_EQ(total(looms, {"weaver"}), 2);
  ASSERT_EQ(looms({"reindex"}).exit, 0);
  EXPECT_EQ(total(looms, {"weaver"}), 2);
}

TEST(SearchSeal, SealedTextCanBeLeftOut) {
  const Looms looms({"init"}, R"({"index_sealed": false})");
  EXPECT_TRUE(finds(looms, kClear[0], {}));
  EXPECT_EQ(total(looms, {kThinking.word}), 0);
  EXPECT_EQ(total(looms, {kThinkingSummary.word}), 0);
  // No key is needed where nothing is opened.
  ASSERT_EQ(looms({"reindex", "--keys", looms.exported_keys("metadata")}).exit, 0);
  EXPECT_EQ(total(looms, {kThinkingSummary.word}), 0);
  Looms::write_to(looms.home() / "config.json", "{}");
  ASSERT_EQ(looms({"reindex"}).exit, 0);
  EXPECT_TRUE(finds(looms, kThinking, {}));
  EXPECT_TRUE(finds(looms, kThinkingSummary, {}));
  Looms::write_to(looms.home() / "config.json", R"({"index_sealed": "no"})");
  const Ran wrong = looms({"reindex"});
  EXPECT_EQ(wrong.exit, 3) << wrong;
  EXPECT_THAT(wrong.err, HasSubstr("\"index_sealed\" is neither true nor false"));
}

TEST(SearchSeal, ReindexGivesTheSameAnswers) {
  const Looms looms;
  const std::vector<std::vector<std::string>> questions = {{"weaver"},
                                                           {"attic", "in"},
                                                           {"fenwharrow", "gramsquill"},
                                                           {"\"the weaver\""},
                                                           {"type:summary"}};
  std::vector<std::string> before, after;
  for (const auto& question : questions) before.push_back(canonical_json(search(looms, question)));
  const json::object made = looms.json({"reindex"});
  EXPECT_THAT(keys(made), testing::ElementsAre("indexed", "reread", "elapsed_ms"));
  EXPECT_GT(number(made, "indexed"), 20);
  for (const auto& question : questions) after.push_back(canonical_json(search(looms, question)));
  EXPECT_EQ(before, after);
}

TEST(SearchSeal, ReindexWantsAKeyringThatOpensEverything) {
  const Looms looms;
  const Ran refused = looms({"reindex", "--keys", looms.exported_keys("metadata"), "--json"});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_EQ(text(refused.object().at("error").as_object(), "code"), "denied");
  EXPECT_TRUE(finds(looms, kThinking, {}));
  EXPECT_EQ(looms({"reindex", "--keys", looms.exported_keys("content")}).exit, 0);
  EXPECT_TRUE(finds(looms, kThinking, {}));
  fs::rename(looms.home() / "keyring.json", looms.scratch() / "away.json");
  const Ran without = looms({"reindex"});
  EXPECT_EQ(without.exit, 3) << without;
  EXPECT_THAT(without.err, HasSubstr("--keys FILE"));
}

TEST(SearchSeal, WhatIsImportedIsFoundThere) {
  const Looms looms;
  const std::string file = looms.path("web.jsonl");
  ASSERT_EQ(looms({"export", kLoomsSession, "--as", "thoughts", "--out", file}).exit, 0);
  const Weft other;
  ASSERT_EQ(other({"init"}).exit, 0);
  ASSERT_EQ(other({"import", file}).exit, 0);
  EXPECT_TRUE(finds(other, kClear[0], {}));
  EXPECT_EQ(total(other, {kThinking.word}), 0);
  // With the keys of the other home it is opened and indexed like one's own.
  const std::string keys = looms.exported_keys("content");
  const Weft third;
  ASSERT_EQ(third({"import", file, "--keys", keys}).exit, 0);
  EXPECT_TRUE(finds(third, kThinking, {"--keys", keys}));
  EXPECT_FALSE(files_hold(third.home(), kThinking.word));
}

}  // namespace
}  // namespace weft::test
