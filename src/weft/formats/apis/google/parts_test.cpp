#include "weft/formats/apis/google/parts.hpp"

#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::google {
namespace {

using transcript::Attachment;
using transcript::Text;
using transcript::Thinking;

Parts parse(std::string_view text, Author author = Author::model) {
  return parse_parts(parse_json(text).value().value, author);
}

std::string kinds(const Parts& parts) {
  std::string all;
  for (const AuthoredBlock& block : parts.blocks) {
    constexpr std::array<char, 4> kAuthors = {'h', 'm', 't', 'p'};
    if (!all.empty()) all += ' ';
    all += kAuthors.at(static_cast<std::size_t>(block.author));
    all += ':';
    all += kind_name(block.body);
  }
  return all;
}

TEST(GoogleParts, AreAStringAPartOrAListOfBoth) {
  EXPECT_EQ(kinds(parse("\"a\"")), "m:text");
  EXPECT_EQ(kinds(parse("{\"text\":\"a\"}")), "m:text");
  EXPECT_EQ(kinds(parse("[\"a\",{\"text\":\"b\"},{\"text\":\"\"},null]", Author::human)),
            "h:text h:text");
  EXPECT_EQ(kinds(parse("null")), "");
}

TEST(GoogleParts, ThoughtsAreTheModelsAndKeepTheirSignature) {
  const Parts parts = parse(R"([{"text":"hm","thought":true,"thoughtSignature":"s"}])");
  const auto& thinking = std::get<Thinking>(parts.blocks.at(0).body);
  EXPECT_EQ(thinking.text, "hm");
  EXPECT_EQ(thinking.signature, "s");
}

TEST(GoogleParts, ASignatureOnACallIsTheThoughtsBeforeItOrOneByItself) {
  const Parts joined = parse(
      R"([{"text":"hm","thought":true},{"functionCall":{"name":"ls"},"thoughtSignature":"s"}])");
  EXPECT_EQ(kinds(joined), "m:thinking m:call");
  EXPECT_EQ(std::get<Thinking>(joined.blocks.at(0).body).signature, "s");
  const Parts alone = parse(R"([{"functionCall":{"name":"ls"},"thoughtSignature":"s"}])");
  EXPECT_EQ(kinds(alone), "m:thinking m:call");
  EXPECT_TRUE(std::get<Thinking>(alone.blocks.at(0).body).text.empty());
}

TEST(GoogleParts, FilesAreWhoseTheMessageIsAndTheToolsBesideAResponse) {
  const Parts sent = parse(
      R"([{"inlineData":{"mimeType":"image/png","data":"AAAA"}},
          {"fileData":{"mimeType":"application/pdf","fileUri":"gs://a"}}])",
      Author::human);
  EXPECT_EQ(kinds(sent), "h:attachment h:attachment");
  const auto& image = std::get<Attachment>(sent.blocks.at(0).body);
  EXPECT_EQ(image.kind, "image");
  EXPECT_EQ(image.data, "AAAA");
  const auto& file = std::get<Attachment>(sent.blocks.at(1).body);
  EXPECT_EQ(file.kind, "document");
  EXPECT_EQ(file.reference, "gs://a");
  const Parts returned = parse(
      R"([{"functionResponse":{"id":"c","response":{"output":"o"}}},{"text":"hint"},
          {"inlineData":{"mimeType":"image/png","data":"AAAA"}}])",
      Author::human);
  EXPECT_TRUE(returned.has_responses);
  EXPECT_EQ(kinds(returned), "t:result p:text t:attachment");
}

ToolResult response(std::string_view text) {
  return parse_response(parse_json(text).value().value.get_object());
}

TEST(GoogleParts, AResponseSaysItsOutputElseItsErrorElseAllOfIt) {
  EXPECT_EQ(response(R"({"id":"c","name":"ls","response":{"output":"o"}})").text, "o");
  const ToolResult failed = response(R"({"response":{"error":"e"}})");
  EXPECT_EQ(failed.text, "e");
  EXPECT_TRUE(failed.is_error);
  EXPECT_EQ(response(R"({"response":{"rows":[1,2]}})").text, R"({"rows":[1,2]})");
  const ToolResult both =
      response(R"-({"response":{"output":"o","error":"(none)","exitCode":0}})-");
  EXPECT_EQ(both.text, "o");
  EXPECT_FALSE(both.is_error);
  EXPECT_EQ(canonical_json(*both.details), R"({"response":{"exitCode":0}})");
}

TEST(GoogleParts, CodeThatTheProviderRanIsACallAndItsResult) {
  const Parts parts = parse(
      R"([{"executableCode":{"language":"PYTHON","code":"1+1"}},
          {"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"no"}}])");
  EXPECT_EQ(kinds(parts), "m:call t:result");
  EXPECT_TRUE(std::get<ToolResult>(parts.blocks.at(1).body).is_error);
}

TEST(GoogleParts, WhatIsOfNoKnownKindIsKeptWhole) {
  const Parts parts = parse(R"([{"hologram":{"x":1}},7])");
  EXPECT_EQ(kinds(parts), "m:unknown m:unknown");
  EXPECT_EQ(std::get<transcript::Unknown>(parts.blocks.at(0).body).block_type, "hologram");
}

TEST(GoogleParts, WhatThePromptsFilesSayIsTheProgramsToTheEnd) {
  Parts parts = parse(
      R"(["See @a\n--- Content from referenced files ---\na","more",{"inlineData":{"data":"AAAA"}}])",
      Author::human);
  set_files_apart(parts.blocks);
  EXPECT_EQ(kinds(parts), "h:text p:text p:text h:attachment");
  EXPECT_EQ(std::get<Text>(parts.blocks.at(0).body).text, "See @a\n");
}

TEST(GoogleParts, SoManyPartsAreKeptAndNoMore) {
  std::string text = "[\"a\"";
  for (std::size_t i = 0; i < kMostParts; ++i) text += ",\"a\"";
  const Parts parts = parse(text + "]");
  EXPECT_EQ(parts.blocks.size(), kMostParts);
  EXPECT_TRUE(parts.is_cut_short);
}

}  // namespace
}  // namespace weft::formats::google
