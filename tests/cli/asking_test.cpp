// How questions are asked and answered: times, filters, empty lists, turns and counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "weft/base/time.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A line of a session of Claude Code.
std::string line(std::string_view session, int number, std::string_view type, std::string_view time,
                 const json::value& content) {
  const std::string id = std::string(session) + "-" + std::to_string(number);
  json::object record{{"type", type},
                      {"uuid", id},
                      {"parentUuid", nullptr},
                      {"sessionId", session},
                      {"cwd", "/home/ada/Looms"},
                      {"timestamp", time},
                      {"message", {{"role", type}, {"content", content}}}};
  if (number > 0) record["parentUuid"] = std::string(session) + "-" + std::to_string(number - 1);
  if (type == "assistant") {
    record["message"].as_object()["model"] = "claude-x";
    record["message"].as_object()["id"] = "m" + id;
  }
  return canonical_json(record) + "\n";
}

json::value words(std::string_view text) {
  return json::array{json::object{{"type", "text"}, {"text", text}}};
}

// Two sessions: the older one is ingested last.
class Asking : public testing::Test {
 protected:
  Asking() {
    weft.environment["TZ"] = "UTC";
    ingest("newer",
           line("newer", 0, "user", "2026-11-15T19:17:40Z", "where is the heron") +
               line("newer", 1, "assistant", "2026-11-15T19:17:41Z", words("in the reeds")));
    ingest("older",
           line("older", 0, "user", "2026-09-25T10:00:00Z", "how do I thread the loom") +
               line("older", 1, "assistant", "2026-09-25T10:00:01Z", words("first the warp")) +
               line("older", 2, "user", "2026-09-25T10:01:00Z", "and the shuttle") +
               line("older", 3, "assistant", "2026-09-25T10:01:05Z",
                    words("the heddle lifts before the shuttle passes")));
  }

  void ingest(const std::string& name, const std::string& lines) {
    const Ran ran = weft({"ingest", weft.write(name + ".jsonl", lines)});
    EXPECT_EQ(ran.exit, 0) << ran;
  }
  std::vector<std::string> listed(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"list"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> ids;
    for (const json::value& row : list(weft.json(arguments), "conversations")) {
      ids.push_back(text(row.as_object(), "session_id"));
    }
    return ids;
  }
  std::string notes_of(const std::vector<std::string>& arguments) const {
    const json::object answer = weft({arguments}).object();
    std::string all;
    if (answer.contains("notes")) {
      for (const json::value& note : list(answer, "notes"))
        all += std::string(note.as_string()) + "\n";
    }
    return all;
  }

  Weft weft;
};

class UxB1 : public Asking {};
class UxB6 : public Asking {};
class UxB7 : public Asking {};
class UxB8 : public Asking {};
class UxB12 : public Asking {};
class UxC4 : public Asking {};

TEST_F(UxB1, BareWeftShowsTheConversationThatChangedLast) {
  const json::object newest = list(weft.json({"list"}), "conversations").at(0).as_object();
  EXPECT_EQ(text(newest, "session_id"), "newer");
  const json::object shown = weft.json({"up", "--once"});
  EXPECT_EQ(text(shown, "conversation_cid"), text(newest, "cid"));
}

TEST_F(UxB6, AShownTimeCanBeTyped) {
  weft.environment["TZ"] = "JST-9";
  EXPECT_THAT(weft({"list"}).out, HasSubstr("2026-11-16 04:17:41"));
  EXPECT_THAT(listed({"--since", "2026-11-16T04:17:40"}), ElementsAre("newer"));
  EXPECT_THAT(listed({"--since", "2026-11-16 04:17:42"}), ElementsAre());
  EXPECT_THAT(listed({"--since", "2026-11-15T19:17:41Z"}), ElementsAre("newer"));
  EXPECT_EQ(number(weft.json({"search", "heron since:2026-11-16T04:17:40"}), "total"), 1);
  EXPECT_EQ(weft({"search", "heron since:2026-11-16T04:17:41"}).exit, 1);
  EXPECT_EQ(number(weft.json({"search", "heron", "--until", "2026-11-16"}), "total"), 1);
}

TEST_F(UxB6, TimesMayBeRelativeAndErrorsSayHow) {
  for (const char* time : {"yesterday", "2w", "10:30", "3 days ago", "last month", "monday"}) {
    EXPECT_NE(weft({"list", "--since", time}).exit, 2) << time;
    EXPECT_NE(weft({"search", "heron", "--since", time}).exit, 2) << time;
  }
  const Ran wrong = weft({"list", "--since", "someday"});
  EXPECT_EQ(wrong.exit, 2) << wrong;
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("'someday' is not a time"), HasSubstr("yesterday")));
}

TEST_F(UxB7, AFilterThatMatchesNothingIsNamedWithWhatThereIs) {
  EXPECT_THAT(notes_of({"list", "--project", "lomos", "--json"}),
              HasSubstr("project lomos: no conversation has it"));
  EXPECT_THAT(notes_of({"list", "--project", "nosuch", "--json"}), HasSubstr("there are "));
  EXPECT_THAT(notes_of({"list", "--format", "claude-cod", "--json"}),
              HasSubstr("format claude-cod: no conversation has it; did you mean claude-code?"));
  EXPECT_THAT(notes_of({"list", "--since", "2099-01-01", "--json"}),
              AllOf(HasSubstr("since 2099-01-01 00:00:00"), HasSubstr("2026-11-15 19:17:41")));
  const Ran ran = weft({"list", "--project", "nosuch"});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("no conversations match"), HasSubstr("project nosuch")));
  EXPECT_THAT(ran.err, Not(HasSubstr("ingest one")));
  EXPECT_EQ(notes_of({"list", "--json"}), "");
}

