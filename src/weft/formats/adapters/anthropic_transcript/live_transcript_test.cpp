// What is told live is what the file says.
#include "weft/formats/adapters/anthropic_transcript/live_transcript.hpp"

#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Collector;
using transcript::Conversation;
using transcript::Role;

json::object text(std::string_view words) { return {{"type", "text"}, {"text", words}}; }
json::object result(std::string_view id) {
  return {{"type", "tool_result"}, {"tool_use_id", id}, {"content", "r"}};
}

class LiveTranscriptTest : public testing::Test {
 protected:
  // Saved and restored before each block, as a restart would have it.
  void tell(const json::object& block, std::optional<Role> role) {
    LiveTranscript restored("s", "claude-x");
    ASSERT_TRUE(restored.restore(live_.save()));
    live_ = std::move(restored);
    ASSERT_TRUE(live_.tell(block, role, now_++, told_));
  }
  Conversation told() const {
    EXPECT_EQ(told_.conversations.size(), 1u);
    return told_.conversations.empty() ? Conversation() : told_.conversations[0];
  }

  LiveTranscript live_{"s", "claude-x"};
  Collector told_;
  Millis now_ = 1'000;
};

TEST_F(LiveTranscriptTest, BlocksOfOneRoleAreOneSection) {
  tell(text("a"), Role::human);
  tell(text("b"), Role::human);
  tell(text("c"), Role::assistant);
  tell(text("d"), Role::human);
  const Conversation conversation = told();
  EXPECT_EQ(outline(conversation), "human #0: a b | assistant #1: c | human #2: d");
  EXPECT_EQ(conversation.turns[0].blocks[1].index, 1u);
  EXPECT_EQ(conversation.heading, LiveTranscript::heading("s"));
}

TEST_F(LiveTranscriptTest, ReadsBackFromWhatIsWrittenOfIt) {
  tell(text("rules"), Role::system);
  tell(text("list"), Role::human);
  tell({{"type", "thinking"}, {"thinking", "hm"}, {"summaries", json::array{"s"}}}, {});
  tell({{"type", "tool_use"}, {"id", "t1"}, {"name", "ls"}, {"input", json::object()}}, {});
  tell(result("t1"), Role::human);
  tell(text("one"), {});
  const Adapter& adapter = *find_adapter("anthropic-transcript");
  const Collector read = read_with(adapter.name, adapter.write(told()).value().text);
  ASSERT_EQ(read.conversations.size(), 1u);
  EXPECT_EQ(read.conversations[0], told());
}

TEST_F(LiveTranscriptTest, AResultWithoutARoleStaysInTheSectionThatIsOpen) {
  tell(result("t0"), {});
  tell(text("a"), Role::human);
  tell(result("t1"), {});
  tell(text("b"), {});
  EXPECT_EQ(outline(told()), "assistant #0: result | human #1: a | assistant #1.1: result b");
}

TEST_F(LiveTranscriptTest, WhatIsOfNoKnownTypeStaysWithThePersonsWordsBeforeIt) {
  const json::object note{{"type", "voice_note"}, {"pitch", 3}};
  tell(text("listen"), Role::human);
  tell(note, Role::human);
  tell(text("a heron"), {});
  tell(note, {});
  EXPECT_EQ(outline(told()), "human #0: listen *unknown | assistant #1: a heron unknown");
}

TEST_F(LiveTranscriptTest, StampsOnlyWhatHasNoTimes) {
  tell(text("a"), Role::human);
  json::object timed = text("b");
  timed["start_timestamp"] = "2026-02-01T00:00:00Z";
  tell(timed, Role::human);
  json::object ended = text("c");
  ended["stop_timestamp"] = "2026-02-01T00:00:01Z";
  tell(ended, Role::human);
  const std::vector<transcript::Block> blocks = told().turns[0].blocks;
  EXPECT_EQ(blocks[0].start, 1'000);
  EXPECT_EQ(blocks[0].stop, std::nullopt);
  EXPECT_EQ(blocks[1].start, 1'769'904'000'000);
  EXPECT_EQ(blocks[2].start, std::nullopt);
}

TEST_F(LiveTranscriptTest, TellsNothingOfWhatItRefuses) {
  const std::string before = canonical_json(live_.save());
  EXPECT_EQ(live_.tell({}, Role::human, 1, told_).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(live_.tell({{"type", "text"}}, Role::human, 1, told_).error().code,
            ErrorCode::invalid_input);
  EXPECT_TRUE(told_.conversations.empty());
  EXPECT_EQ(canonical_json(live_.save()), before);
}

TEST_F(LiveTranscriptTest, AStateThatIsNoneIsRefused) {
  json::object state = live_.save();
  state["live"] = json::object{{"role", "nobody"}, {"next", 1}};
  EXPECT_FALSE(live_.restore(state));
  state["live"] = json::object{{"role", "human"}, {"next", -1}};
  EXPECT_FALSE(live_.restore(state));
  state["live"] = json::object{{"role", "human"}, {"next", 1}};
  EXPECT_FALSE(live_.restore(state)) << "no section was told yet";
}

}  // namespace
}  // namespace weft::formats
