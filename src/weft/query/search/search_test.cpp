#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/query/questions.hpp"
#include "weft/query/sessions/sessions.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// A store of conversations, each of exchanges: a person's words and an answer.
class Searches : public testing::Test {
 protected:
  void tell(const std::string& session,
            const std::vector<std::pair<std::string, std::string>>& exchanges) {
    store::Talk talk(session);
    for (const auto& [words, answer] : exchanges) {
      talk.turn("human");
      talk.stands(block("human_input", words));
      talk.turn("assistant");
      talk.stands(block("response", answer));
    }
    store::Batch batch = talk.batch();
    store_->writer().prepare(batch, {.keyring = &keyring_});
    const auto committed = store_->writer().commit(batch);
    ASSERT_TRUE(committed) << committed.error().message;
  }

  json::object ask(const SearchOptions& options) {
    Result<json::object> answer = search({*store_, &keyring_}, options);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(json::object{});
  }
  json::array hits(const SearchOptions& options) { return ask(options).at("results").as_array(); }
  std::string note(const std::string& query) {
    const json::object answer = ask({.query = query});
    return answer.contains("notes") ? std::string(answer.at("notes").at(0).as_string()) : "";
  }

  store::Scratch scratch_;
  const crypto::Keyring keyring_ =
      crypto::Keyring::create("ada", 1'000, crypto::SealMode::thinking).value();
  const std::unique_ptr<store::Store> store_ =
      store::open_store("sqlite:" + (scratch_.path() / "weft.db").string(), store::Create::yes)
          .value();

 private:
  thought::Thought block(const std::string& kind, const std::string& text) {
    thought::Thought thought;
    thought.type = "test/" + kind;
    thought.created_by = store::speaker("ada").identity.cid;
    thought.created_at = clock_ += 1'000;
    thought::set_content(thought, {{"text", text}}, keyring_);
    return thought;
  }
  Millis clock_ = 5'000;
};

TEST_F(Searches, PagesOfACursorFitTogetherWhileTheStoreGrows) {
  tell("a", {{"heron", "heron in the reeds"}, {"heron and heron", "no heron here at all today"}});
  tell("b", {{"a heron", "heron heron heron"}});
  std::vector<json::value> all, paged;
  for (json::value& hit : hits({.query = "heron reeds", .limit = 100})) all.push_back(hit);
  ASSERT_EQ(all.size(), 6u);
  SearchOptions question{.query = "heron reeds", .limit = 2};
  for (int page = 0; page < 9; ++page) {
    const json::object answer = ask(question);
    EXPECT_EQ(answer.at("total"), 6);
    for (const json::value& hit : answer.at("results").as_array()) paged.push_back(hit);
    tell("later" + std::to_string(page),
         {{"reeds reeds heron", "a heron of a much longer answer"}});
    if (!answer.contains("next_cursor")) break;
    question.cursor = std::string(answer.at("next_cursor").as_string());
  }
  EXPECT_EQ(paged, all);
  question.query = "heron";
  const Result<json::object> other = search({*store_, &keyring_}, question);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::invalid_input);
}

TEST_F(Searches, GroupsHaveTheBestOfEachSessionAndCountTheOthers) {
  tell("a", {{"heron", "heron in the reeds"}, {"heron and heron", "no heron here at all today"}});
  tell("b", {{"a heron", "nothing"}});
  tell("c", {{"salamander", "nothing"}});
  SearchOptions question{.query = "heron", .group = SearchGroup::session};
  const json::object answer = ask(question);
  EXPECT_EQ(answer.at("total"), 5);
  const json::array& results = answer.at("results").as_array();
  ASSERT_EQ(results.size(), 2u);
  std::map<std::string, json::value> more;
  for (const json::value& hit : results) {
    more[std::string(hit.at("session_id").as_string())] = hit.at("more");
  }
  EXPECT_EQ(more, (std::map<std::string, json::value>{{"a", 3}, {"b", 0}}));
  EXPECT_FALSE(answer.contains("next_cursor"));
  question.limit = 1;
  const json::object first = ask(question);
  EXPECT_EQ(first.at("results").at(0), results[0]);
  question.cursor = std::string(first.at("next_cursor").as_string());
  const json::object second = ask(question);
  EXPECT_EQ(second.at("results").at(0), results[1]);
  EXPECT_FALSE(second.contains("next_cursor"));
}

TEST_F(Searches, ExchangesNameTheTurnOfTheHit) {
  tell("a", {{"where is it", "in the reeds"}, {"and the shuttle", "the heddle lifts"}});
  const json::object hit = search_turns({*store_, &keyring_}, {.query = "heddle"})
                               .value()
                               .at("results")
                               .at(0)
                               .as_object();
  EXPECT_EQ(hit.at("turn_number"), 1);
  EXPECT_EQ(hit.at("turn"), 2);
  EXPECT_EQ(hit.at("hit_turn"), 3);
  const store::ConversationRow row = resolve_conversation({*store_, &keyring_}, "a").value();
  EXPECT_EQ(read_session_turn({*store_, &keyring_}, row, 1).value().at("turn"), 2);
  EXPECT_EQ(row.turn_count, 4u);
}

TEST_F(Searches, BadFiltersAreNamedAndLeftOut) {
  tell("a", {{"heron", "heron"}});
  EXPECT_EQ(note("type:respons heron"),
            "type:respons: no such type; did you mean response? The filter was left out.");
  EXPECT_EQ(note("type:test/Respons heron").substr(0, 61),
            "type:test/Respons: no such type; did you mean test/response? ");
  EXPECT_THAT(note("type:zzzzzzzzzz heron"), HasSubstr("the types are human_input, response, "));
  EXPECT_THAT(note("since:someday heron"), StartsWith("since:someday: 'someday' is not a time"));
  EXPECT_THAT(note("the"), StartsWith("the: words as common as this"));
  EXPECT_EQ(note("type:response heron"), "");
  EXPECT_EQ(ask({.query = "type:respons heron"}).at("total"), 2);
  EXPECT_EQ(ask({.query = "type:respons"}).at("total"), 0);
  EXPECT_FALSE(ask({.query = "type:respons heron"}).contains("sealed_not_searched"));
}

TEST_F(Searches, AnEmptyListSaysWhichFilterMatchesNothing) {
  tell("a", {{"heron", "heron"}});
  const auto notes = [&](const ListOptions& options) {
    const json::object answer = list({*store_, &keyring_}, options).value();
    EXPECT_EQ(answer.at("total"), 0);
    std::vector<std::string> all;
    for (const json::value& one : answer.at("notes").as_array()) {
      all.emplace_back(one.as_string());
    }
    return all;
  };
  EXPECT_THAT(notes({.format = "TEST"}),
              ElementsAre("format TEST: no conversation has it; did you mean test?"));
  EXPECT_THAT(notes({.format = "zzzzzz"}),
              ElementsAre("format zzzzzz: no conversation has it; there are test."));
  EXPECT_THAT(notes({.project = "looms"}),
              ElementsAre("project looms: no conversation has it, nor any other project."));
  EXPECT_THAT(notes({.since = 4'000'000'000'000}),
              ElementsAre(StartsWith("since 2096-10-02 07:06:40: nothing has changed since then; "
                                     "the last change was at 2023")));
  EXPECT_FALSE(list({*store_, &keyring_}, {}).value().contains("notes"));
}

}  // namespace
}  // namespace weft::query
