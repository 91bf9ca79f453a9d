// weft search: what is found, in which order, and in which form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_for_test.hpp"
#include "weft/base/utf8.hpp"

namespace weft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

// The parts of a snippet that are marked.
Words marked_in(const json::object& result) {
  Words words;
  const std::string snippet = text(result, "snippet");
  for (const json::value& mark : list(result, "marks")) {
    const auto at = [&](std::size_t i) {
      return static_cast<std::size_t>(mark.as_array().at(i).as_int64());
    };
    words.emplace_back(slice_code_points(snippet, at(0), at(1)));
  }
  return words;
}

TEST(Search, FindsEveryKindOfBlockByAWordOfItsOwn) {
  const Looms looms;
  std::vector<Planted> all(kClear.begin(), kClear.end());
  all.insert(all.end(), {kThinking, kThinkingSummary});
  for (const Planted& planted : all) {
    for (const std::string& typed : {planted.word, lower(planted.word)}) {
      const json::object answer = search(looms, {typed});
      EXPECT_EQ(number(answer, "total"), 1) << typed << ": " << canonical_json(answer);
      EXPECT_FALSE(answer.contains("sealed_not_searched")) << typed;
      const json::object best = best_of(looms, {typed});
      EXPECT_EQ(text(best, "type"), "anthropic/" + planted.kind) << typed;
      EXPECT_THAT(text(best, "snippet"), HasSubstr(planted.word));
      EXPECT_THAT(marked_in(best), ElementsAre(planted.word));
    }
  }
}

TEST(Search, AnswersWithTheMembersOfTheContract) {
  const Looms looms;
  const json::object answer = search(looms, {"Corvanthel", "nonesuch"});
  EXPECT_THAT(keys(answer), ElementsAre("query", "total", "results"));
  EXPECT_EQ(text(answer, "query"), "Corvanthel nonesuch");
  const json::object result = list(answer, "results").at(0).as_object();
  EXPECT_THAT(keys(result),
              ElementsAre("cid", "type", "score", "snippet", "marks", "conversation_cid",
                          "session_id", "title", "project", "turn", "created_at", "places"));
  EXPECT_EQ(text(result, "type"), "anthropic/response");
  EXPECT_TRUE(result.at("score").is_double());
  EXPECT_GT(result.at("score").as_double(), 0);
  EXPECT_EQ(text(result, "session_id"), kLooms);
  EXPECT_EQ(text(result, "title"), "Ipsidrane and other things");
  EXPECT_EQ(text(result, "project"), "looms");
  EXPECT_EQ(number(result, "turn"), 1);
  EXPECT_EQ(number(result, "created_at"), 1'770'000'005'000);
  EXPECT_EQ(number(result, "places"), 1);
  const json::object thought = looms.json({"get", text(result, "cid")});
  EXPECT_EQ(text(thought.at("content").as_object(), "text"), "Corvanthel answers the weaver.");
  const json::object turn =
      list(looms.json({"walk", text(result, "conversation_cid"), "--turn", "1"}), "turns")
          .at(0)
          .as_object();
  EXPECT_THAT(canonical_json(turn), HasSubstr(text(result, "cid")));
}