TEST_F(UxB8, PeopleSeeTheNumberOfTurnsThatWalkTakes) {
  const Ran ran = weft({"search", "--turns", "heddle"});
  EXPECT_THAT(ran.out, HasSubstr("turn 3"));
  EXPECT_THAT(ran.err, HasSubstr("--turn 3"));
  const json::object hit =
      list(weft.json({"search", "--turns", "heddle"}), "results").at(0).as_object();
  EXPECT_EQ(number(hit, "turn_number"), 1);
  EXPECT_EQ(number(hit, "turn"), 2);
  EXPECT_EQ(number(hit, "hit_turn"), 3);
  const std::string conversation = text(hit, "conversation_cid");
  EXPECT_THAT(weft({"walk", conversation, "--turn", "3"}).out, HasSubstr("heddle"));
  const auto turns =
      static_cast<std::int64_t>(list(weft.json({"walk", conversation}), "turns").size());
  EXPECT_EQ(number(weft.json({"stats", conversation}), "turn_count"), turns);
  EXPECT_EQ(number(list(weft.json({"list"}), "conversations").at(1).as_object(), "turn_count"),
            turns);
}

TEST_F(UxB12, BadFiltersAreNamedAndLeftOut) {
  EXPECT_THAT(notes_of({"search", "type:respons heron", "--json"}),
              HasSubstr("type:respons: no such type; did you mean response?"));
  EXPECT_EQ(number(weft.json({"search", "type:respons heron"}), "total"), 1);
  EXPECT_THAT(notes_of({"search", "since:someday heron", "--json"}), HasSubstr("since:someday"));
  EXPECT_THAT(notes_of({"search", "\"where is", "--json"}), HasSubstr("not closed"));
  EXPECT_THAT(notes_of({"search", "the", "--json"}), HasSubstr("the: words as common"));
  const Ran wrong = weft({"search", "heron", "--type", "respons"});
  EXPECT_EQ(wrong.exit, 2) << wrong;
  EXPECT_THAT(wrong.err, HasSubstr("did you mean response?"));
}

TEST_F(UxC4, OnlyThoughtsAreCalledThoughts) {
  EXPECT_THAT(weft({"stats"}).out, AllOf(HasSubstr("blocks by type"), Not(HasSubstr("thoughts"))));
  EXPECT_THAT(weft({"verify"}).out,
              AllOf(HasSubstr("signatures checked"), Not(HasSubstr("thoughts"))));
  std::int64_t sum = 0;
  for (const json::value& row : list(weft.json({"list"}), "conversations")) {
    sum += number(row.as_object(), "thought_count");
  }
  EXPECT_THAT(weft({"doctor"}).out, HasSubstr(std::to_string(sum) + " thoughts"));
}

TEST_F(Asking, PagesOfASearchFitTogetherWhileItGrows) {
  const std::vector<std::string> question{"search", "the shuttle loom heron reeds warp", "--limit",
                                          "2"};
  std::vector<std::string> found, all;
  for (const json::value& hit :
       list(weft.json({"search", question[1], "--limit", "100"}), "results")) {
    all.push_back(text(hit.as_object(), "cid"));
  }
  ASSERT_GT(all.size(), 4u);
  std::string cursor;
  for (int page = 0; page < 10; ++page) {
    std::vector<std::string> arguments = question;
    if (!cursor.empty()) arguments.insert(arguments.end(), {"--cursor", cursor});
    const json::object answer = weft.json(arguments);
    for (const json::value& hit : list(answer, "results"))
      found.push_back(text(hit.as_object(), "cid"));
    ingest("page" + std::to_string(page), line("page" + std::to_string(page), 0, "user",
                                               "2026-11-16T00:00:00Z", "shuttle shuttle loom"));
    if (!answer.contains("next_cursor")) break;
    cursor = text(answer, "next_cursor");
  }
  EXPECT_EQ(found, all);
  const Ran other = weft({"search", "heron", "--cursor", cursor, "--json"});
  EXPECT_EQ(other.exit, 3) << other;
  EXPECT_THAT(other.out, HasSubstr("another question"));
}

TEST_F(Asking, ResultsMayBeGroupedBySession) {
  const json::object answer =
      weft.json({"search", "loom shuttle heron warp", "--group", "session"});
  const json::array results = list(answer, "results");
  ASSERT_EQ(results.size(), 2u);
  std::int64_t more = 0;
  for (const json::value& hit : results) more += number(hit.as_object(), "more");
  EXPECT_EQ(more + 2, number(answer, "total"));
  EXPECT_NE(text(results[0].as_object(), "session_id"), text(results[1].as_object(), "session_id"));
  const json::object first =
      weft.json({"search", "loom shuttle heron warp", "--group", "session", "--limit", "1"});
  const json::object next = weft.json({"search", "loom shuttle heron warp", "--group", "session",
                                       "--limit", "1", "--cursor", text(first, "next_cursor")});
  EXPECT_EQ(list(next, "results").at(0), results[1]);
  EXPECT_FALSE(next.contains("next_cursor"));
}

}  // namespace
}  // namespace weft::test
