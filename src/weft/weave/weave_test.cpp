// Every row of the table in docs/design.md, "Causes by block kind", by name.
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using transcript::Author;
using Cids = std::vector<Cid>;

// --- what each block becomes, and because of what ----------------------------------------

TEST(Weave, ThinkingRestsOnTheNewsOfItsStep) {
  Loom loom;
  const Cid system = loom.program("be brief");
  const Cid prompt = loom.human("why?");
  const Cid thinking = loom.thinks("hm");
  EXPECT_EQ(loom.thought(thinking).type, "anthropic/thinking");
  EXPECT_EQ(loom.because(thinking), (Cids{system, prompt}));
}

TEST(Weave, LaterThinkingRestsOnTheThinkingBeforeItInItsStep) {
  Loom loom;
  loom.human("why?");
  const Cid first = loom.thinks("hm");
  EXPECT_EQ(loom.because(loom.thinks("aha")), Cids{first});
}

TEST(Weave, ThinkingAfterAResultRestsOnTheResult) {
  Loom loom;
  loom.human("count");
  loom.thinks("run it");
  loom.calls("t1");
  const Cid result = loom.prints("t1", "3");
  EXPECT_EQ(loom.because(loom.thinks("three then")), Cids{result});
}

TEST(Weave, SummaryOfThinkingRestsOnTheThinking) {
  Loom loom;
  loom.human("why?");
  const Cid thinking = loom.thinks("long", {"short"});
  const Cids summaries = loom.of_type("anthropic/thinking_summary");
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(loom.because(summaries[0]), Cids{thinking});
  EXPECT_EQ(loom.opened(summaries[0]), (json::object{{"summaries", json::array{"short"}}}));
}

TEST(Weave, RedactedThinkingCountsAsThinkingAndKeepsItsData) {
  Loom loom;
  const Cid prompt = loom.human("why?");
  const Cid redacted = loom.emit(Author::model, transcript::RedactedThinking{"UkVE"});
  EXPECT_EQ(loom.thought(redacted).type, "anthropic/redacted_thinking");
  EXPECT_EQ(loom.because(redacted), Cids{prompt});
  EXPECT_EQ(loom.opened(redacted), (json::object{{"data", "UkVE"}, {"chars", 4}}));
  EXPECT_EQ(loom.because(loom.says("so")), (Cids{redacted, prompt}));
}

TEST(Weave, ResponseRestsOnItsThinkingAndOnTheInputsThatOpenedTheTurn) {
  Loom loom;
  const Cid prompt = loom.human("why?");
  const Cid thinking = loom.thinks("hm");
  const Cid answer = loom.says("so.");
  EXPECT_EQ(loom.because(answer), (Cids{thinking, prompt}));
  EXPECT_EQ(loom.opened(answer), (json::object{{"text", "so."}, {"duration_ms", 5}}));
}

TEST(Weave, ResponseOfALaterStepNamesTheNewsThatItsThinkingDidNotKnow) {
  Loom loom;
  const Cid prompt = loom.human("count");
  const Cid thinking = loom.thinks("run it");
  loom.calls("t1");
  const Cid result = loom.prints("t1", "3");
  EXPECT_EQ(loom.because(loom.says("three")), (Cids{thinking, result, prompt}));
}

TEST(Weave, ResponseWithoutThinkingRestsOnItsNews) {
  Loom loom;
  const Cid prompt = loom.human("hi");
  EXPECT_EQ(loom.because(loom.says("hello")), Cids{prompt});
}

TEST(Weave, ToolRequestRestsOnTheThinkingOfItsStep) {
  Loom loom;
  loom.human("count");
  const Cid thinking = loom.thinks("run it");
  const Cid request = loom.calls("t1");
  EXPECT_EQ(loom.thought(request).type, "anthropic/tool_request");
  EXPECT_EQ(loom.because(request), Cids{thinking});
}

TEST(Weave, ToolRequestWithoutThinkingInItsStepRestsOnNewsAndTheTurnsThinking) {
  Loom loom;
  const Cid prompt = loom.human("count");
  EXPECT_EQ(loom.because(loom.calls("t0")), Cids{prompt});
  loom.prints("t0", "1");
  const Cid thinking = loom.thinks("more");
  loom.calls("t1");
  const Cid result = loom.prints("t1", "2");
  EXPECT_EQ(loom.because(loom.calls("t2")), (Cids{result, thinking}));
}

TEST(Weave, ToolResultRestsOnItsRequestById) {
  Loom loom;
  loom.human("both");
  const Cid first = loom.calls("t1");
  const Cid second = loom.calls("t2");
  EXPECT_EQ(loom.because(loom.prints("t2", "b")), Cids{second});
  EXPECT_EQ(loom.because(loom.prints("t1", "a")), Cids{first});
}

