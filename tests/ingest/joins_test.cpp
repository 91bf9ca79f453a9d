// What joins conversations of several files: what a subagent returned, summaries of other sessions,
// helper agents; and files whose first lines are broken.
#include "sources_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;

class Joins : public Sources {
 protected:
  fs::path folder() const { return fs::path(place(weft, kOne)).parent_path(); }
  void write_agent(const std::string& agent, const std::string& lines) const {
    const fs::path folder_of_agents = folder() / kOne / "subagents";
    fs::create_directories(folder_of_agents);
    append(folder_of_agents / ("agent-" + agent + ".jsonl"), lines);
  }
  // The row of a conversation in the list; empty if it is not listed.
  json::object row(const std::string& source, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "list");
    for (const json::value& found : list(weft.json(more), "conversations")) {
      if (text(found.get_object(), "source") == source) return found.get_object();
    }
    return {};
  }
  json::array edges(const std::string& cid, const std::string& relation) const {
    return list(weft.json({"connections", cid, "--relation", relation}), "connections");
  }

  // A parent whose agent a7 has answered.
  void write_family() {
    Session parent(kOne), child(kOne);
    child.make_subagent("a7");
    child.human("look in the attic");
    child.says("it is in the attic");
    parent.human("find the loom");
    parent.calls("task-1", "Task", "look in the attic");
    for (int i = 0; i < 8; ++i) parent.human("are you there?");  // time passes
    parent.prints("task-1", "it is there",
                  json::object{{"agentId", "a7"}, {"status", "completed"}});
    append(place(weft, kOne), parent.text());
    write_agent("a7", child.text());
    ingest();
  }
};

TEST_F(Joins, SubagentReturnsToTheResultOfItsCall) {
  write_family();
  const json::array found = list(weft.json({"search", "attic", "--type", "response"}), "results");
  ASSERT_EQ(found.size(), 1u);
  const json::array returned = edges(text(found.at(0).get_object(), "cid"), "returns");
  ASSERT_EQ(returned.size(), 1u);
  const std::string result = text(returned.at(0).get_object(), "to");
  EXPECT_EQ(text(weft.json({"get", result}), "type"), "anthropic/tool_result");
  expect_valid();
}

// Its own commits are signed without the caller, whose result is in none of them.
TEST_F(Joins, SubagentIsImportedAloneAndVerifies) {
  write_family();
  const std::string child = text(row("subagent:a7"), "cid");
  const std::string file =
      weft.write("child.jsonl", weft({"export", child, "--as", "thoughts"}).out);
  Weft other;
  const json::object report = other.json({"import", file});
  EXPECT_EQ(list(report, "refused").size(), 0u) << canonical_json(report);
  EXPECT_EQ(other({"verify"}).exit, 0) << other({"verify"});
  EXPECT_EQ(other({"verify", child}).exit, 0) << other({"verify", child});
}

TEST_F(Joins, EitherEndIsForgottenWithoutTheOther) {
  write_family();
  const std::string child = text(row("subagent:a7"), "cid");
  ASSERT_EQ(weft({"forget", child, "--yes"}).exit, 0);
  expect_valid();
  ingest();
  EXPECT_TRUE(row("subagent:a7").empty());
  ASSERT_EQ(weft({"forget", text(row("primary"), "cid"), "--yes"}).exit, 0);
  expect_valid();
}

TEST_F(Joins, SummaryInAnotherFileNamesTheConversationWhicheverComesFirst) {
  for (const bool summary_first : {false, true}) {
    Weft fresh;
    Session told(kOne), teller(kTwo, "t");
    told.human("where is the loom, and who has it?");
    told.says("in the attic");
    told.sums_up("Looking for the loom");
    teller.lines.push_back(told.lines.back());
    told.lines.pop_back();
    teller.human("something else");
    teller.says("else");
    const auto write_told = [&] { append(place(fresh, kOne), told.text()); };
    const auto write_teller = [&] { append(place(fresh, kTwo), teller.text()); };
    summary_first ? write_teller() : write_told();
    ASSERT_EQ(fresh({"ingest"}).exit, 0);
    summary_first ? write_told() : write_teller();
    ASSERT_EQ(fresh({"ingest"}).exit, 0);

    const json::array hits =
        list(fresh.json({"search", "Looking", "--type", "summary"}), "results");
    ASSERT_EQ(hits.size(), 1u) << summary_first;
    EXPECT_EQ(text(hits.at(0).get_object(), "session_id"), kTwo);
    for (const json::value& one : list(fresh.json({"list"}), "conversations")) {
      const bool is_told = text(one.get_object(), "session_id") == kOne;
      EXPECT_EQ(text(one.get_object(), "title"),
                is_told ? "Looking for the loom" : "something else");
      if (is_told) EXPECT_EQ(text(one.get_object(), "summary"), "Looking for the loom");
      const json::array summed = list(
          fresh.json({"connections", text(one.get_object(), "cid"), "--relation", "summarizes"}),
          "connections");
      EXPECT_EQ(summed.size(), is_told ? 1u : 0u) << summary_first;
    }
    EXPECT_EQ(fresh({"verify"}).exit, 0) << fresh({"verify"});
    ASSERT_EQ(fresh({"forget", kTwo, "--yes"}).exit, 0);
    const json::array left = list(fresh.json({"list"}), "conversations");
    ASSERT_EQ(left.size(), 1u);
    EXPECT_THAT(text(left.at(0).as_object(), "title"), testing::HasSubstr("where is the loom"));
    EXPECT_EQ(fresh({"verify"}).exit, 0) << fresh({"verify"});
  }
}

