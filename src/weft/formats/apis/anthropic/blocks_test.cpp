#include "weft/formats/apis/anthropic/blocks.hpp"

#include <gtest/gtest.h>

namespace weft::formats::anthropic {
namespace {

using transcript::Attachment;
using transcript::Block;
using transcript::Body;
using transcript::Citation;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

ParsedBlock parse(std::string_view text) { return parse_block(parse_json(text).value().value); }

template <class T>
T parse_as(std::string_view text) {
  const Body body = parse(text).body;
  EXPECT_TRUE(std::holds_alternative<T>(body)) << text;
  return std::holds_alternative<T>(body) ? std::get<T>(body) : T();
}

Citation cited(std::string_view citation) {
  const auto text =
      parse_as<Text>(R"({"type":"text","text":"t","citations":[)" + std::string(citation) + "]}");
  return text.citations.empty() ? Citation() : text.citations[0];
}

TEST(AnthropicBlocks, ThinkingHasItsSummariesSignatureAndCut) {
  EXPECT_EQ(
      parse_as<Thinking>(
          R"({"type":"thinking","thinking":"deep","summaries":[{"summary":"a"},"b"],
                    "cut_off":true,"signature":"U0lH","flags":null})"),
      (Thinking{.text = "deep", .signature = "U0lH", .summaries = {"a", "b"}, .cut_off = true}));
  EXPECT_EQ(parse_as<Thinking>(R"({"type":"thinking","thinking":"","signature":null})"),
            Thinking());
  EXPECT_EQ(parse_as<Thinking>(R"({"type":"thinking","thinking":"","signature":"S"})"),
            (Thinking{.signature = "S"}));
}

TEST(AnthropicBlocks, TimesAreReadToTheMillisecond) {
  const ParsedBlock block = parse(
      R"({"start_timestamp":"2026-02-01T14:42:13.415318Z","stop_timestamp":"2026-02-01T14:42:14.499063Z",
          "type":"text","text":"t"})");
  EXPECT_EQ(block.start, parse_iso8601("2026-02-01T14:42:13.415Z"));
  EXPECT_EQ(block.stop, parse_iso8601("2026-02-01T14:42:14.499Z"));
  EXPECT_EQ(parse(R"({"start_timestamp":"soon","type":"text","text":"t"})").start, std::nullopt);
}

TEST(AnthropicBlocks, ACallIsDescribedByItsInputAndShownByItsDisplay) {
  const auto call = parse_as<ToolCall>(
      R"({"type":"tool_use","id":"toolu_1","name":"str_replace","input":{"path":"p","description":"d"},
          "message":"m","display_content":{"type":"text","text":"shown"}})");
  EXPECT_EQ(call.id, "toolu_1");
  EXPECT_EQ(call.name, "str_replace");
  EXPECT_EQ(call.input, json::value(json::object{{"path", "p"}, {"description", "d"}}));
  EXPECT_EQ(call.description, "d");
  EXPECT_EQ(call.display_text, "shown");
}

TEST(AnthropicBlocks, ACallWithoutDisplayIsShownByItsMessage) {
  const auto call = parse_as<ToolCall>(
      R"({"type":"tool_use","id":null,"name":"n","input":{"description":7},"message":"m",
          "display_content":{"type":"json_block","json_block":"{}"}})");
  EXPECT_EQ(call.id, "");
  EXPECT_EQ(call.description, std::nullopt);
  EXPECT_EQ(call.display_text, "m");
}

TEST(AnthropicBlocks, ServerToolsAreToolsToo) {
  for (const std::string type : {"server_tool_use", "mcp_tool_use"}) {
    EXPECT_EQ(parse_as<ToolCall>(R"({"type":")" + type + R"(","id":"x","name":"n","input":{}})").id,
              "x");
  }
  EXPECT_EQ(
      parse_as<ToolResult>(R"({"type":"mcp_tool_result","tool_use_id":"x","content":[]})").call_id,
      "x");
  const auto failed = parse_as<ToolResult>(
      R"({"type":"web_search_tool_result","tool_use_id":"x",
          "content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}})");
  EXPECT_TRUE(failed.is_error);
  ASSERT_TRUE(failed.parts);
  EXPECT_EQ(failed.parts->size(), 1u);
  const auto ran = parse_as<ToolResult>(
      R"({"type":"code_execution_tool_result","content":
          {"type":"code_execution_result","stdout":"out","stderr":"err","return_code":1}})");
  EXPECT_EQ(ran.text, "out\nerr");
}