TEST(Weave, ToolResultWithoutIdsTakesTheNextOpenRequestOfItsName) {
  Loom loom;
  loom.human("search");
  const Cid first = loom.calls("", "search");
  const Cid other = loom.calls("", "fetch");
  const Cid second = loom.calls("", "search");
  EXPECT_EQ(loom.because(loom.prints("", "1", "search")), Cids{first});
  EXPECT_EQ(loom.because(loom.prints("", "2", "search")), Cids{second});
  EXPECT_EQ(loom.because(loom.prints("", "3", "fetch")), Cids{other});
}

TEST(Weave, ToolResultWhoseCallHasNotComeRestsOnTheBlockBefore) {
  Loom loom;
  loom.human("go");
  const Cid before = loom.says("look");
  EXPECT_EQ(loom.because(loom.prints("lost", "x")), Cids{before});
}

TEST(Weave, ToolResultIsSaidByTheToolItsCallNamed) {
  Loom loom;
  loom.human("go");
  loom.calls("t1", "Grep");
  const Cid result = loom.prints("t1", "x", "");
  EXPECT_EQ(find_string(loom.opened(result), "tool_name"), "Grep");
  const thought::Thought& identity = loom.thought(loom.thought(result).created_by);
  EXPECT_EQ(find_string(identity.content, "kind"), "tool");
  EXPECT_EQ(find_string(identity.content, "name"), "Grep");
}

TEST(Weave, FirstHumanInputRestsOnNothing) {
  Loom loom;
  const Cid prompt = loom.human("hi");
  EXPECT_EQ(loom.thought(prompt).type, "anthropic/human_input");
  EXPECT_TRUE(loom.because(prompt).empty());
  EXPECT_EQ(loom.opened(prompt), (json::object{{"text", "hi"}}));
}

TEST(Weave, HumanInputRestsOnTheLastResponseBeforeIt) {
  Loom loom;
  loom.human("hi");
  loom.says("first");
  const Cid last = loom.says("second");
  EXPECT_EQ(loom.because(loom.human("more")), Cids{last});
}

TEST(Weave, HumanInputAlsoRestsOnTheLastBlockAfterThatResponse) {
  Loom loom;
  loom.human("hi");
  const Cid response = loom.says("running");
  loom.calls("t1");
  const Cid result = loom.prints("t1", "x");
  EXPECT_EQ(loom.because(loom.human("stop")), (Cids{response, result}));
}

TEST(Weave, AttachmentOfAPersonCountsAmongTheInputs) {
  Loom loom;
  const Cid file =
      loom.emit(Author::human, transcript::Attachment{.kind = "file", .name = "a.txt"});
  const Cid prompt = loom.human("read it");
  EXPECT_EQ(loom.thought(file).type, "anthropic/attachment");
  EXPECT_EQ(loom.because(loom.says("read")), (Cids{file, prompt}));
}

TEST(Weave, ProgramInputRestsOnTheBlockBeforeAndOpensTheTurn) {
  Loom loom;
  const Cid prompt = loom.human("hi");
  const Cid context = loom.program("<date>");
  EXPECT_EQ(loom.thought(context).type, "anthropic/system_input");
  EXPECT_EQ(loom.because(context), Cids{prompt});
  EXPECT_EQ(loom.because(loom.says("hello")), (Cids{prompt, context}));
  const thought::Thought& identity = loom.thought(loom.thought(context).created_by);
  EXPECT_EQ(find_string(identity.content, "name"), "harness");
}

TEST(Weave, CompactionEndsAllReasoningBeforeIt) {
  Loom loom;
  const Cid prompt = loom.human("go");
  loom.thinks("old");
  const Cid said = loom.says("doing");
  const Cid compaction = loom.emit(Author::model, transcript::Compaction{"so far"});
  EXPECT_EQ(loom.thought(compaction).type, "anthropic/compaction");
  EXPECT_EQ(loom.because(compaction), Cids{said});
  EXPECT_EQ(loom.because(loom.says("done")), (Cids{compaction, prompt}));
}

TEST(Weave, FileOfAResultRestsOnTheResult) {
  Loom loom;
  loom.human("go");
  loom.calls("t1");
  const Cid result = loom.prints("t1", "see file");
  const Cid file =
      loom.emit(Author::tool, transcript::Attachment{.kind = "file", .name = "out.txt"});
  EXPECT_EQ(loom.because(file), Cids{result});
}

