#include "weft/formats/adapters/chatgpt_export/chatgpt_export_for_test.hpp"

namespace weft::formats::chatgpt_export {
namespace {

using transcript::Attachment;
using transcript::Citation;
using transcript::Text;
using transcript::Thinking;

const std::string kHi = node("u", "", from("user", words("Hi.")));
const std::string kHo = node("a", "u", from("assistant", words("Ho.")));

TEST(ChatgptTree, GoesFromParentToChildWhateverTheOrderOfTheFile) {
  EXPECT_EQ(outline(only(read(chat(kHo + "," + kHi)))), "human u: Hi. | assistant a: Ho.");
}

TEST(ChatgptTree, AnAnswerGivenAnewIsABranchAndTheShownOneComesLast) {
  const std::string again = node("b", "u", from("assistant", words("Hey.")));
  EXPECT_EQ(outline(only(read(chat(kHi + "," + kHo + "," + again, R"(,"current_node":"b")")))),
            "human u: Hi. | assistant a: Ho. | assistant b<u: Hey.");
  EXPECT_EQ(outline(only(read(chat(kHi + "," + kHo + "," + again, R"(,"current_node":"a")")))),
            "human u: Hi. | assistant b: Hey. | assistant a<u: Ho.");
}

TEST(ChatgptTree, AnEditOfTheFirstQuestionFollowsNothing) {
  const std::string edited = node("v", "", from("user", words("Hello.")));
  EXPECT_EQ(outline(only(read(chat(kHi + "," + kHo + "," + edited, R"(,"current_node":"v")")))),
            "human u: Hi. | assistant a: Ho. | human v<: Hello.");
}

TEST(ChatgptTree, WhereNothingWasShownTheNewestLeafIsLast) {
  const std::string newer =
      node("b", "u",
           R"({"author":{"role":"assistant"},"create_time":1767225700,"content":)" +
               words("Newer.") + "}");
  EXPECT_EQ(outline(only(read(chat(kHi + "," + newer + "," + kHo)))),
            "human u: Hi. | assistant a: Ho. | assistant b<u: Newer.");
}

TEST(ChatgptTree, ACircleAndAParentThatIsMissingDoNoHarm) {
  const std::string one = node("x", "y", from("user", words("One.")));
  const std::string two = node("y", "x", from("assistant", words("Two.")));
  const std::string lost = node("z", "gone", from("user", words("Lost.")));
  EXPECT_EQ(outline(only(read(chat(one + "," + two + "," + lost)))),
            "human z: Lost. | human x<: One. | assistant y: Two.");
}

TEST(ChatgptTree, ABranchWithinAnAnswerIsATurnThatFollowsIt) {
  const std::string call = node("c", "u", from("assistant", words("x"), to("python")));
  const std::string first = node("r", "c", result("python", words("1")));
  const std::string second = node("s", "c", result("python", words("2")));
  EXPECT_EQ(outline(only(read(chat(kHi + "," + call + "," + first + "," + second)))),
            "human u: Hi. | assistant c: call result | assistant s: result");
}

TEST(ChatgptTree, WhatSaysNothingStandsForItsParent) {
  const std::string empty = node("e", "u", from("system", words("")));
  const std::string answer = node("a", "e", from("assistant", words("Ho.")));
  const Collector all = read(chat(kHi + "," + empty + "," + answer));
  EXPECT_EQ(outline(only(all)), "human u: Hi. | assistant a: Ho.");
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"empty", 1}}));
}

TEST(ChatgptTools, ACallIsWhatIsSaidToAToolAndItsResultsAreItsChildren) {
  const std::string nodes =
      kHi + "," + node("c", "u", from("assistant", words(R"({\"q\":1})"), to("browser.search"))) +
      "," +
      node("r", "c",
           result("browser", R"({"content_type":"tether_browsing_display","result":"hits"})")) +
      "," +
      node("s", "r",
           result("browser",
                  R"({"content_type":"tether_quote","text":"quote","url":"https://q/"})"));
  const auto blocks = blocks_of(only(read(chat(nodes))));
  ASSERT_EQ(blocks.size(), 4u);
  const auto call = std::get<ToolCall>(blocks[1].body);
  EXPECT_EQ(call.name, "browser.search");
  EXPECT_EQ(call.input, (json::object{{"q", 1}}));
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body).call_id, call.id);
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body).text, "hits");
  const auto quote = std::get<ToolResult>(blocks[3].body);
  EXPECT_EQ(quote.call_id, call.id);
  EXPECT_EQ(quote.name, "browser");
  EXPECT_EQ(quote.details, (json::object{{"url", "https://q/"}}));
}

