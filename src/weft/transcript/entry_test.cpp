#include "weft/transcript/entry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace weft::transcript {
namespace {

// FNV-1a, spread over 32 bytes: enough to distinguish places.
Digest test_hash(std::string_view text) {
  Digest digest{};
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    digest[i] = static_cast<std::uint8_t>(hash >> 56);
  }
  return digest;
}

// 2026-02-01T09:15:30Z
constexpr Millis kStart = 1769937330000;

// A conversation emitted block by block; each block has a place of its own.
class Story {
 public:
  Story& turn(Role role) {
    const std::string id = "#" + std::to_string(conversation_.turns.size());
    conversation_.turns.push_back({.head = {.role = role, .source_id = id}});
    return *this;
  }
  Story& add(Author author, Body body, std::optional<Millis> start = std::nullopt,
             Millis length = 0) {
    Turn& turn = conversation_.turns.back();
    Block block{.author = author,
                .body = std::move(body),
                .source_id = turn.head.source_id,
                .index = static_cast<std::uint32_t>(turn.blocks.size())};
    if (start) {
      block.start = start;
      block.stop = *start + length;
    }
    turn.blocks.push_back(std::move(block));
    return *this;
  }
  Story& source(std::string source) {
    conversation_.heading.source = std::move(source);
    return *this;
  }
  std::vector<TranscriptEntry> entries() const { return entries_of(conversation_, test_hash); }

 private:
  Conversation conversation_;
};

Story review() {
  Story story;
  story.turn(Role::system)
      .add(Author::program, Text{.text = "You review code."}, kStart)
      .turn(Role::human)
      .add(Author::human, Text{.text = "Review main."}, kStart + 2000)
      .turn(Role::assistant)
      .add(Author::model, Thinking{.text = "a secret thought"}, kStart + 3000, 1500)
      .add(Author::model, RedactedThinking{.data = "sealed"})
      .add(Author::model, Text{.text = "First I read it."}, kStart + 5000, 700)
      .add(Author::model,
           ToolCall{.id = "t1", .name = "Read", .input = json::object{{"path", "main"}}},
           kStart + 6000)
      .add(Author::tool, ToolResult{.call_id = "t1", .text = "int main", .is_error = true});
  return story;
}

TEST(Entries, AreOneForEachMessageAndToolEvent) {
  const std::vector<TranscriptEntry> entries = review().entries();
  ASSERT_EQ(entries.size(), 5u);
  EXPECT_EQ(entries[0].role, EntryRole::system);
  EXPECT_EQ(entries[1].role, EntryRole::user);
  EXPECT_EQ(entries[2].role, EntryRole::assistant);
  EXPECT_EQ(entries[2].content, "First I read it.");
  EXPECT_EQ(entries[3].role, EntryRole::assistant);
  EXPECT_EQ(entries[3].tool_name, "Read");
  EXPECT_EQ(entries[3].tool_call_id, "t1");
  EXPECT_EQ(entries[3].tool_input, json::value(json::object{{"path", "main"}}));
  EXPECT_EQ(entries[4].role, EntryRole::tool);
  EXPECT_EQ(entries[4].content, "int main");
}

TEST(Entries, NameTheToolOfAResultAfterItsCall) {
  const std::vector<TranscriptEntry> entries = review().entries();
  EXPECT_EQ(entries[4].tool_name, "Read");
  EXPECT_EQ(entries[4].metadata.at("is_error"), true);
}

TEST(Entries, SayThatThinkingHappenedAndForHowLongButNotWhatItWas) {
  const std::vector<TranscriptEntry> entries = review().entries();
  EXPECT_EQ(entries[2].metadata.at("thinking"),
            json::value(json::object{{"blocks", 2u}, {"duration_ms", 1500}}));
  for (const TranscriptEntry& entry : entries) {
    const std::string whole = canonical_json(to_json(entry));
    EXPECT_EQ(whole.find("secret"), std::string::npos);
    EXPECT_EQ(whole.find("sealed"), std::string::npos);
  }
}

