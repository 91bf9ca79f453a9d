// Summaries lead to the conversations that they summarize.
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using transcript::Author;

Cid conversation_named(const Loom& loom, const std::string& session) {
  return loom.known_web.conversations.at({"anthropic-transcript", session, "primary"}).cid;
}

// A conversation that ends with the record `leaf`.
void emit_summarized(Loom& loom, const std::string& leaf) {
  loom.heading({.session_id = "told"});
  loom.human("why?");
  loom.emit({.author = Author::model,
             .body = transcript::Text{"because", {}},
             .source_id = leaf,
             .start = 3'000});
}

Cid emit_summary(Loom& loom, const std::string& text, const std::string& leaf, bool is_aside) {
  return loom.emit({.author = Author::program,
                    .body = transcript::Summary{.text = text, .leaf = leaf, .is_aside = is_aside},
                    .source_id = "summary of " + leaf + text});
}

TEST(WeaveSummaries, LeadToTheConversationOfTheirLeafWhicheverComesFirst) {
  for (const bool summary_first : {false, true}) {
    Loom loom;
    if (!summary_first) emit_summarized(loom, "leaf");
    loom.next_index = 100;
    loom.heading({.session_id = "teller"});
    loom.human("hello");
    const Cid one = emit_summary(loom, "one", "leaf", true);
    const Cid two = emit_summary(loom, "two", "leaf", true);
    emit_summary(loom, "three", "of nothing", true);
    if (summary_first) {
      EXPECT_TRUE(loom.edges("summarizes").empty());
      loom.resume();
      loom.next_index = 200;
      emit_summarized(loom, "leaf");
    }
    const Cid told = conversation_named(loom, "told");
    EXPECT_EQ(loom.edges("summarizes"), (std::set<Loom::Triple>{{one, told, ""}, {two, told, ""}}));
    EXPECT_EQ(loom.known_web.waits.size(), 1u) << "the one that is of nothing";
  }
}

TEST(WeaveSummaries, OfTheirOwnConversationLeadThere) {
  Loom loom;
  emit_summarized(loom, "leaf");
  const Cid summary = emit_summary(loom, "own", "leaf", false);
  const Cid told = conversation_named(loom, "told");
  EXPECT_EQ(loom.edges("summarizes"), (std::set<Loom::Triple>{{summary, told, ""}}));
}

TEST(WeaveSummaries, ThatStandAsideAreCausesOfNothing) {
  const auto last_because = [](bool with_summary) {
    Loom loom;
    loom.human("why?");
    const Cid answer = loom.says("because");
    if (with_summary) emit_summary(loom, "elsewhere", "x", true);
    const std::vector<Cid> because = loom.because(loom.human("and then?"));
    EXPECT_EQ(because, (std::vector<Cid>{answer}));
    return because.size();
  };
  EXPECT_EQ(last_because(false), last_because(true));
}

TEST(WeaveSummaries, ThatStandAsideDoNotEndACopy) {
  Loom loom;
  loom.human("why?");
  loom.says("because");
  loom.restart();
  loom.heading({.session_id = "copy"});
  loom.human("why?");
  emit_summary(loom, "elsewhere", "x", true);
  loom.says("because");
  EXPECT_EQ(loom.edges("continues").size(), 1u);
  EXPECT_EQ(loom.of_type("anthropic/response").size(), 1u);
}

}  // namespace
}  // namespace weft::weave
