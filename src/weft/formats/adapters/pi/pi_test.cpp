// Records of pi that are broken, unknown or told twice; how its files are known, and where they
// lie.
#include <gtest/gtest.h>

#include "weft/formats/adapters/pi/pi_for_test.hpp"

namespace weft::formats {
namespace {

using pi::answer;
using pi::body_of;
using pi::by_model;
using pi::entry;
using pi::kHeader;
using pi::message;
using pi::read;
using pi::read_one;
using pi::user;

const Adapter& adapter() { return *find_adapter("pi"); }

TEST(Pi, EveryRecordThatIsNotMappedHasAReason) {
  const Collector collector = read(
      kHeader + entry("model_change", "m", "", "") + entry("thinking_level_change", "t", "", "") +
      entry("custom", "c", "", "") + entry("label", "l", "", "") +
      entry("mode_change", "o", "", "") + entry("credential_pin", "p", "", R"("hash":"h")") +
      user("u", "", "a") + user("u", "", "a") + kHeader +
      message("e", "", R"("role":"assistant","content":[])") + "{\n" + "7\n" +
      R"({"type":"session","id":"s2"})"
      "\n");
  EXPECT_EQ(reasons_of(collector.skipped),
            (std::map<std::string, int>{{"internal", 5},
                                        {"label", 1},
                                        {"duplicate", 2},
                                        {"empty", 1},
                                        {"malformed: a second header", 1},
                                        {"malformed: not an object", 1},
                                        {"malformed: the text ends too early", 1}}));
}

TEST(Pi, AnIdGivenTwiceIsAPlaceOnlyOnce) {
  const std::vector<Block> blocks =
      blocks_of(read_one(kHeader + answer("a", "", "b") + answer("a", "", "c")));
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].source_id, "a");
  EXPECT_EQ(blocks[1].source_id, "#3");
}

TEST(Pi, AnEntryOfUnknownTypeIsKeptWithoutWhatNamesItsPlace) {
  const auto unknown = body_of<transcript::Unknown>(
      kHeader + entry("weather", "w", "p", R"("timestamp":"2026-01-01T00:00:00Z","sky":"grey")"));
  EXPECT_EQ(unknown.block_type, "weather");
  EXPECT_EQ(canonical_json(unknown.raw), R"({"sky":"grey","type":"weather"})");
}

TEST(Pi, BlocksAndRolesThatAreUnknownAreKeptWhole) {
  EXPECT_EQ(
      canonical_json(body_of<transcript::Unknown>(by_model(R"({"type":"hologram","n":1})")).raw),
      R"({"n":1,"type":"hologram"})");
  EXPECT_EQ(
      canonical_json(
          body_of<transcript::Unknown>(kHeader + message("x", "", R"("role":"oracle","n":1)")).raw),
      R"({"n":1,"role":"oracle"})");
}

TEST(Pi, WhatNoValueCanHoldIsKeptAsText) {
  const std::string line = message("a", "", R"("role":"toolResult","details":{"n":1e999})");
  EXPECT_EQ(body_of<transcript::Unknown>(kHeader + line).raw_text, line.substr(0, line.size() - 1));
}

TEST(Pi, AnEntryGluedToATornLineIsTaken) {
  const Collector collector = read(kHeader + R"({"type":"message","id":"x","mess)" +
                                   user("u", "", "still here") + answer("a", "u", "b"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human u: still here | assistant a: b");
  EXPECT_EQ(collector.skipped.size(), 1u);
}

TEST(Pi, ABlockWithinATornLineIsNoEntry) {
  const Collector collector =
      read(kHeader + R"({"type":"message","message":{"content":[{"type":"text","text":"a"})"
                     "\n");
  EXPECT_TRUE(collector.conversations.at(0).turns.empty());
  EXPECT_EQ(collector.skipped.size(), 1u);
}

TEST(Pi, KnowsItsHeaderHoweverLittleIsInIt) {
  const auto sure = [](std::string_view head) { return adapter().recognises(head); };
  EXPECT_EQ(sure(kHeader), Confidence::yes);
  EXPECT_EQ(sure(R"({"type":"session","id":"s","version":3})"), Confidence::yes);
  EXPECT_EQ(sure(R"({"type":"title","v":1,"title":""})"
                 "\n" +
                 kHeader),
            Confidence::yes);
  EXPECT_EQ(sure("{\"torn\n" + kHeader), Confidence::yes);
  EXPECT_EQ(sure(R"({"type":"session","id":"s"})"), Confidence::no);
  EXPECT_EQ(sure(R"({"type":"session","version":3})"), Confidence::no);
  EXPECT_EQ(sure(R"({"type":"user","uuid":"s","sessionId":"t"})"
                 "\n" +
                 kHeader),
            Confidence::no);
  EXPECT_EQ(sure(""), Confidence::no);
}

TEST(Pi, DoesNotTakeTheLookAlikeForItsOwn) {
  EXPECT_EQ(
      adapter().recognises(
          R"({"type":"session","version":0,"id":"e","createdAt":1,"cwd":"/p","delegationDepth":0})"),
      Confidence::no);
}

TEST(Pi, SaysWhereItsSessionsLie) {
  const auto folders = [](std::map<std::string, std::string, std::less<>> variables) {
    return adapter().folders([&](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  };
  using Folders = std::vector<std::string>;
  EXPECT_EQ(folders({{"HOME", "/h"}}),
            (Folders{"/h/.pi/agent/sessions", "/h/.omp/agent/sessions"}));
  EXPECT_EQ(folders({{"PI_CODING_AGENT_DIR", "/a"}}), (Folders{"/a/sessions"}));
  EXPECT_EQ(folders({{"PI_CODING_AGENT_DIR", "/a"}, {"PI_CODING_AGENT_SESSION_DIR", "/b"}}),
            (Folders{"/b"}));
  EXPECT_EQ(folders({}), Folders());
}

TEST(Pi, TheProjectIsTheLastOfTheFolderThatItRanIn) {
  EXPECT_EQ(adapter().project("/s/--home-me-x--/1.jsonl", kHeader), "p");
  EXPECT_EQ(adapter().project("/s/--home-me-x--/1.jsonl", ""), "home-me-x");
  EXPECT_EQ(adapter().project("1.jsonl", ""), "");
}

TEST(Pi, LeavesCopiesAlone) {
  EXPECT_EQ(adapter().ignore_reason("/s/a.jsonl"), std::nullopt);
  EXPECT_EQ(adapter().ignore_reason("/s/a.jsonl.bak"), "backup");
  EXPECT_EQ(adapter().ignore_reason("/s/a.jsonl.lock"), "sidecar");
  EXPECT_EQ(adapter().ignore_reason("/s/a.checkpoint.1.jsonl"), "checkpoint");
}

}  // namespace
}  // namespace weft::formats
