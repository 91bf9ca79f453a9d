// Outlines and blocks by ordinal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/query/questions.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

using store::Talk;
using testing::ElementsAre;

constexpr Millis kTime = 1'700'000'000'000;

thought::Thought made(const std::string& kind, json::object content, std::vector<Cid> because = {},
                      Millis time = kTime) {
  thought::Thought thought;
  thought.type = "test/" + kind;
  thought.content = std::move(content);
  thought.created_at = time;
  for (const Cid& cause : because) thought.because.push_back({.thought = cause});
  return thought;
}

class OutlineTest : public testing::Test {
 protected:
  OutlineTest() {
    auto opened = store::open_store(scratch_.path() / "weft.db", store::Create::yes);
    EXPECT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }
  void commit(Talk& talk) {
    const auto report = store_->writer().commit(talk.batch());
    ASSERT_TRUE(report) << report.error().message;
  }
  json::object outline(const Talk& talk, const OutlineOptions& options = {},
                       const crypto::Keyring* keyring = nullptr) const {
    return outline_of({.web = *store_, .keyring = keyring}, talk, options).value();
  }
  Result<json::object> outline_of(const Library& library, const Talk& talk,
                                  const OutlineOptions& options) const {
    return query::outline(library, store_->conversation(talk.cid()).value(), options);
  }
  json::object blocks(const Talk& talk, const BlocksOptions& options = {}) const {
    const auto answer =
        query::blocks({.web = *store_}, store_->conversation(talk.cid()).value(), options);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value();
  }
  static std::string column(const json::object& outline, std::string_view name) {
    return canonical_json(outline.at("columns").at(name));
  }

  store::Scratch scratch_;
  std::unique_ptr<store::Store> store_;
};

TEST_F(OutlineTest, IsColumnsWithoutText) {
  Talk talk("s1");
  talk.turn("human");
  const Cid prompt = talk.stands(made("human_input", {{"text", "Wie geht’s?"}}));
  talk.turn("assistant");
  const Cid call = talk.stands(
      made("tool_request", {{"tool_name", "bash"}, {"input", {{"a", 1}}}}, {prompt}, kTime + 10));
  const Cid result = talk.stands(
      made("tool_result", {{"tool_name", "bash"}, {"result_text", ""}, {"is_error", true}}, {call},
           kTime + 250));
  talk.stands(
      made("response", {{"text", "gut"}, {"duration_ms", 7}}, {result, prompt}, kTime + 300));
  commit(talk);
  const json::object answer = outline(talk);
  EXPECT_EQ(answer.at("conversation_cid").as_string(), talk.cid().str());
  EXPECT_EQ(answer.at("count"), 4);
  EXPECT_EQ(canonical_json(answer.at("kinds")),
            R"(["human_input","tool_request","tool_result","response"])");
  EXPECT_EQ(canonical_json(answer.at("tools")), R"(["bash"])");
  EXPECT_EQ(canonical_json(answer.at("flags")),
            R"(["error","withheld","superseded","sealed","branch"])");
  EXPECT_EQ(column(answer, "kind"), "[0,1,2,3]");
  EXPECT_EQ(column(answer, "time"), "[1700000000000,1700000000010,1700000000250,1700000000300]");
  EXPECT_EQ(column(answer, "length"), "[11,7,0,3]") << "characters, not bytes";
  EXPECT_EQ(column(answer, "duration_ms"), "[null,null,240,7]") << "a result: since its call";
  EXPECT_EQ(column(answer, "tool"), "[null,0,0,null]");
  EXPECT_EQ(column(answer, "flags"), "[0,0,1,0]");
  EXPECT_EQ(column(answer, "turn"), "[0,1,1,1]");
  EXPECT_EQ(column(answer, "causes"), "[[],[1],[1],[1,3]]");
  EXPECT_EQ(canonical_json(answer.at("elsewhere")), "[]");
  EXPECT_FALSE(answer.contains("sealed"));
  EXPECT_EQ(canonical_json(answer).find("gut"), std::string::npos);
}

TEST_F(OutlineTest, ASummaryStandsRightAfterItsThinking) {
  Talk talk("s1");
  const Cid thinking = talk.stands(made("thinking", {{"reasoning", ""}, {"withheld", true}}));
  talk.stands(made("response", {{"text", "a"}}, {thinking}));
  Talk other("s2");
  const Cid summary =
      other.stands(made("thinking_summary", {{"summaries", {"ab", "c"}}}, {thinking}));
  other.connect("rework", summary, thinking);
  commit(talk);
  commit(other);
  const json::object answer = outline(talk);
  EXPECT_EQ(canonical_json(answer.at("kinds")), R"(["thinking","thinking_summary","response"])");
  EXPECT_EQ(column(answer, "length"), "[0,3,1]");
  EXPECT_EQ(column(answer, "flags"), "[2,0,0]");
  EXPECT_EQ(column(answer, "causes"), "[[],[1],[2]]");
}

