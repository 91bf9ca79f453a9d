#include "weft/formats/adapters/claude_export/claude_export_for_test.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Citation;
using transcript::Text;
using transcript::Thinking;

// Kind and words of each block: "text: a", "thinking: b", "image: c".
std::vector<std::string> authored(std::string_view sender, std::string_view text) {
  std::vector<std::string> all;
  for (const Block& block : blocks_of(sender, words(text))) {
    EXPECT_EQ(block.index, all.size());
    if (const auto* spoken = std::get_if<Text>(&block.body)) all.push_back("text: " + spoken->text);
    if (const auto* thought = std::get_if<Thinking>(&block.body)) {
      all.push_back("thinking: " + thought->text);
    }
    if (const auto* image = std::get_if<Attachment>(&block.body)) {
      all.push_back(image->kind + ": " + image->data.value_or(image->text.value_or("")));
    }
  }
  return all;
}
using AuthoredBlock = std::vector<std::string>;

TEST(ClaudeExportText, MakesThinkingAloudABlockInItsPlace) {
  EXPECT_EQ(authored("assistant", "a<antThinking>b</antThinking>c"),
            (AuthoredBlock{"text: a", "thinking: b", "text: c"}));
  EXPECT_EQ(
      authored("assistant", R"(<antThinking>b</antThinking>\n\n<antThinking>d</antThinking>\n)"),
      (AuthoredBlock{"thinking: b", "thinking: d"}));
}

TEST(ClaudeExportText, LeavesTagsThatAreJustWords) {
  // Without an end, or in code.
  for (const std::string_view text :
       {"a <antThinking>b", "say `<antThinking>b</antThinking>` aloud",
        R"(```xml\n<antThinking>b</antThinking>\n```\nc)"}) {
    EXPECT_EQ(authored("assistant", text).size(), 1u) << text;
  }
  EXPECT_EQ(authored("human", "a<antThinking>b</antThinking>c").size(), 1u);
  EXPECT_EQ(
      authored("assistant", R"(```\na\n```\n`<antThinking>` <antThinking>b</antThinking>)").size(),
      2u);
}

TEST(ClaudeExportText, LeavesArtifactsAsTheyAre) {
  EXPECT_EQ(authored("assistant",
                     R"(<antArtifact>\n```\n<antThinking>a</antThinking>\n)"
                     "![x](data:image/png;base64,AAAA)</antArtifact><antThinking>b</antThinking>"),
            (AuthoredBlock{"text: <antArtifact>\n```\n<antThinking>a</antThinking>\n"
                           "![x](data:image/png;base64,AAAA)</antArtifact>",
                           "thinking: b"}));
}

TEST(ClaudeExportText, TakesImagesOutOfTheWords) {
  EXPECT_EQ(
      authored("human", "a ![x](data:image/png;base64,AAA=) b ![](data:image/gif;base64,BBBB)"),
      (AuthoredBlock{"text: a ![x]() b ![]()", "image: AAA=", "image: BBBB"}));
  EXPECT_EQ(authored("human", "![v](data:image/svg+xml;utf8,<svg><g t='r(1)'/></svg>)!"),
            (AuthoredBlock{"text: ![v]()!", "image: <svg><g t='r(1)'/></svg>"}));
  EXPECT_EQ(
      authored("assistant", "![v](data:image/svg+xml,%3Csvg%3E) <antThinking>t</antThinking>z"),
      (AuthoredBlock{"text: ![v]() ", "image: %3Csvg%3E", "thinking: t", "text: z"}));
  const Block image = blocks_of("human", words("![x y](data:image/png;base64,AAA=)")).at(1);
  EXPECT_EQ(std::get<Attachment>(image.body),
            (Attachment{.kind = "image", .name = "x y", .mime = "image/png", .data = "AAA="}));
}

TEST(ClaudeExportText, LeavesWhatIsNoImageInTheWords) {
  for (const std::string_view text :
       {"![x](https://e.org/a.png)", "![x](data:text/plain;base64,AAAA)",
        "![x](data:image/png;base64,)", "![x](data:image/png;base64,AA AA)",
        "![x](data:image/png;base64", "![x", "`![x](data:image/png;base64,AAAA)`",
        R"(~~~\n![x](data:image/png;base64,AAAA))", "![v](data:image/svg+xml,<svg>)",
        "<img src='data:image/png;base64,AAAA'>"}) {
    EXPECT_EQ(authored("human", text).size(), 1u) << text;
  }
}

TEST(ClaudeExportText, MovesCitationsWithTheirWords) {
  // "ä" is one code point, as they are counted. 3 cites what became thinking, 4 says no place,
  // 5 reaches over the image, 6 is beyond all words.
  const std::vector<Block> blocks =
      blocks_of("assistant", R"([{"type":"text","text":"ä one ![](data:image/png;base64,AAAA) two)"
                             R"(<antThinking>hm</antThinking>end","citations":[)"
                             R"({"url":"1","start_index":2,"end_index":5},)"
                             R"({"url":"2","start_index":38,"end_index":41},)"
                             R"({"url":"3","start_index":54,"end_index":56},{"url":"4"},)"
                             R"({"url":"5","start_index":3,"end_index":41},)"
                             R"({"url":"6","start_index":900,"end_index":901}]}])");
  ASSERT_EQ(blocks.size(), 4u);
  const auto& before = std::get<Text>(blocks[0].body);
  EXPECT_EQ(before.text, "ä one ![]() two");
  EXPECT_EQ(before.citations, (std::vector<Citation>{{.url = "1", .indices = {{2, 5}}},
                                                     {.url = "2", .indices = {{12, 15}}},
                                                     {.url = "5", .indices = {{3, 15}}}}));
  EXPECT_EQ(std::get<Text>(blocks[3].body).citations,
            (std::vector<Citation>{{.url = "3"}, {.url = "4"}, {.url = "6"}}));
}

// Each of these would make a careless reader take forever.
TEST(ClaudeExportText, ReadsLongTextsInTimeThatGrowsWithThem) {
  for (const std::string_view piece :
       {"`", "`a``b", "![", "![](data:image/svg+xml,<", "![](data:image/svg+xml,%", "<antThinking>",
        "<antArtifact", "![](data:image/png;base64,A", R"(\n```)",
        "![](data:image/png;base64,A)"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    EXPECT_FALSE(blocks_of("assistant", words(text)).empty()) << piece;
  }
}

}  // namespace
}  // namespace weft::formats::claude_export
