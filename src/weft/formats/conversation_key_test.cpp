#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

ConversationKey conversation_key(std::string_view format, std::string_view request) {
  return find_adapter(format)->conversation_key(request);
}
std::string answer_name(std::string_view format, std::string_view response) {
  return find_adapter(format)->answer_name(response);
}

std::string anthropic(std::string_view messages, std::string_view user_id = "") {
  std::string body = R"({"model":"m","messages":[)" + std::string(messages) + "]";
  if (!user_id.empty()) body += R"(,"metadata":{"user_id":)" + std::string(user_id) + "}";
  return body + "}";
}
std::string key(std::string_view request) {
  return conversation_key("anthropic-messages", request).key;
}

constexpr std::string_view kHi = R"({"role":"user","content":"Hi."})";
constexpr std::string_view kHiInParts =
    R"({"role":"user","content":[{"type":"text","text":"Hi.","cache_control":{"type":"ephemeral"}}]})";
constexpr std::string_view kHello = R"({"role":"assistant","content":"Hello."})";

TEST(ConversationKey, ARequestIsKinToThoseThatRestateIt) {
  const std::string longer = std::string(kHiInParts) + "," + std::string(kHello) + "," +
                             R"({"role":"user","content":"Why?"})";
  EXPECT_EQ(key(anthropic(kHi)), key(anthropic(longer)));
  EXPECT_NE(key(anthropic(kHi)), key(anthropic(kHello)));
}

TEST(ConversationKey, SessionsThatBeginAlikeAreApart) {
  const std::string one = R"("user_a_account_b_session_1")",
                    two = R"("user_a_account_b_session_2")";
  EXPECT_NE(key(anthropic(kHi, one)), key(anthropic(kHi, two)));
  EXPECT_EQ(key(anthropic(kHi, one)), key(anthropic(kHiInParts, one)));
  EXPECT_NE(key(anthropic(kHi, R"("{\"session_id\":\"1\"}")")),
            key(anthropic(kHi, R"("{\"session_id\":\"2\"}")")));
  // The reader of logs says the same.
  const auto read =
      read_with("anthropic-messages", anthropic(kHi, one) + "\n" + anthropic(kHi, two) + "\n");
  EXPECT_EQ(read.conversations.size(), 2u);
}

TEST(ConversationKey, WhatAProgramPutsBeforeTheFirstWordsIsNoBeginning) {
  const auto asked = [](std::string_view words) {
    return anthropic(
        R"({"role":"user","content":[{"type":"text","text":"<system-reminder>It is Monday.)"
        R"(</system-reminder>"},{"type":"text","text":")" +
        std::string(words) + R"("}]})");
  };
  EXPECT_NE(key(asked("One?")), key(asked("Two?")));
  EXPECT_EQ(key(asked("One?")), key(asked("One?")));
  // The reader of logs says the same, and tells nothing twice.
  const auto read = read_with("anthropic-messages",
                              asked("One?") + "\n" + asked("Two?") + "\n" + asked("One?") + "\n");
  EXPECT_EQ(read.conversations.size(), 2u);
  EXPECT_EQ(reasons_of(read.skipped), (std::map<std::string, int>{{"duplicate", 1}}));
}

TEST(ConversationKey, WhatCannotBeReadIsKinToItself) {
  EXPECT_EQ(key("{"), key("[]"));
  EXPECT_EQ(conversation_key("openai", "{").key, conversation_key("openai", "nonsense").key);
}

TEST(ConversationKey, AResponseIsGoneOnFromByItsName) {
  const ConversationKey kin =
      conversation_key("openai", R"({"model":"m","input":"And?","previous_response_id":"resp_1"})");
  EXPECT_EQ(kin.after, "resp_1");
  EXPECT_EQ(answer_name("openai", R"({"id":"resp_1","object":"response","output":[]})"), "resp_1");
  EXPECT_EQ(answer_name("openai",
                        "event: response.created\ndata: {\"type\":\"response.created\","
                        "\"response\":{\"id\":\"resp_2\",\"object\":\"response\"}}\n\n"),
            "resp_2");
  EXPECT_EQ(answer_name("openai", R"({"id":"c1","object":"chat.completion"})"), "");
  EXPECT_EQ(answer_name("openai", ""), "");
}

TEST(ConversationKey, AChatIsKnownByItsFirstWordsAndAConversationByItsId) {
  const auto chat = [](std::string_view more) {
    return R"({"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":"Hi."})" +
           std::string(more) + "]}";
  };
  EXPECT_EQ(conversation_key("openai", chat("")).key,
            conversation_key("openai", chat(R"(,{"role":"assistant","content":"Hello."})")).key);
  EXPECT_EQ(
      conversation_key("openai", R"({"model":"m","input":"a","conversation":"conv_1"})").key,
      conversation_key("openai", R"({"model":"m","input":"b","conversation":{"id":"conv_1"}})")
          .key);
}

TEST(LoggedTimes, BlocksOfAStreamHaveTheTimesOfTheirOwnBytes) {
  const std::string events =
      R"(data: {"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[]}})"
      "\n\n"
      R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}})"
      "\n\n"
      R"(data: {"type":"content_block_stop","index":0})"
      "\n\n"
      R"(data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"b"}})"
      "\n\n";
  const std::size_t first = events.find("data: {\"type\":\"content_block_start\"");
  const std::size_t second = events.find("data: {\"type\":\"content_block_stop\"");
  const json::object line{{"timestamp", "2026-02-02T02:40:00Z"},
                          {"request", {{"messages", {{{"role", "user"}, {"content", "Hi."}}}}}},
                          {"response",
                           {{"body", events},
                            {"times", json::array{json::array{0, 1'000}, json::array{first, 2'000},
                                                  json::array{second, 3'000},
                                                  json::array{events.size() - 1, 4'000}}}}}};
  const auto read = read_with("anthropic-messages", canonical_json(line) + "\n");
  ASSERT_EQ(read.conversations.size(), 1u);
  const auto& blocks = read.conversations[0].turns.at(1).blocks;
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].start, 2'000);
  EXPECT_EQ(blocks[0].stop, 3'000);
  EXPECT_EQ(blocks[1].start, 3'000);
  EXPECT_EQ(blocks[1].stop, 3'000) << "it broke off: as far as it is known";
  EXPECT_EQ(kind_name(blocks[2].body), "failure");
  EXPECT_EQ(blocks[2].recorded, 4'000);
}

TEST(LoggedTimes, AnAnswerOfOpenAiHasThoseOfAllOfIt) {
  const std::string line =
      R"({"timestamp":"2026-02-02T02:40:00Z","request":{"model":"m","messages":[{"role":"user",)"
      R"("content":"Hi."}]},"response":{"times":[[0,5000],[9,7000]],"body":{"id":"c1","object":)"
      R"("chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."}}]}}})";
  const auto read = read_with("openai", line + "\n");
  ASSERT_EQ(read.conversations.size(), 1u);
  const auto& answer = read.conversations[0].turns.at(1).blocks.at(0);
  EXPECT_EQ(answer.start, 5'000);
  EXPECT_EQ(answer.stop, 7'000);
  EXPECT_FALSE(read.conversations[0].turns.at(0).blocks.at(0).start);
}

}  // namespace
}  // namespace weft::formats