TEST_F(OutlineTest, SupersededBlocksAreLeftOutUnlessAllIsWanted) {
  Talk talk("s1");
  const Cid draft = talk.stands(made("response", {{"text", "draft"}}));
  const Cid final = talk.stands(made("response", {{"text", "final!"}}, {draft}));
  talk.connect("supersedes", final, draft);
  commit(talk);
  const json::object shown = outline(talk);
  EXPECT_EQ(shown.at("count"), 1);
  EXPECT_EQ(column(shown, "length"), "[6]");
  EXPECT_EQ(column(shown, "causes"), "[[]]");
  EXPECT_EQ(canonical_json(shown.at("elsewhere")),
            canonical_json(json::array{json::object{{"ordinal", 0}, {"cid", draft.str()}}}))
      << "a cause that is not in the outline is named by its CID";
  const json::object all = outline(talk, {.all = true});
  EXPECT_EQ(column(all, "flags"), "[4,0]");
  EXPECT_EQ(column(all, "causes"), "[[],[1]]");
  EXPECT_EQ(blocks(talk, {.all = true}).at("blocks").at(0).at("superseded"), true);
}

TEST_F(OutlineTest, WithoutTheKeyWhatALayerStatesIsNullAndTheAnswerSaysSo) {
  const auto owner = crypto::Keyring::create("Ada", 1'000, crypto::SealMode::all);
  const auto metadata =
      crypto::Keyring::parse(owner->exported(crypto::Reach::metadata).value(), {}).value();
  Talk talk("s1");
  thought::Thought call = made("tool_request", {});
  call.created_by = talk.owner();
  thought::set_content(call, {{"tool_name", "bash"}, {"input", {{"a", 1}}}}, *owner);
  const Cid call_cid = talk.stands(call);
  thought::Thought response = made("response", {}, {call_cid});
  response.created_by = talk.owner();
  thought::set_content(response, {{"text", "four"}, {"duration_ms", 9}}, *owner);
  talk.stands(response);
  commit(talk);
  const json::object open = outline(talk, {}, &*owner);
  EXPECT_EQ(column(open, "length"), "[7,4]");
  EXPECT_EQ(column(open, "duration_ms"), "[null,9]");
  EXPECT_EQ(column(open, "tool"), "[0,null]");
  EXPECT_FALSE(open.contains("sealed"));
  const json::object half = outline(talk, {}, &metadata);
  EXPECT_EQ(column(half, "length"), "[null,4]") << "only the content layer has the input";
  EXPECT_EQ(column(half, "tool"), "[0,null]");
  EXPECT_EQ(half.at("sealed"), 2);
  const json::object closed = outline(talk);
  EXPECT_EQ(column(closed, "length"), "[null,null]");
  EXPECT_EQ(column(closed, "tool"), "[null,null]");
  EXPECT_EQ(column(closed, "flags"), "[8,8]");
  EXPECT_EQ(column(closed, "causes"), "[[],[1]]") << "the shape is clear";
  EXPECT_EQ(closed.at("sealed"), 2);
  EXPECT_EQ(closed.at("notes").as_array().size(), 1u);
}

TEST_F(OutlineTest, BlocksAreCutAndSayTheirFullLengths) {
  Talk talk("s1");
  talk.stands(made("tool_result", {{"result_text", "ääääää"}, {"details", {{"a/b", "12345"}}}}));
  talk.stands(made("response", {{"text", "äää"}}));
  commit(talk);
  const json::object answer = blocks(talk, {.cut = 4});
  const json::array& shown = answer.at("blocks").as_array();
  EXPECT_EQ(shown.at(0).at("content").at("result_text"), "ääää");
  EXPECT_EQ(canonical_json(shown.at(0).at("lengths")),
            R"({"/content/details/a~1b":5,"/content/result_text":6})");
  EXPECT_EQ(shown.at(1).at("content").at("text"), "äää");
  EXPECT_FALSE(shown.at(1).as_object().contains("lengths"));
  EXPECT_EQ(shown.at(1).at("ordinal"), 1);
}

TEST_F(OutlineTest, PiecesBeginAndEndWhereTheyAreAskedTo) {
  Talk talk("s1");
  std::vector<std::string> cids;
  for (const char* text : {"a", "bb", "ccc", "dddd"}) cids.push_back(talk.says(text).str());
  commit(talk);
  const json::object piece = outline(talk, {.from = 1, .limit = 2});
  EXPECT_EQ(piece.at("count"), 4);
  EXPECT_EQ(piece.at("from"), 1);
  EXPECT_EQ(column(piece, "length"), "[2,3]");
  EXPECT_EQ(column(piece, "causes"), "[[1],[1]]") << "also to a block before the piece";
  EXPECT_EQ(column(outline(talk, {.from = 9}), "length"), "[]");
  const json::object found = blocks(talk, {.from = 3, .limit = 9});
  EXPECT_EQ(found.at("blocks").as_array().size(), 1u);
  EXPECT_EQ(found.at("blocks").at(0).at("cid").as_string(), cids[3]);
  EXPECT_THAT(outline_of({.web = *store_}, talk, {.branch = cids[0]}).error().message,
              testing::HasSubstr("is not a turn of this conversation"));
}

}  // namespace
}  // namespace weft::query