TEST(Entries, ShowThinkingThatNothingFollowsAsAnEntryWithoutContent) {
  const auto entries =
      Story().turn(Role::assistant).add(Author::model, Thinking{}, 0, 10).entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].content, "");
  EXPECT_EQ(entries[0].metadata,
            (json::object{{"thinking", json::object{{"blocks", 1u}, {"duration_ms", 10}}}}));
}

TEST(Entries, JoinTheTextsOfOneMessage) {
  const auto entries = Story()
                           .turn(Role::human)
                           .add(Author::human, Text{.text = "Look:"})
                           .add(Author::human, Attachment{.kind = "image", .name = "a.png"})
                           .add(Author::program, Text{.text = "reminder"})
                           .entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].content, "Look:\n[image: a.png]");
  EXPECT_EQ(entries[1].role, EntryRole::system);
}

TEST(Entries, ShowOnlyTheTypeOfAnUnknownBlock) {
  const auto entries = Story()
                           .turn(Role::assistant)
                           .add(Author::model, Unknown{.block_type = "novel", .raw = "hidden"})
                           .entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].content, "");
  EXPECT_EQ(entries[0].metadata, (json::object{{"kind", "unknown"}, {"block_type", "novel"}}));
}

TEST(Entries, AreCountedFromZeroWithoutGaps) {
  const std::vector<TranscriptEntry> entries = review().entries();
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(entries[i].sequence, i);
}

TEST(Entries, WithoutATimeHaveTheOneBefore) {
  const std::vector<TranscriptEntry> entries = review().entries();
  EXPECT_EQ(entries[4].created_at, entries[3].created_at);
}

TEST(Entries, HaveAnIdFromTheirPlaceThatIsAUuidOfVersion8) {
  std::set<std::string> ids;
  for (const TranscriptEntry& entry : review().entries()) {
    ids.insert(entry.entry_id);
    ASSERT_EQ(entry.entry_id.size(), 36u);
    for (const std::size_t at : {8u, 13u, 18u, 23u}) EXPECT_EQ(entry.entry_id[at], '-');
    EXPECT_EQ(entry.entry_id[14], '8');
    EXPECT_NE(std::string_view("89ab").find(entry.entry_id[19]), std::string_view::npos);
  }
  EXPECT_EQ(ids.size(), 5u);
  EXPECT_EQ(review().entries(), review().entries());
  EXPECT_FALSE(ids.contains(review().source("subagent:x").entries()[0].entry_id));
}

TEST(Entries, AreWrittenAsJsonWithoutWhatTheyLack) {
  const std::vector<TranscriptEntry> entries = review().entries();
  EXPECT_EQ(to_json(entries[1]), (json::object{{"role", "user"},
                                               {"content", "Review main."},
                                               {"created_at", "2026-02-01T09:15:32.000Z"},
                                               {"metadata", json::object{{"duration_ms", 0}}},
                                               {"entry_id", entries[1].entry_id},
                                               {"source", "primary"},
                                               {"sequence", 1}}));
}

TEST(Entries, ReadLikeALogForPeople) {
  EXPECT_EQ(to_text(review().entries()),
            "[09:15:30] ⚙️ SYSTEM\nYou review code.\n\n"
            "[09:15:32] 👤 USER\nReview main.\n\n"
            "[09:15:35] 🤖 ASSISTANT\nFirst I read it.\n\n"
            "[09:15:36] 🔧 Read\n{\n  \"path\": \"main\"\n}\n\n"
            "[09:15:36] 🔧 Read\nint main\n");
}

TEST(Entries, OfASubagentSaySo) {
  const auto entries = Story()
                           .source("subagent:abc123")
                           .turn(Role::assistant)
                           .add(Author::model, Text{.text = "Looking."}, kStart)
                           .entries();
  EXPECT_EQ(to_text(entries), "[subagent:abc123] [09:15:30] 🤖 ASSISTANT\nLooking.\n");
}

}  // namespace
}  // namespace weft::transcript
