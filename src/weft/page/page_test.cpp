#include "weft/page/page.hpp"

#include <set>

#include "weft/page/edited_files_for_test.hpp"
#include "weft/page/page_for_test.hpp"
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

using testing::HasSubstr;
using testing::Not;

// One request for each route.
std::vector<std::string> targets(const Garden& garden) {
  const std::string conversation = "/api/conversations/" + std::string(mcp::kTulips);
  const std::string thought = "/api/thoughts/" + garden.cid_of(mcp::kTulips, "response");
  return {"/api/hello",
          "/api/conversations?limit=2&fold",
          conversation,
          conversation + "/outline",
          conversation + "/blocks?limit=3&cut=10",
          conversation + "/find?q=tulips",
          conversation + "/diff",
          conversation + "/stats",
          "/api/stats",
          "/api/stats?by=day",
          "/api/cost?by=model",
          thought,
          thought + "?sealed",
          thought + "/why",
          thought + "/effects?depth=2",
          thought + "/connections",
          thought + "/places",
          thought + "/text?pointer=/type",
          "/api/search?q=tulips&group=session",
          "/api/suggest?q=t",
          "/api/names",
          "/api/today",
          "/api/forgotten",
          "/api/path?from=" + garden.cid_of(mcp::kTulips, "response") +
              "&to=" + garden.cid_of(mcp::kTulips, "human_input"),
          "/api/verify?quick",
          "/api/sources",
          "/api/schemas"};
}

TEST_F(PageTest, EveryAnswerHasTheShapeThatItsRouteDescribes) {
  EditedFiles files(garden);
  const std::string call = files.writes("trees.txt", "an old apple tree\n");
  files.ingest();
  std::vector<std::string> all = targets(garden);
  all.push_back("/api/thoughts/" + files.cid_of(call) + "/blame");
  EXPECT_NE(refusal("/api/keeper", 404), "") << "of a store in a file";
  has_keeper(R"({"is_kept": true, "keeper": {"name": "loom:7", "since": 1}, "behind": 0,
    "checked": 3, "rounds": 1, "findings": [{"cid": "cid:blake3:00", "kind": "bad"}],
    "forgotten": [{"tombstone": "cid:blake3:01", "conversations": [], "thoughts": 2, "at": 5}],
    "waiting": [{"tombstone": "cid:blake3:02", "conversations": [], "why": "it is older"}],
    "wiped": true, "merged_at": null, "analyzed_at": 4, "error": null})");
  all.push_back("/api/keeper");
  std::set<std::string_view> asked;
  for (const std::string& target : all) {
    for (const Route* route : all_routes()) {
      if (!match_path(route->path, split_target(target).path)) continue;
      asked.insert(route->path);
      const auto schema = parse_json(schema_of(*route));
      ASSERT_TRUE(schema) << route->path;
      EXPECT_EQ(mcp::breach(schema->value.as_object(), answer(target)), "") << target;
    }
  }
  for (const Route* route : all_routes()) {
    if (route->answer != nullptr) EXPECT_TRUE(asked.contains(route->path)) << route->path;
  }
}

TEST_F(PageTest, AnAnswerIsThatOfTheQuestion) {
  const auto row = query::resolve_conversation(garden.library(), mcp::kTulips);
  EXPECT_EQ(answer("/api/conversations/" + std::string(mcp::kTulips)),
            query::describe(garden.library(), *row));
  EXPECT_EQ(answer("/api/stats"), *query::stats(garden.library(), std::nullopt));
}

TEST_F(PageTest, ErrorsAreJsonAndSayWhatIsWrong) {
  const auto refused = [&](const std::string& target, unsigned status, std::string_view code) {
    const net::HttpResponse response = get(target);
    EXPECT_EQ(response.status, status) << target;
    const json::object body = parse_json(response.body)->value.as_object();
    EXPECT_EQ(view(body.at("error").as_object().at("code").as_string()), code) << target;
    EXPECT_FALSE(body.at("error").as_object().at("message").as_string().empty());
  };
  refused("/api/conversations/nobody", 404, "not_found");
  refused("/api/thoughts/xyz", 400, "invalid_input");
  refused("/api/search", 400, "invalid_input");
  refused("/api/search?q=a&limit=0", 400, "invalid_input");
  refused("/api/search?q=a&q=b", 400, "invalid_input");
  refused("/api/conversations?since=someday", 400, "invalid_input");
  refused("/api/hello?nonsense=1", 400, "invalid_input");
  refused("/api/thoughts/" + garden.cid_of(mcp::kTulips, "response") + "/bytes", 404, "not_found");
}

