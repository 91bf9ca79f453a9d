#include "weft/formats/apis/anthropic/api_block.hpp"

#include <gtest/gtest.h>

namespace weft::formats::anthropic {
namespace {

json::value parse(std::string_view text) { return parse_json(text)->value; }

transcript::Block block_of(std::string_view text) {
  ParsedBlock parsed = parse_api_block(parse(text));
  return {.body = std::move(parsed.body), .extra = std::move(parsed.extra)};
}

std::string extra_of(std::string_view text) {
  const transcript::Block block = block_of(text);
  return block.extra ? canonical_json(*block.extra) : "";
}

// The id as it was, too.
std::string id_in(const transcript::Block& block) {
  if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) return call->id;
  if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) return result->call_id;
  return "";
}

std::string again(std::string_view text) {
  const transcript::Block block = block_of(text);
  const auto object = to_api_block(block, id_in(block));
  return object ? canonical_json(*object) : "";
}

TEST(ApiBlock, ComesBackWhole) {
  for (
      const std::string_view text : {
          R"({"text":"Hi.","type":"text"})",
          R"({"citations":[{"cited_text":"x","encrypted_index":"E+/=","title":"T","type":"web_search_result_location","url":"https://a.b"}],"text":"Hi.","type":"text"})",
          R"({"signature":"s","thinking":"Hm.","type":"thinking"})",
          R"({"signature":"s","thinking":"","type":"thinking"})",
          R"({"data":"d+/=","type":"redacted_thinking"})",
          R"({"id":"a","input":{"description":"d"},"name":"n","type":"tool_use"})",
          R"({"caller":{"tool_id":"s","type":"code_execution_20250825"},"id":"a","input":{},"name":"n","type":"tool_use"})",
          R"({"id":"a","input":{},"name":"n","type":"server_tool_use"})",
          R"({"id":"a","input":{},"name":"n","server_name":"s","type":"mcp_tool_use"})",
          R"({"content":"ok","tool_use_id":"a","type":"tool_result"})",
          R"({"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"is_error":true,"tool_use_id":"a","type":"tool_result"})",
          R"({"tool_use_id":"a","type":"tool_result"})",
          R"({"content":[],"tool_use_id":"a","type":"web_search_tool_result"})",
          R"({"content":{"error_code":"unavailable","type":"web_search_tool_result_error"},"tool_use_id":"a","type":"web_search_tool_result"})",
          R"({"content":{"content":[],"return_code":0,"stderr":"","stdout":"1","type":"code_execution_result"},"tool_use_id":"a","type":"code_execution_tool_result"})",
          R"({"content":[{"tool_name":"x","type":"tool_reference"}],"tool_use_id":"a","type":"tool_result"})",
          R"({"source":{"data":"aa","media_type":"image/png","type":"base64"},"type":"image"})",
          R"({"citations":{"enabled":true},"context":"c","source":{"data":"t","media_type":"text/plain","type":"text"},"title":"T","type":"document"})",
          R"({"source":{"content":[{"text":"a","type":"text"}],"type":"content"},"type":"document"})",
          R"({"content":"sum","type":"compaction"})",
          R"({"content":"sum","encrypted_content":"e","type":"compaction"})",
          R"({"any":[1,2],"type":"some_new_block"})",
          R"({"new_member":{"x":1},"text":"Hi.","type":"text"})",
      }) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(ApiBlock, WhatMeansNothingIsNotKept) {
  EXPECT_EQ(
      extra_of(R"({"type":"text","text":"Hi.","citations":null,"cache_control":{"type":"x"}})"),
      "");
  EXPECT_EQ(extra_of(R"({"type":"text","text":"Hi.","citations":[]})"), "");
  EXPECT_EQ(extra_of(R"({"type":"tool_result","tool_use_id":"a","is_error":false,"content":"ok"})"),
            "");
  EXPECT_EQ(
      extra_of(
          R"({"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"ok","cache_control":{}}]})"),
      "");
  EXPECT_EQ(extra_of(R"({"type":"tool_use","id":"a","name":"n","input":{"cache_control":1}})"), "");
  EXPECT_EQ(extra_of(R"({"type":"thinking","thinking":"Hm.","signature":""})"), "");
  EXPECT_EQ(
      again(
          R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"t"},"cache_control":{}})"),
      R"({"source":{"data":"t","media_type":"text/plain","type":"text"},"type":"document"})");
}

TEST(ApiBlock, WhatTheBodyHoldsIsNotKeptTwice) {
  EXPECT_EQ(extra_of(R"({"type":"server_tool_use","id":"a","name":"n","input":{}})"),
            R"({"type":"server_tool_use"})");
  EXPECT_EQ(
      extra_of(
          R"({"type":"x_tool_result","tool_use_id":"a","content":{"type":"r","stdout":"long"}})"),
      R"({"content_is_part":true,"tool_use_id":"a","type":"x_tool_result"})");
  EXPECT_EQ(extra_of(R"({"type":"image","source":{"type":"url","url":"u"}})"), "");
}

TEST(ApiBlock, WhatTheApiRefusesIsNoBlock) {
  EXPECT_EQ(again(R"({"type":"text","text":""})"), "");
  EXPECT_EQ(again(R"({"type":"thinking","thinking":"Hm."})"), "");
  const transcript::Block failure{.body = transcript::Failure{.text = "overloaded"}};
  EXPECT_FALSE(to_api_block(failure, ""));
}

TEST(ApiBlock, KnowsWhatTheApiRuns) {
  EXPECT_TRUE(
      is_server_side(block_of(R"({"type":"server_tool_use","id":"a","name":"n","input":{}})")));
  EXPECT_TRUE(is_server_side(block_of(R"({"type":"mcp_tool_result","tool_use_id":"a"})")));
  EXPECT_FALSE(is_server_side(block_of(R"({"type":"tool_use","id":"a","name":"n","input":{}})")));
  EXPECT_FALSE(is_server_side(block_of(R"({"type":"tool_result","tool_use_id":"a"})")));
  EXPECT_FALSE(is_server_side(block_of(R"({"type":"text","text":"tool_use"})")));
}

}  // namespace
}  // namespace weft::formats::anthropic