// A resumed session of old versions begins with summaries, then copies the lines of its origin.
TEST_F(Joins, SummariesOfOthersChangeNoOtherThought) {
  const Session plain = long_session();
  Session with = plain;
  for (const std::size_t at : {std::size_t{9}, std::size_t{3}, std::size_t{0}}) {
    with.lines.insert(with.lines.begin() + static_cast<std::ptrdiff_t>(at),
                      R"({"type":"summary","summary":"Elsewhere )" + std::to_string(at) +
                          R"(","leafUuid":"99999999-9999-4999-8999-999999999999"})");
  }
  Weft other;
  share_keyring(weft, other);
  append(place(weft, kOne), plain.text());
  append(place(other, kOne), with.text());
  ASSERT_EQ(weft({"ingest"}).exit, 0);
  ASSERT_EQ(other({"ingest"}).exit, 0);
  const auto blocks_of = [](const Weft& of) {
    std::set<std::string> cids;
    std::istringstream lines(of({"export", kOne, "--as", "thoughts"}).out);
    for (std::string line; std::getline(lines, line);) {
      const json::object thought = parse_json(line)->value.get_object();
      const std::string type = text(thought, "type");
      const bool is_block = type.starts_with("anthropic/") && !type.ends_with("/summary") &&
                            !type.ends_with("/conversation_facts") && !type.ends_with("/usage");
      if (is_block) cids.insert(text(thought, "cid"));
    }
    return cids;
  };
  EXPECT_EQ(blocks_of(weft), blocks_of(other));
  EXPECT_EQ(number(other.json({"search", "Elsewhere"}), "total"), 3);
}

TEST_F(Joins, FileOfSummariesAloneIsSearchable) {
  append(
      place(weft, kTwo),
      R"({"type":"summary","summary":"Wool and looms","leafUuid":"99999999-9999-4999-8999-999999999999"})"
      "\n");
  ingest();
  EXPECT_EQ(number(weft.json({"search", "wool"}), "total"), 1);
  expect_valid();
}

TEST(UxA6, HelperAgentsAreWovenArchivedCountedAndNotListed) {
  Weft weft;
  Session parent(kOne), helper(kOne, "h");
  parent.human("find the loom");
  parent.says("in the attic");
  helper.make_subagent("acompact-1");
  helper.human("compact this");
  helper.says("a loom was sought");
  json::value last = parse_json(helper.lines.back())->value;
  last.get_object()["message"].get_object()["usage"] =
      json::object{{"input_tokens", 5}, {"cache_creation_input_tokens", 700}};
  helper.lines.back() = canonical_json(last);
  append(place(weft, kOne), parent.text());
  const fs::path folder = fs::path(place(weft, kOne)).parent_path() / kOne / "subagents";
  fs::create_directories(folder);
  const fs::path file = folder / "agent-acompact-1.jsonl";
  append(file, helper.text());
  const json::object report = weft.json({"ingest"});
  EXPECT_EQ(list(report, "skipped").size(), 0u) << canonical_json(report);

  EXPECT_EQ(number(weft.json({"list"}), "total"), 1);
  EXPECT_EQ(number(weft.json({"list", "--internal"}), "total"), 2);
  EXPECT_EQ(number(weft.json({"search", "sought"}), "total"), 1);
  const json::object stats = weft.json({"stats"});
  EXPECT_EQ(number(stats.at("tokens").as_object(), "cache_write"), 700);
  const std::string out = weft.path("restored.jsonl");
  EXPECT_EQ(weft({"restore", file.string(), "--out", out}).exit, 0);
  std::ostringstream restored;
  restored << std::ifstream(out).rdbuf();
  EXPECT_EQ(restored.str(), helper.text());
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

class BrokenHead : public Joins, public testing::WithParamInterface<int> {};

TEST_P(BrokenHead, InAFolderOfTheFormatTheGoodLinesAreTaken) {
  std::string junk;
  switch (GetParam()) {
    case 0: junk = std::string(100'000, '['); break;
    case 1: junk = R"({"type":"user","message":{"content":")" + std::string(80u << 20, 'x'); break;
    case 2:
      for (int i = 0; i < 200'000; ++i) junk += static_cast<char>(i * 2654435761u >> 24);
      std::erase(junk, '\n');
      break;
    default:
      for (int i = 0; i < 500; ++i) junk += "torn\n";
      junk.pop_back();
  }
  Session session(kOne);
  session.human("where is the loom?");
  session.says("in the attic");
  const std::string path = place(weft, kOne);
  append(path, junk + "\n" + session.text());
  // As a hook names it, and as it is found.
  for (const std::vector<std::string>& more : {std::vector<std::string>{path}, {}}) {
    const json::object report = ingest(more);
    EXPECT_EQ(list(report, "conversations").size(), 1u) << canonical_json(report);
  }
  EXPECT_EQ(number(weft.json({"search", "attic"}), "total"), 1);
  expect_valid();
}

INSTANTIATE_TEST_SUITE_P(Joins, BrokenHead, testing::Range(0, 4));

TEST_F(Joins, BrokenFirstLineIsReportedWithItsLineAndReason) {
  Session session(kOne);
  session.human("where is the loom?");
  append(place(weft, kOne), std::string(100'000, '[') + "\n" + session.text());
  const json::array skipped = list(ingest(), "skipped");
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_EQ(number(skipped.at(0).get_object(), "line"), 1);
  EXPECT_THAT(text(skipped.at(0).get_object(), "reason"), HasSubstr("malformed"));
}

TEST_F(Joins, FileWithoutOneGoodLineIsOfNoKnownFormat) {
  append(place(weft, kOne), std::string(100'000, '[') + "\n");
  const json::array skipped = list(ingest(), "skipped");
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_THAT(text(skipped.at(0).get_object(), "reason"), HasSubstr("no known format"));
}

}  // namespace
}  // namespace weft::test
