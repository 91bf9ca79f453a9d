#include "weft/capture/proxy/exchange_weaver.hpp"

#include <gtest/gtest.h>

#include "weft/capture/agent/recording_for_test.hpp"

namespace weft::capture {
namespace {

RecordedExchange recorded(std::string name, int status, std::string answer) {
  RecordedExchange one{
      .name = std::move(name), .method = "POST", .target = "/v1/messages", .requested_at = 1'000};
  one.request = R"({"model":"m","messages":[{"role":"user","content":"Hi."}]})";
  one.is_request_complete = true;
  one.status = status;
  one.arrivals = {{answer.size(), 2'000}};
  one.response = std::move(answer);
  one.end = ExchangeEnd::complete;
  one.last_at = 2'000;
  return one;
}

const std::string kError = R"({"type":"error","error":{"type":"api_error","message":"no"}})";

std::uint64_t blocks_in(const store::Store& store) {
  std::uint64_t count = 0;
  const auto rows = store.conversations({});
  for (const store::ConversationRow& row : *rows) count += row.block_count;
  return count;
}

TEST(ExchangeWeaver, WhatIsWovenTwiceIsThereOnce) {
  Recording home;
  const auto store = home.open("weft.db");
  ExchangeWeaver weaver(*store, home.keyring, home.options());
  const LoggedExchange first = to_log(recorded("a", 500, kError)).value();
  EXPECT_EQ(weaver.weave(first).value(), WeaveOutcome::woven);
  EXPECT_EQ(blocks_in(*store), 2u);
  // The process ended before the journal was removed.
  ExchangeWeaver next(*store, home.keyring, home.options());
  EXPECT_EQ(next.weave(first).value(), WeaveOutcome::nothing_new);
  EXPECT_EQ(blocks_in(*store), 2u);
  // The same again by the client's own will: another failure, and nothing else.
  EXPECT_EQ(next.weave(to_log(recorded("b", 500, kError)).value()).value(), WeaveOutcome::woven);
  EXPECT_EQ(blocks_in(*store), 3u);
}

TEST(ExchangeWeaver, WhatCannotBeToldSaysWhy) {
  RecordedExchange half = recorded("a", 200, "{}");
  half.is_request_complete = false;
  RecordedExchange large = recorded("a", 200, "{}");
  large.is_too_large = true;
  RecordedExchange words = recorded("a", 200, "{}");
  words.request = "hello";
  RecordedExchange encoded = recorded("a", 200, "{}");
  encoded.request_encoding = "rot13";
  RecordedExchange elsewhere = recorded("a", 200, "{}");
  elsewhere.target = "/v1/models";
  for (const RecordedExchange& one : {half, large, words, encoded, elsewhere}) {
    const Result<LoggedExchange> logged = to_log(one);
    ASSERT_FALSE(logged);
    EXPECT_EQ(logged.error().code, ErrorCode::invalid_input);
  }
}

TEST(ExchangeLog, OnlyWhatAModelIsAskedIsRecorded) {
  EXPECT_EQ(format_of("POST", "/v1/messages?beta=true"), "anthropic-messages");
  EXPECT_EQ(format_of("POST", "/gateway/v1/messages"), "anthropic-messages");
  EXPECT_EQ(format_of("POST", "/v1/chat/completions"), "openai");
  EXPECT_EQ(format_of("POST", "/openai/deployments/x/chat/completions?api-version=1"), "openai");
  EXPECT_EQ(format_of("POST", "/v1/responses"), "openai");
  for (const char* other : {"/v1/messages/count_tokens", "/v1/messages/batches", "/v1/models",
                            "/v1/responses/resp_1/cancel", "/", ""}) {
    EXPECT_EQ(format_of("POST", other), "") << other;
  }
  EXPECT_EQ(format_of("GET", "/v1/messages"), "");
}

TEST(ExchangeLog, SaysWhenWhichByteCameThoughItWasEncoded) {
  RecordedExchange one = recorded("a", 200, "");
  one.response = "data: 1\n\ndata: 2\n\n";
  one.response_type = "text/event-stream";
  one.arrivals = {{9, 2'000}, {0, 2'500}, {9, 3'000}};
  one.last_at = 3'500;
  EXPECT_NE(to_log(one).value().line.find(R"("times":[[0,2000],[9,3000],[17,3500]])"),
            std::string::npos)
      << to_log(one).value().line;
}

}  // namespace
}  // namespace weft::capture