TEST(ChatgptTools, AResultIsOfTheNearestCallToItsTool) {
  const std::string nodes =
      node("c", "", from("assistant", words("x"), to("python"))) + "," +
      node("d", "c", from("assistant", words("y"), to("bio"))) + "," +
      node(
          "r", "d",
          result(
              "python", R"({"content_type":"execution_output","text":"1"})",
              R"(,"metadata":{"aggregate_result":{"status":"failed_with_in_kernel_exception"}})")) +
      "," + node("s", "r", result("other", words("2")));
  const auto blocks = blocks_of(only(read(chat(nodes))));
  const auto ran = std::get<ToolResult>(blocks[2].body);
  EXPECT_EQ(ran.call_id, "c");
  EXPECT_TRUE(ran.is_error);
  EXPECT_EQ(std::get<ToolResult>(blocks[3].body).call_id, "d");
}

TEST(ChatgptTools, AResultWithoutACallIsKept) {
  const auto blocks = blocks_of(only(read(chat(node("r", "", result("python", words("1")))))));
  EXPECT_EQ(std::get<ToolResult>(blocks[0].body).call_id, "");
}

TEST(ChatgptTools, CodeThatIsSaidToAllIsText) {
  const std::string code =
      from("assistant", R"({"content_type":"code","language":"c","text":"x"})", to("all"));
  EXPECT_EQ(outline(only(read(chat(node("a", "", code))))), "assistant a: x");
}

TEST(ChatgptMessage, ThoughtsAndTheirRecapAreThinking) {
  const std::string nodes =
      kHi + "," +
      node(
          "t", "u",
          from(
              "assistant",
              R"({"content_type":"thoughts","thoughts":[{"summary":"Sum","content":"Long."},{"summary":"","content":"","chunks":["Pie","ces"]}]})",
              to("all"))) +
      "," +
      node(
          "r", "t",
          from(
              "assistant", R"({"content_type":"reasoning_recap","content":"Thought for 2s"})",
              R"(,"metadata":{"reasoning_start_time":1767225600.5,"reasoning_end_time":1767225602.5,"model_slug":"m"})"));
  const auto blocks = blocks_of(only(read(chat(nodes))));
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(std::get<Thinking>(blocks[1].body).text, "Long.");
  EXPECT_EQ(std::get<Thinking>(blocks[1].body).summaries, std::vector<std::string>{"Sum"});
  EXPECT_EQ(std::get<Thinking>(blocks[2].body).text, "Pieces");
  EXPECT_EQ(blocks[2].index, 1u);
  EXPECT_EQ(std::get<Thinking>(blocks[3].body).text, "Thought for 2s");
  EXPECT_EQ(blocks[3].start, 1767225600500);
  EXPECT_EQ(blocks[3].stop, 1767225602500);
  EXPECT_EQ(blocks[3].model, "m");
}

TEST(ChatgptMessage, WhatIsHiddenOrSetUpIsTheProgramsAndMayBeEmpty) {
  constexpr std::string_view kHidden =
      R"(,"metadata":{"is_visually_hidden_from_conversation":true})";
  const std::string nodes =
      node("s", "", from("system", words(""), kHidden)) + "," +
      node(
          "i", "s",
          from(
              "user",
              R"({"content_type":"user_editable_context","user_profile":"Me.","user_instructions":"Do."})",
              kHidden)) +
      "," + node("h", "i", from("user", words("Hidden."), kHidden)) + "," +
      node("u", "h", from("user", words("Hi.")));
  const Collector all = read(chat(nodes));
  EXPECT_EQ(outline(only(all)), "system i: *Me. *Do. *Hidden. | human u: Hi.");
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"hidden", 1}}));
}

TEST(ChatgptMessage, PicturesAreNamedByWhatWasAttached) {
  const std::string picture = from(
      "user",
      R"({"content_type":"multimodal_text","parts":["Look:",{"content_type":"image_asset_pointer","asset_pointer":"file-service://file-A","size_bytes":3,"width":1,"height":1},null,{"content_type":"audio_transcription","text":"Said."},{"content_type":"odd"}]})",
      R"(,"metadata":{"attachments":[{"id":"file-A","name":"a.png","mime_type":"image/png"},{"id":"file-B","name":"b.pdf","mime_type":"application/pdf","size":9}]})");
  const Conversation session = only(read(chat(node("u", "", picture))));
  EXPECT_EQ(outline(session), "human u: Look: attachment Said. unknown attachment");
  const auto image = std::get<Attachment>(session.turns[0].blocks[1].body);
  EXPECT_EQ(image.reference, "file-service://file-A");
  EXPECT_EQ(image.name, "a.png");
  EXPECT_EQ(image.size, 3u);
  const auto paper = std::get<Attachment>(session.turns[0].blocks[4].body);
  EXPECT_EQ(paper.kind, "file");
  EXPECT_EQ(paper.reference, "file-B");
}

TEST(ChatgptMessage, ErrorsAndKindsThatNobodyKnowsAreKept) {
  const std::string nodes =
      kHi + "," +
      node("e", "u",
           from("assistant", R"({"content_type":"system_error","name":"E","text":"broke"})")) +
      "," +
      node("t", "e",
           result("browser", R"({"content_type":"system_error","name":"E","text":"broke"})")) +
      "," + node("x", "t", from("assistant", R"({"content_type":"super_widget","w":1})"));
  const auto blocks = blocks_of(only(read(chat(nodes))));
  EXPECT_EQ(std::get<transcript::Failure>(blocks[1].body).text, "broke");
  EXPECT_TRUE(std::get<ToolResult>(blocks[2].body).is_error);
  EXPECT_EQ(std::get<transcript::Unknown>(blocks[3].body).block_type, "super_widget");
}