TEST(Search, NothingFoundIsAnAnswerThatSaysNo) {
  const Looms looms;
  const Ran ran = looms({"search", "nonesuch", "--json"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_EQ(canonical_json(ran.document()), R"({"query":"nonesuch","results":[],"total":0})");
  const Ran result = looms({"search", "nonesuch"});
  EXPECT_EQ(result.exit, 1) << result;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "weft: nothing found\n");
}

TEST(Search, MoreAndRarerWordsCountMore) {
  const Looms looms;
  EXPECT_EQ(text(best_of(looms, {"weaver", "sleep"}), "session_id"), "night");
  EXPECT_EQ(text(best_of(looms, {"weaver", "draw"}), "session_id"), "drawing");
}

TEST(Search, OptionsAndTypedFiltersAllHold) {
  const Looms looms;
  const std::string conversation = text(best_of(looms, {"Corvanthel"}), "conversation_cid");
  const std::vector<std::pair<Words, int>> cases = {
      {{"weaver"}, 5},
      {{"weaver", "--type", "human_input"}, 3},
      {{"weaver", "--type", "anthropic/human_input"}, 3},
      {{"weaver", "--type", "openai/human_input"}, 0},
      {{"weaver", "type:thinking"}, 1},
      {{"weaver", "type:thinking", "type:response"}, 2},
      {{"weaver", "type:thinking", "type:response", "--type", "anthropic/response"}, 1},
      {{"weaver", "type:thinking", "--type", "response"}, 0},
      {{"weaver", "--role", "human"}, 3},
      {{"weaver", "role:human", "role:assistant", "--role", "assistant"}, 2},
      {{"weaver", "role:human", "--role", "assistant"}, 0},
      {{"weaver", "--project", "looms"}, 3},
      {{"weaver", "--project", "LOOMS"}, 3},
      {{"weaver", "project:looms", "--project", "elsewhere"}, 0},
      {{"weaver", "--conversation", conversation}, 3},
      {{"weaver", "--conversation", kLoomsSession}, 3},
      {{"weaver", "session:" + kLooms}, 3},
      {{"weaver", "session:11111111"}, 3},
      {{"weaver", "session:1111111"}, 0},
      {{"weaver", "session:" + kLoomsSession}, 3},
      {{"weaver", "session:" + conversation}, 3},
      {{"weaver", "session:night", "session:drawing"}, 2},
      {{"weaver", "session:night", "--conversation", conversation}, 0},
      {{"attic", "--conversation", conversation, "--type", "system_input"}, 0},
      {{"attic", "session:" + kLooms, "--type", "system_input"}, 1},  // its subagent's
      {{"weaver", "--since", "2026-02-02"}, 4},
      {{"weaver", "--until", "2026-02-02"}, 4},
      {{"weaver", "since:2026-02-01", "--since", "2026-02-02", "until:2026-02-02"}, 3},
      {{"weaver", "since:2026-03-02", "--since", "2026-02-02"}, 1},
      {{"weaver", "--until", "2026-02-01T21:59:59Z"}, 0},
      {{"find", "tool:bash"}, 1},
      {{"find", "tool:Read"}, 0},
      {{"weaver -answers"}, 4},
      {{"--", "weaver", "-answers"}, 4},
      {{"weaver", "+answers"}, 1},
      {{"\"the weaver asks\""}, 1},
      {{"\"weaver the asks\""}, 0},
      {{"brindle*"}, 1},
  };
  for (const auto& [arguments, total] : cases) {
    const json::object answer = search(looms, arguments);
    EXPECT_EQ(number(answer, "total"), total) << testing::PrintToString(arguments);
    EXPECT_EQ(list(answer, "results").size(), static_cast<std::size_t>(total))
        << testing::PrintToString(arguments);
  }
}

TEST(Search, FiltersAloneFindAllThatPassesThem) {
  const Looms looms;
  EXPECT_EQ(total(looms, {"--type", "compaction"}), 1);
  EXPECT_EQ(total(looms, {"type:compaction"}), 1);
  EXPECT_EQ(total(looms, {"--conversation", "anthropic-transcript:night"}), 4);
  EXPECT_EQ(total(looms, {"session:night"}), 4);
  EXPECT_EQ(total(looms, {"project:looms", "--type", "thinking"}), 1);
  const Ran nothing = looms({"search"});
  EXPECT_EQ(nothing.exit, 2) << nothing;
  EXPECT_THAT(nothing.err, HasSubstr("nothing to search for"));
}

TEST(Search, PagesJoinedAreTheWhole) {
  const Looms looms;
  const Words whole = cids_of(search(looms, {"weaver", "attic", "in"}));
  ASSERT_GT(whole.size(), 7u);
  Words joined;
  for (std::size_t offset = 0; offset < whole.size() + 3; offset += 3) {
    const json::object page = search(
        looms, {"weaver", "attic", "in", "--limit", "3", "--offset", std::to_string(offset)});
    EXPECT_EQ(number(page, "total"), static_cast<std::int64_t>(whole.size()));
    for (const std::string& cid : cids_of(page)) joined.push_back(cid);
  }
  EXPECT_EQ(joined, whole);
  const Ran beyond = looms({"search", "weaver", "--offset", "99"});
  EXPECT_EQ(beyond.exit, 0) << beyond;
  EXPECT_THAT(beyond.err, HasSubstr("no more results after the first 5 results"));
}

TEST(Search, WhatStandsInSeveralPlacesIsOneResult) {
  const Looms looms;
  Session fork("22222222-2222-4222-8222-222222222222");
  fork.copy(looms_session());
  fork.human("And now?");
  Looms::write_to(looms.transcripts() / (fork.id() + ".jsonl"), fork.text());
  looms.ingest();
  const json::object answer = search(looms, {"Brindlewick"});
  EXPECT_EQ(number(answer, "total"), 1) << canonical_json(answer);
  const json::object newest = best_of(looms, {"Brindlewick"});
  EXPECT_EQ(number(newest, "places"), 2);
  EXPECT_EQ(text(newest, "session_id"), fork.id());
  const json::object older = best_of(looms, {"Brindlewick", "--conversation", kLoomsSession});
  EXPECT_EQ(number(older, "places"), 2);
  EXPECT_EQ(text(older, "session_id"), kLooms);
  EXPECT_EQ(text(older, "cid"), text(newest, "cid"));
  EXPECT_THAT(looms({"search", "Brindlewick"}).out, HasSubstr("in 2 places"));
  // So is an exchange, and its place is the one that was searched.
  for (const std::string& session : {fork.id(), kLooms}) {
    const json::object exchange = best_of(looms, {"shuttle", "--turns", "session:" + session});
    EXPECT_EQ(text(exchange, "session_id"), "claude-code:" + session);
    EXPECT_EQ(number(exchange, "turn_number"), 1);
    EXPECT_EQ(number(exchange, "turn"), 2);
  }
}

TEST(Search, FindsAnAppendedLineAfterTheNextIngest) {
  const Looms looms;
  EXPECT_EQ(total(looms, {"Nandelquist"}), 0);
  Session grown = looms_session();
  grown.says("Nandelquist, at last.");
  Looms::write_to(looms.file(), grown.text());
  looms.ingest();
  const json::object best = best_of(looms, {"Nandelquist"});
  EXPECT_EQ(text(best, "type"), "anthropic/response");
  EXPECT_EQ(number(best, "turn"), 3);
}

TEST(Search, NoQueryIsASyntaxError) {
  const Looms looms;
  const Words hostile = {
      "",
      " ",
      "\"",
      "\"\"",
      "\"weaver",
      "+",
      "-",
      "--",
      "++",
      "*",
      "a*",
      "+*",
      "-weaver",
      "NOT weaver",
      "weaver AND OR NEAR(",
      "NEAR(a b, 3)",
      "clear:weaver",
      "^weaver",
      "{weaver}",
      "[weaver]",
      "[]",
      "[weaver,attic]",
      "(((((",
      "weaver'; DROP TABLE thoughts; --",
      "weaver\\",
      "%s%n%00",
      "type:",
      "type:\"",
      "since:yesterday",
      "since:9999999999",
      "until:2026-13-45",
      "session:",
      "project:\"\"",
      "role:nobody",
      "tool:\xF0\x9F\xA7\xB6",
      "\xff\xfe weaver",
      "\xED\xA0\x80",
      "we\x01ver\x1b[2J",
      "\xE2\x80\xAEweaver",
      std::string(60'000, 'w'),
      [] {
        std::string many;
        for (int i = 0; i < 5'000; ++i) many += "w" + std::to_string(i) + " ";
        return many;
      }(),
      [] {
        std::string quotes;
        for (int i = 0; i < 5'000; ++i) quotes += "\"a ";
        return quotes;
      }(),
  };
  for (const std::string& query : hostile) {
    for (const std::string form : {"--json", "--turns", "--color=always"}) {
      const Ran ran = looms({"search", "--json", form, "--", query});
      EXPECT_TRUE(ran.exit == 0 || ran.exit == 1) << query.substr(0, 80) << "\n" << ran.exit;
      const json::object answer = ran.object();
      EXPECT_EQ(ran.exit == 0, number(answer, "total") > 0) << query.substr(0, 80);
    }
    const Ran result = looms({"search", "--", query});
    EXPECT_TRUE(result.exit == 0 || result.exit == 1) << query.substr(0, 80) << "\n" << result.exit;
  }
  // The answer repeats the query as typed; broken UTF-8 is repaired.
  EXPECT_EQ(text(search(looms, {"[weaver,attic]"}), "query"), "[weaver,attic]");
  EXPECT_EQ(text(search(looms, {"\xff weaver"}), "query"), "\xEF\xBF\xBD weaver");
  EXPECT_EQ(total(looms, {"--", "-nonesuch", "weaver"}), 5);
  EXPECT_EQ(total(looms, {"--", "-weaver", "answers"}), 0);
}

TEST(Search, FindsWholeExchangesToo) {
  const Looms looms;
  const json::object answer = search(looms, {"weaver", "--turns"});
  EXPECT_EQ(number(answer, "total"), 3);
  EXPECT_THAT(keys(answer), ElementsAre("query", "total", "results"));
  std::vector<std::string> sessions;
  for (const json::value& value : list(answer, "results")) {
    const json::object& result = value.as_object();
    EXPECT_THAT(keys(result),
                ElementsAre("session_id", "project", "turn_number", "score", "snippet", "marks",
                            "timestamp", "cid", "conversation_cid", "title", "turn", "hit_turn"));
    EXPECT_THAT(marked_in(result), ElementsAre("weaver"));
    EXPECT_EQ(number(result, "turn_number"), 0);
    sessions.push_back(text(result, "session_id"));
  }
  EXPECT_THAT(sessions, testing::UnorderedElementsAre(kLoomsSession, "anthropic-transcript:night",
                                                      "claude-export:drawing"));
  // The person's second message there; the third and fourth turn.
  const json::object second = best_of(looms, {"shuttle", "--turns"});
  EXPECT_EQ(number(second, "turn_number"), 1);
  EXPECT_EQ(number(second, "turn"), 2);
  EXPECT_EQ(text(second, "timestamp"), "2026-02-02T02:40:10.000Z");
  // An answer brings its question: both are one exchange.
  EXPECT_EQ(total(looms, {"--turns", "shuttle", "lies"}), 1);
  // Nobody is human in a subagent, and its session id is its parent's.
  const json::object subagent = best_of(looms, {"Jorvestine", "--turns"});
  EXPECT_EQ(number(subagent, "turn_number"), 0);
  EXPECT_EQ(text(subagent, "session_id"), kLoomsSession + "/subagent:a7");
}

}  // namespace
}  // namespace weft::test
