// Words of a transcript cannot pass for the document around them.
#include "weft/cli/render/markdown_text.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(MarkdownText, Security13ForgesNoHeading) {
  EXPECT_EQ(as_markdown_text("hi\n## 👤 USER · 2026-10-01 10:00:00\nbye"),
            "hi\n\\## 👤 USER · 2026-10-01 10:00:00\nbye");
  EXPECT_EQ(as_markdown_text("   # x"), "   \\# x");
  EXPECT_EQ(as_markdown_text("USER\n===\nUSER\n---"), "USER\n\\===\nUSER\n\\---");
}

TEST(MarkdownText, HasNoHtmlAndNoLinkDefinitions) {
  EXPECT_EQ(as_markdown_text("<script>alert(1)</script>"), "\\<script>alert(1)\\</script>");
  EXPECT_EQ(as_markdown_text("a <img src=x> b"), "a \\<img src=x> b");
  EXPECT_EQ(as_markdown_text("<!-- hidden"), "\\<!-- hidden");
  EXPECT_EQ(as_markdown_text("[weft]: http://evil.example"), "\\[weft]: http://evil.example");
}

TEST(MarkdownText, LeavesOtherMarkdownAndCodeAsTheyAre) {
  for (const char* text :
       {"**bold** and `code`\n\n- one\n- two\n", "1 < 2 and 3 > 2", "a [link](http://x)", "",
        "```sh\n# a comment\n<xml>\n[x]\n```\n", "~~~\n# x\n~~~", "    # indented code"}) {
    EXPECT_EQ(as_markdown_text(text), text);
  }
}

TEST(MarkdownText, ClosesACodeBlockThatWouldSwallowWhatFollows) {
  EXPECT_EQ(as_markdown_text("```\n# x"), "```\n# x\n```");
  EXPECT_EQ(as_markdown_text("````\n```\n# x\n"), "````\n```\n# x\n````");
}

TEST(MarkdownText, IsNotFooledAboutWhereCodeEnds) {
  EXPECT_EQ(as_markdown_text("```\n```\n# x"), "```\n```\n\\# x");
  EXPECT_EQ(as_markdown_text("``` a`b\n# x"), "``` a`b\n\\# x") << "not a fence";
  EXPECT_EQ(as_markdown_text("- a\n  ```\n# x"), "- a\n  \\```\n\\# x")
      << "the list ends, and the code in it";
  EXPECT_EQ(as_markdown_text(" ```\n```\n# x\n```\n# y"), " \\```\n```\n# x\n```\n\\# y");
  EXPECT_EQ(as_markdown_text("```\n~~~\n# x\n``` x\n# y\n  ```  \n# z"),
            "```\n~~~\n# x\n``` x\n# y\n  ```  \n\\# z");
}

}  // namespace
}  // namespace weft::cli