TEST(AnthropicBlocks, AResultIsItsTextWhateverTheShape) {
  const ToolResult plain{.call_id = "x", .name = "n", .text = "done"};
  for (const std::string_view content :
       {R"("done")", R"(["done"])", R"([{"type":"text","text":"done"}])",
        R"([{"type":"text","text":"done","uuid":null,"citations":[]}])"}) {
    EXPECT_EQ(
        parse_as<ToolResult>(R"({"type":"tool_result","tool_use_id":"x","name":"n","content":)" +
                             std::string(content) + "}"),
        plain)
        << content;
  }
  for (const std::string_view content :
       {R"("content":[],)", R"("content":"",)", R"("content":null,)", ""}) {
    EXPECT_EQ(parse_as<ToolResult>("{" + std::string(content) + R"("type":"tool_result"})"),
              ToolResult());
  }
}

TEST(AnthropicBlocks, AResultKeepsTheUuidOfItsSingleTextPart) {
  const auto result = parse_as<ToolResult>(
      R"({"type":"tool_result","content":[{"type":"text","text":"a","uuid":"u"}],"is_error":true})");
  EXPECT_EQ(result.uuid, "u");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.parts, std::nullopt);
}

TEST(AnthropicBlocks, AResultOfSeveralPartsKeepsThemAll) {
  const auto result = parse_as<ToolResult>(
      R"({"type":"tool_result","content":[{"type":"text","text":"a","uuid":"u"},{"type":"image"},
          {"type":"text","text":"b"}],"structured_content":{"rows":2}})");
  EXPECT_EQ(result.text, "a\nb");
  EXPECT_EQ(result.uuid, std::nullopt);
  ASSERT_TRUE(result.parts);
  EXPECT_EQ(result.parts->size(), 3u);
  EXPECT_EQ(result.details, json::value(json::object{{"rows", 2}}));
  EXPECT_TRUE(
      parse_as<ToolResult>(R"({"type":"tool_result","content":[{"type":"knowledge"}]})").parts);
}

TEST(AnthropicBlocks, CitationsOfEveryShapeComeDownToOne) {
  EXPECT_EQ(cited(R"({"url":"u","title":"t","indices":[0,3]})"),
            (Citation{.url = "u", .title = "t", .indices = {{0, 3}}}));
  EXPECT_EQ(cited(R"({"uuid":"x","start_index":2,"end_index":5,
                      "details":{"type":"web_search_citation","url":"u","title":"t"}})"),
            (Citation{.url = "u", .title = "t", .indices = {{2, 5}}}));
  EXPECT_EQ(cited(R"({"type":"web_search_result_location","url":"u","title":"t","cited_text":"w",
                      "encrypted_index":"RQ=="})"),
            (Citation{.url = "u", .title = "t", .text = "w"}));
  EXPECT_EQ(cited(R"({"type":"search_result_location","source":"u","title":null,"cited_text":"w",
                      "search_result_index":0})"),
            (Citation{.url = "u", .text = "w"}));
  for (const std::string type : {"char", "page", "content_block"}) {
    EXPECT_EQ(cited(R"({"type":")" + type + R"(_location","document_index":1,"document_title":"t",
                        "cited_text":"w"})"),
              (Citation{.title = "t", .text = "w", .document = 1}));
  }
}

TEST(AnthropicBlocks, CitationsThatMakeNoSenseHaveNoPlace) {
  EXPECT_EQ(cited(R"({"url":"u","indices":[5,3]})"), (Citation{.url = "u"}));
  EXPECT_EQ(cited(R"({"url":"u","indices":[-1,3]})"), (Citation{.url = "u"}));
  EXPECT_EQ(cited(R"({"url":"u","indices":[0.5,3]})"), (Citation{.url = "u"}));
  EXPECT_EQ(cited("7"), Citation());
}

