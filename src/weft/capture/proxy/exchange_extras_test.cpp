#include "weft/capture/proxy/exchange_extras.hpp"

#include <gtest/gtest.h>

#include "weft/base/json.hpp"

namespace weft::capture {
namespace {

constexpr std::string_view kRequest =
    R"({"model":"m","max_tokens":9,"temperature":0.5,"system":"SAID","messages":[{"role":"user",)"
    R"("content":"SAID"}],"tools":[{"name":"look","input_schema":{}}],"stream":true})";

json::object about(std::string_view response) {
  RecordedExchange recorded{.target = "/v1/messages", .requested_at = 0, .status = 200};
  recorded.end = ExchangeEnd::complete;
  recorded.request_id = "req_1";
  const ExchangeExtras extras = extras_of(recorded, kRequest, response);
  EXPECT_EQ(extras.line.find("SAID"), std::string::npos) << extras.line;
  EXPECT_EQ(extras.line.find("THOUGHT"), std::string::npos) << extras.line;
  return parse_json(extras.line).value().value.as_object();
}

TEST(ExchangeExtras, KeepsParametersAndWhyItEnded) {
  const json::object line = about(
      "data: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"content\":[],"
      "\"stop_reason\":null,\"usage\":{\"input_tokens\":3,\"output_tokens\":1}}}\n\n"
      "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\","
      "\"thinking\":\"THOUGHT\"}}\n\n"
      "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\","
      "\"text\":\"SAID\"}}\n\n"
      "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"},\"usage\":"
      "{\"output_tokens\":9}}\n\n");
  EXPECT_EQ(canonical_json(line.at("request")),
            R"({"max_tokens":9,"model":"m","stream":true,"temperature":0.5})");
  EXPECT_EQ(
      canonical_json(line.at("response")),
      R"({"id":"msg_1","stop_reason":"max_tokens","usage":{"input_tokens":3,"output_tokens":9}})");
  EXPECT_EQ(line.at("request_id"), "req_1");
  EXPECT_EQ(line.at("how"), "whole");
}

TEST(ExchangeExtras, OfOpenAiToo) {
  EXPECT_EQ(
      canonical_json(about("data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":"
                           "[{\"index\":0,\"delta\":{\"content\":\"SAID\"},\"finish_reason\":"
                           "\"length\"}]}\n\ndata: [DONE]\n\n")
                         .at("response")),
      R"({"finish_reasons":["length"],"id":"c","object":"chat.completion.chunk"})");
  EXPECT_EQ(canonical_json(about(R"({"id":"resp_1","object":"response","status":"incomplete",)"
                                 R"("incomplete_details":{"reason":"max_output_tokens"},"output":)"
                                 R"([{"type":"message","content":"SAID"}],"instructions":"SAID"})")
                               .at("response")),
            R"({"id":"resp_1","incomplete_details":{"reason":"max_output_tokens"},)"
            R"("object":"response","status":"incomplete"})");
}

TEST(ExchangeExtras, OfNothingItIsEmpty) {
  for (const char* nothing : {"", "  ", "<html>", "{", "[1]", "data: {\n\n", "data: 1\n\n"}) {
    EXPECT_EQ(canonical_json(about(nothing).at("response")), "{}") << nothing;
  }
}

}  // namespace
}  // namespace weft::capture