TEST(ChatgptMessage, SourcesAreFoundByCodePoints) {
  const std::string answer = from(
      "assistant", words("\xC3\xA4 x y"),
      R"(,"metadata":{"content_references":[{"start_idx":2,"end_idx":3,"type":"grouped_webpages","items":[{"title":"T","url":"https://t/","snippet":"S"}]},{"start_idx":4,"end_idx":99,"type":"webpage","title":"U","url":"https://u/"},{"type":"hidden"},{"type":"sources_footnote","sources":[]}],"citations":[]})");
  const auto blocks = blocks_of(only(read(chat(node("a", "", answer)))));
  EXPECT_EQ(
      std::get<Text>(blocks[0].body).citations,
      (std::vector<Citation>{{.url = "https://t/", .title = "T", .text = "S", .indices = {{2, 3}}},
                             {.url = "https://u/", .title = "U"}}));
}

TEST(ChatgptMessage, TimesAreSecondsOrMillisecondsOrInherited) {
  const std::string nodes =
      node("u", "",
           R"({"author":{"role":"user"},"create_time":null,"content":)" + words("Hi.") + "}") +
      "," +
      node("a", "u",
           R"({"author":{"role":"assistant"},"create_time":1767225601000,"content":)" +
               words("Ho.") + "}") +
      "," + node("b", "a", R"({"author":{"role":"assistant"},"content":)" + words("Hum.") + "}");
  const auto blocks = blocks_of(only(read(chat(nodes, R"(,"create_time":1767225600.5)"))));
  EXPECT_EQ(blocks[0].recorded, 1767225600500);
  EXPECT_EQ(blocks[1].recorded, 1767225601000);
  EXPECT_EQ(blocks[2].recorded, 1767225601000);
}

TEST(ChatgptMessage, ANodeThatNoValueCanHoldIsKeptAsItsText) {
  const std::string odd = node("a", "u", from("assistant", words("Ho."), R"(,"x":1e999)"));
  const Conversation session = only(read(chat(kHi + "," + odd)));
  EXPECT_EQ(outline(session), "human u: Hi. | assistant a: unknown");
}

TEST(ChatgptConversation, SaysWhatItIsCalledAndOfWhichProject) {
  const Conversation session =
      only(read(chat(kHi, R"(,"update_time":1767225700,"gizmo_id":"g-p-7")")));
  EXPECT_EQ(session.heading.session_id, "c");
  EXPECT_EQ(session.heading.program, "chatgpt");
  EXPECT_EQ(session.facts.title, "t");
  EXPECT_EQ(session.facts.project, "g-p-7");
  EXPECT_EQ(session.facts.updated_at, 1767225700000);
}

TEST(ChatgptConversation, MayBeAloneInAListInLinesOrWrapped) {
  const std::string one = chat(kHi);
  for (const std::string& file :
       {one, "[" + one + "]", one + "\n" + one, R"({"conversations":[)" + one + "]}"}) {
    EXPECT_EQ(outline(read(file).conversations.at(0)).substr(0, 12), "human u: Hi.") << file;
    EXPECT_EQ(find_adapter("chatgpt-export")->recognises(file), Confidence::yes) << file;
  }
}

TEST(ChatgptConversation, ABrokenOneHarmsOnlyItself) {
  const Collector all = read("[{\"id\":\"x\",\"mapping\":{!}}," + chat(kHi) + ",{\"id\":\"y\"},7]");
  EXPECT_EQ(all.conversations.size(), 1u);
  EXPECT_EQ(all.skipped.size(), 3u);
}

TEST(ChatgptRecognise, KnowsAConversationByItsNodes) {
  const auto recognises = find_adapter("chatgpt-export")->recognises;
  const std::string one = chat(kHi);
  EXPECT_EQ(recognises(R"([{"mapping":{"x":{"y":1}}}])"), Confidence::maybe);
  EXPECT_EQ(recognises(R"({"mapping":"x"})"), Confidence::no);
  EXPECT_EQ(recognises(R"([{"mapping":{},"chat_messages":[]}])"), Confidence::no);
  EXPECT_EQ(
      recognises(R"([{"title":"t","create_time":1,"moderation_results":[],"plugin_ids":null,"ma)"),
      Confidence::maybe);
  EXPECT_EQ(recognises(R"({"messages":[]})"), Confidence::no);
  EXPECT_EQ(find_adapter("chatgpt-export")->ignore_reason("/x/user.json"), "account");
  EXPECT_EQ(find_adapter("chatgpt-export")->ignore_reason("/x/conversations-001.json"),
            std::nullopt);
}

}  // namespace
}  // namespace weft::formats::chatgpt_export
