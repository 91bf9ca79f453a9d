// What is told live is what the file says.
#include "weft/formats/adapters/anthropic_transcript/live_transcript.hpp"

#include <gtest/gtest.h>

#include "weft/base/state_archive.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Role;

json::object text(std::string_view words) { return {{"type", "text"}, {"text", words}}; }
json::object result(std::string_view id) {
  return {{"type", "tool_result"}, {"tool_use_id", id}, {"content", "r"}};
}

class LiveTranscriptTest : public testing::Test {
 protected:
  // Saved and restored before each block, as a restart would have it.
  void emit(const json::object& block, std::optional<Role> role) {
    LiveTranscript restored("s", "claude-x");
    ASSERT_TRUE(restore_object(save_object(live_), restored));
    live_ = std::move(restored);
    ASSERT_TRUE(live_.emit(block, role, now_++, emitted_));
  }
  Conversation emitted() const {
    EXPECT_EQ(emitted_.conversations.size(), 1u);
    return emitted_.conversations.empty() ? Conversation() : emitted_.conversations[0];
  }

  LiveTranscript live_{"s", "claude-x"};
  Collector emitted_;
  Millis now_ = 1'000;
};

TEST_F(LiveTranscriptTest, BlocksOfOneRoleAreOneSection) {
  emit(text("a"), Role::human);
  emit(text("b"), Role::human);
  emit(text("c"), Role::assistant);
  emit(text("d"), Role::human);
  const Conversation conversation = emitted();
  EXPECT_EQ(outline(conversation), "human #0: a b | assistant #1: c | human #2: d");
  EXPECT_EQ(conversation.turns[0].blocks[1].index, 1u);
  EXPECT_EQ(conversation.heading, LiveTranscript::heading("s"));
}

TEST_F(LiveTranscriptTest, ReadsBackFromWhatIsWrittenOfIt) {
  emit(text("rules"), Role::system);
  emit(text("list"), Role::human);
  emit({{"type", "thinking"}, {"thinking", "hm"}, {"summaries", json::array{"s"}}}, {});
  emit({{"type", "tool_use"}, {"id", "t1"}, {"name", "ls"}, {"input", json::object()}}, {});
  emit(result("t1"), Role::human);
  emit(text("one"), {});
  const Adapter& adapter = *find_adapter("anthropic-transcript");
  const Collector read = read_with(adapter.name, adapter.write(emitted()).value().text);
  ASSERT_EQ(read.conversations.size(), 1u);
  EXPECT_EQ(read.conversations[0], emitted());
}

TEST_F(LiveTranscriptTest, AResultWithoutARoleStaysInTheSectionThatIsOpen) {
  emit(result("t0"), {});
  emit(text("a"), Role::human);
  emit(result("t1"), {});
  emit(text("b"), {});
  EXPECT_EQ(outline(emitted()), "assistant #0: result | human #1: a | assistant #1.1: result b");
}

TEST_F(LiveTranscriptTest, WhatIsOfNoKnownTypeStaysWithThePersonsWordsBeforeIt) {
  const json::object note{{"type", "voice_note"}, {"pitch", 3}};
  emit(text("listen"), Role::human);
  emit(note, Role::human);
  emit(text("a heron"), {});
  emit(note, {});
  EXPECT_EQ(outline(emitted()), "human #0: listen *unknown | assistant #1: a heron unknown");
}

TEST_F(LiveTranscriptTest, StampsOnlyWhatHasNoTimes) {
  emit(text("a"), Role::human);
  json::object timed = text("b");
  timed["start_timestamp"] = "2026-02-01T00:00:00Z";
  emit(timed, Role::human);
  json::object ended = text("c");
  ended["stop_timestamp"] = "2026-02-01T00:00:01Z";
  emit(ended, Role::human);
  const std::vector<transcript::Block> blocks = emitted().turns[0].blocks;
  EXPECT_EQ(blocks[0].start, 1'000);
  EXPECT_EQ(blocks[0].stop, std::nullopt);
  EXPECT_EQ(blocks[1].start, 1'769'904'000'000);
  EXPECT_EQ(blocks[2].start, std::nullopt);
}

TEST_F(LiveTranscriptTest, TellsNothingOfWhatItRefuses) {
  const std::string before = canonical_json(save_object(live_));
  EXPECT_EQ(live_.emit({}, Role::human, 1, emitted_).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(live_.emit({{"type", "text"}}, Role::human, 1, emitted_).error().code,
            ErrorCode::invalid_input);
  EXPECT_TRUE(emitted_.conversations.empty());
  EXPECT_EQ(canonical_json(save_object(live_)), before);
}

TEST_F(LiveTranscriptTest, AStateThatIsNoneIsRefused) {
  json::object state = save_object(live_);
  state["live"] = json::object{{"role", "nobody"}, {"next", 1}};
  EXPECT_FALSE(restore_object(state, live_));
  state["live"] = json::object{{"role", "human"}, {"next", -1}};
  EXPECT_FALSE(restore_object(state, live_));
  state["live"] = json::object{{"role", "human"}, {"next", 1}};
  EXPECT_FALSE(restore_object(state, live_)) << "no section was emitted yet";
}

}  // namespace
}  // namespace weft::formats