TEST(AnthropicBlocks, ImagesAndDocumentsAreAttachments) {
  EXPECT_EQ(
      parse_as<Attachment>(
          R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}})"),
      (Attachment{.kind = "image", .mime = "image/png", .data = "QQ=="}));
  EXPECT_EQ(parse_as<Attachment>(R"({"type":"image","source":{"type":"url","url":"u"}})"),
            (Attachment{.kind = "image", .reference = "u"}));
  EXPECT_EQ(parse_as<Attachment>(R"({"type":"document","title":"n","context":"c",
                                     "source":{"type":"text","media_type":"text/plain","data":"words"}})"),
            (Attachment{.kind = "document",
                        .name = "n",
                        .mime = "text/plain",
                        .text = "words",
                        .extra = json::object{{"context", "c"}}}));
  const auto file =
      parse_as<Attachment>(R"({"type":"document","source":{"type":"file","file_id":"f"}})");
  EXPECT_EQ(file.reference, "f");
  EXPECT_EQ(file.extra, (json::object{{"source", json::object{{"type", "file"}}}}));
}

TEST(AnthropicBlocks, WhatIsNotUnderstoodIsKeptWhole) {
  for (const std::string_view text :
       {R"({"type":"novel","a":[1,2.5,{"b":null}]})", R"({"type":"text","words":"t"})",
        R"({"type":"image","source":"elsewhere"})", R"({"type":"tool_use","id":"x"})",
        R"({"type":"compaction","content":"c","encrypted_content":"RQ=="})", R"({"type":7})", "{}",
        "7", "[[]]"}) {
    EXPECT_EQ(parse_as<Unknown>(text).raw, parse_json(text).value().value);
  }
  EXPECT_EQ(parse_as<Unknown>(R"({"type":"novel"})").block_type, "novel");
}

TEST(AnthropicBlocks, ABareStringIsText) {
  EXPECT_EQ(parse_as<Text>("\"words\""), (Text{.text = "words"}));
}

// Every body there is, written and read again.
TEST(AnthropicBlocks, ReadBackAsTheyWereWritten) {
  const std::vector<Body> bodies = {
      Text{.text = "\"quoted\"\n\u2028",
           .citations = {{.url = "u", .indices = {{1, 2}}}, {}, {.document = 3}}},
      Thinking{.text = "t", .signature = "s", .summaries = {"a", ""}, .cut_off = true},
      transcript::RedactedThinking{.data = "QQ=="},
      ToolCall{.id = "i",
               .name = "n",
               .input = json::array{1, 1.0, -0.0, 1e300},
               .description = "d",
               .display_text = ""},
      ToolCall{.name = "n", .input = json::object{{"description", "d"}}, .description = "d"},
      ToolResult{.text = "t"},
      ToolResult{.call_id = "c", .name = "n", .is_error = true, .uuid = "u"},
      ToolResult{.text = "a\nb", .parts = json::array{"a", "b"}, .details = json::value(false)},
      Attachment{.kind = "image", .mime = "m", .data = "QQ=="},
      Attachment{.kind = "file", .name = "n", .size = 9},
      Attachment{.kind = "document", .text = "words", .extra = json::object{{"k", 1}}},
      transcript::Compaction{.summary = "c"},
      transcript::Summary{.text = "s"},
      transcript::Failure{.text = "f", .details = json::object{{"status", 529}}},
      Unknown{.block_type = "x", .raw = json::object{{"type", "x"}, {"n", 2.0}}},
      Unknown{.raw = nullptr, .raw_text = "{\"a\":1,\"a\":2}"},
  };
  for (const Body& body : bodies) {
    std::string text;
    append_block(text, Block{.body = body, .start = 5, .stop = 7}, WithModel::no);
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    const ParsedJson parsed = parse_json(text).value();
    if (parsed.inexact) {
      EXPECT_EQ(Body(unknown_from_text(parsed.value, text)), body) << text;
      continue;
    }
    const ParsedBlock read = parse_block(parsed.value);
    EXPECT_EQ(read.body, body) << text;
    if (!std::holds_alternative<Unknown>(body)) {
      EXPECT_EQ(read.start, 5);
      EXPECT_EQ(read.stop, 7);
    }
  }
}

}  // namespace
}  // namespace weft::formats::anthropic