TEST(Weave, SummaryFailureAndUnknownRestOnTheBlockBefore) {
  Loom loom;
  loom.human("go");
  const Cid summary = loom.emit(Author::program, transcript::Summary{"a talk"});
  const Cid failure = loom.emit(Author::program, transcript::Failure{"overloaded"});
  const Cid unknown =
      loom.emit(Author::model, transcript::Unknown{"hologram", json::object{{"z", 1}}, {}});
  EXPECT_EQ(loom.thought(summary).type, "anthropic/summary");
  EXPECT_EQ(loom.because(failure), Cids{summary});
  EXPECT_EQ(loom.because(unknown), Cids{failure});
  EXPECT_EQ(loom.opened(unknown),
            (json::object{{"block_type", "hologram"}, {"raw", json::object{{"z", 1}}}}));
}

TEST(Weave, CitationMakesAResourceThatTheResponsePointsIntoByCodePoints) {
  Loom loom;
  loom.human("who?");
  const std::string text = "Žižek says: “ideology” is here, and so on and so on until the end";
  const Cid answer = loom.says(
      text, {{.url = "https://example.org/a", .title = "A", .indices = std::pair{12u, 22u}}});
  const Cids resources = loom.of_type("external/web_resource");
  ASSERT_EQ(resources.size(), 1u);
  EXPECT_EQ(loom.opened(resources[0]), (json::object{{"url", "https://example.org/a"}}));
  EXPECT_TRUE(loom.because(resources[0]).empty());
  EXPECT_EQ(loom.thought(resources[0]).created_by, loom.identities.owner().cid);

  const thought::ContentRef& ref = loom.thought(answer).because.back();
  EXPECT_EQ(ref.thought, resources[0]);
  ASSERT_TRUE(ref.anchor);
  EXPECT_EQ(ref.anchor->exact, "“ideology”");
  EXPECT_EQ(ref.anchor->prefix, "Žižek says: ");
  EXPECT_EQ(ref.anchor->suffix, " is here, and so on and so on un");

  const Cids citations = loom.of_type("anthropic/citation");
  ASSERT_EQ(citations.size(), 1u);
  EXPECT_EQ(loom.because(citations[0]), Cids{resources[0]});
  EXPECT_EQ(loom.opened(citations[0]), (json::object{{"url", "https://example.org/a"},
                                                     {"title", "A"},
                                                     {"text", "“ideology”"},
                                                     {"indices", json::array{12, 22}}}));
}

TEST(Weave, CitedDocumentOfThePersonIsTheSourceItself) {
  Loom loom;
  const Cid document =
      loom.emit(Author::human, transcript::Attachment{.kind = "document", .name = "d"});
  const Cid prompt = loom.human("quote it");
  const Cid answer = loom.says("it says x", {{.title = "d", .text = "x", .document = 0}});
  EXPECT_EQ(loom.because(answer), (Cids{document, prompt, document}));
  EXPECT_EQ(loom.thought(answer).because.back().anchor->exact, "x");
}

TEST(Weave, CitationWithoutASourceHangsOnItsResponse) {
  Loom loom;
  loom.human("quote it");
  const Cid answer = loom.says("it says x", {{.title = "a book", .text = "x"}});
  const Cids citations = loom.of_type("anthropic/citation");
  ASSERT_EQ(citations.size(), 1u);
  EXPECT_EQ(loom.because(citations[0]), Cids{answer});
}

// --- steps ---------------------------------------------------------------------------------

TEST(Weave, ParallelCallsOfOneMessageKnowNothingOfEachOthersResults) {
  Loom loom;
  const Cid prompt = loom.human("both");
  loom.message_id = "msg_1";
  const Cid first = loom.calls("t1");
  loom.message_id.reset();
  const Cid early = loom.prints("t1", "a");  // in a record of its own, amid the message
  loom.message_id = "msg_1";
  const Cid second = loom.calls("t2");
  loom.message_id.reset();
  const Cid late = loom.prints("t2", "b");
  EXPECT_EQ(loom.because(first), Cids{prompt});
  EXPECT_EQ(loom.because(second), Cids{prompt});
  loom.message_id = "msg_2";
  EXPECT_EQ(loom.because(loom.thinks("both are in")), (Cids{early, late}));
}

TEST(Weave, ResultInsideAMessageIsNewsForWhatFollowsItThere) {
  Loom loom;
  loom.human("search");
  loom.message_id = "msg_1";
  const Cid thinking = loom.thinks("look it up");
  loom.calls("srv1", "web_search");
  const Cid result = loom.prints("srv1", "found", "web_search");
  const Cid after = loom.thinks("read it");
  EXPECT_EQ(loom.because(after), Cids{result});
  EXPECT_NE(loom.because(after), Cids{thinking});
}

TEST(Weave, StepWithoutNewsRestsOnTheBlockBefore) {
  Loom loom;
  loom.human("go");
  loom.message_id = "msg_1";
  const Cid said = loom.says("one");
  loom.message_id = "msg_2";
  EXPECT_EQ(loom.because(loom.thinks("two")), Cids{said});
}

}  // namespace
}  // namespace weft::weave