TEST_F(PageTest, FindNamesTheBlocksByTheirOrdinals) {
  const std::string conversation = "/api/conversations/" + std::string(mcp::kTulips);
  const json::object found = answer(conversation + "/find?q=tulips");
  const json::array& ordinals = found.at("ordinals").as_array();
  ASSERT_FALSE(ordinals.empty());
  for (const json::value& ordinal : ordinals) {
    const std::string from = std::to_string(ordinal.to_number<std::uint64_t>());
    const json::object block = answer(conversation + "/blocks?limit=1&from=" + from);
    const std::string text = canonical_json(block.at("blocks").as_array().at(0));
    EXPECT_THAT(text, testing::AnyOf(HasSubstr("tulip"), HasSubstr("Tulip")));
  }
}

TEST_F(PageTest, APathLeadsFromTheThoughtThatRestsOnTheOther) {
  const std::string answered = garden.cid_of(mcp::kTulips, "response");
  const std::string asked = garden.cid_of(mcp::kTulips, "human_input");
  for (const bool is_forwards : {true, false}) {
    const json::object found = answer("/api/path?from=" + (is_forwards ? answered : asked) +
                                      "&to=" + (is_forwards ? asked : answered));
    EXPECT_EQ(found.at("rests"), is_forwards ? "from" : "to");
    const json::array& path = found.at("path").as_array();
    ASSERT_GE(path.size(), 2u);
    EXPECT_EQ(view(path.front().at("cid").as_string()), answered);
    EXPECT_EQ(view(path.back().at("cid").as_string()), asked);
  }
}

TEST_F(PageTest, NamesAreThoseOfTheStoreAsItIs) {
  EXPECT_THAT(get("/api/names").body, HasSubstr("Bash"));
  EXPECT_EQ(answer("/api/suggest?q=ba").at("tools"), json::array({"Bash"}));
}

TEST_F(PageTest, WithoutTheKeyNoAnswerHasReasoning) {
  const std::string thinking = garden.cid_of(mcp::kTulips, "thinking");
  const json::object open = answer("/api/thoughts/" + thinking);
  const std::string words(view(open.at("content").as_object().at("reasoning").as_string()));
  ASSERT_GT(words.size(), 10u);
  std::vector<std::string> all = targets(garden);
  all.push_back("/api/thoughts/" + thinking);
  all.push_back("/api/thoughts/" + thinking + "?sealed");
  all.push_back("/api/search?q=" + words.substr(0, words.find(' ')));
  for (const Keys keys : {Keys::metadata, Keys::none}) {
    use_keys(keys);
    for (const std::string& target : all) {
      if (keys == Keys::none && target == "/api/sources") continue;
      EXPECT_THAT(get(target).body, Not(HasSubstr(words))) << target;
    }
  }
}

TEST_F(PageTest, AStreamSaysWhatGrewAndGoesOnAfterAnyCheckpoint) {
  const auto first = std::make_shared<Kept>();
  const auto stream = ask("/api/events", first);
  const std::string hello = first->parts_with("event: hello");
  EXPECT_THAT(hello, HasSubstr(R"("resumed":false)"));
  const std::size_t at = hello.find("id: ") + 4;
  const std::string checkpoint = hello.substr(at, hello.find('\n', at) - at);

  garden.ingest(std::filesystem::path(WEFT_SOURCE_DIR) / "tests" / "fixtures" /
                "anthropic_transcript" / "results-in-human.txt");
  const std::string grown = first->parts_with("event: grown");
  EXPECT_THAT(grown, Not(HasSubstr("boats")));

  const auto later = std::make_shared<Kept>();
  const auto resumed = ask("/api/events", later, {{"last-event-id", checkpoint}});
  EXPECT_THAT(later->parts_with("event: grown"), HasSubstr(R"("resumed":true)"));

  const auto stranger = std::make_shared<Kept>();
  const auto unknown =
      ask("/api/events", stranger, {{"last-event-id", "cid:blake3:" + std::string(64, '0')}});
  EXPECT_THAT(stranger->parts_with("event: hello"), HasSubstr(R"("resumed":false)"));

  stream->cancel();
  page->drain();
  EXPECT_EQ(later->response().status, 200u);
}

TEST_F(PageTest, ACancelledQuestionIsNotAnswered) {
  auto kept = std::make_shared<Kept>();
  const std::weak_ptr<Kept> watched = kept;
  const auto question = ask("/api/verify", kept);
  kept.reset();
  question->cancel();
  EXPECT_TRUE(watched.expired());  // nobody can answer through it any more
}

}  // namespace
}  // namespace weft::page
