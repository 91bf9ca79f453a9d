// What a stranger says never looks like the owner's: through `weft import`, and in a store that has
// it already.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "answers_for_test.hpp"
#include "import_for_test.hpp"
#include "weft/thought/identities.hpp"

namespace weft {
namespace {

using store::Stranger;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using thought::Thought;

struct Attack {
  std::string name;
  std::vector<Thought> (*thoughts)(Stranger& eve, const Landmarks& at);
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

std::vector<Thought> branch(Stranger& eve, const Landmarks& at) {
  const Cid turn = eve.turn(at.talk, 1, "assistant", at.turns.front());
  eve.places(turn, eve.says("BRANCHED files"));
  return eve.commit(at.talk);
}
std::vector<Thought> supersedes(Stranger& eve, const Landmarks& at) {
  const Cid block = eve.says("REPLACED files");
  eve.places(at.turns.at(1), block, 3);
  eve.connects("supersedes", block, at.block("response"));
  return eve.commit(at.talk);
}
std::vector<Thought> supersedes_alone(Stranger& eve, const Landmarks& at) {
  const Cid mine = eve.conversation("eve");
  const Cid block = eve.says("REPLACED files");
  eve.places(eve.turn(mine, 0), block);
  eve.connects("supersedes", block, at.block("response"));
  return eve.commit(mine);
}
std::vector<Thought> injected_turn(Stranger& eve, const Landmarks& at) {
  const Cid words = eve.adds("anthropic/human_input", {{"text", "INJECTED files"}});
  eve.places(eve.turn(at.talk, 99), words);
  return eve.commit(at.talk);
}
std::vector<Thought> facts(Stranger& eve, const Landmarks& at) {
  eve.facts(at.talk, "STOLEN");
  return eve.said();
}
std::vector<Thought> checkpoint(Stranger& eve, const Landmarks& at) {
  eve.places(eve.turn(at.talk, 4), eve.says("CONTINUED files"));
  return eve.commit(at.talk, at.checkpoint);
}
std::vector<Thought> summary(Stranger& eve, const Landmarks& at) {
  const Cid thinking = at.block("thinking");
  const Cid words = eve.adds("anthropic/thinking_summary",
                             {{"summaries", json::array{"SUMMARIZED listing"}}}, {thinking});
  eve.connects("rework", words, thinking);
  return eve.commit(at.talk);
}
std::vector<Thought> spawns(Stranger& eve, const Landmarks& at) {
  const Cid child = eve.conversation(at.session, "subagent:eve", "anthropic-transcript");
  eve.places(eve.turn(child, 0), eve.says("SPAWNED files"));
  eve.connects("spawns", at.block("tool_request"), child);
  return eve.commit(child);
}
std::vector<Thought> spawned(Stranger& eve, const Landmarks& at) {
  const Cid mine = eve.conversation("eve");
  const Cid call = eve.adds("anthropic/tool_request", {{"tool_name", "Task"}});
  eve.places(eve.turn(mine, 0), call);
  eve.connects("spawns", call, at.talk);
  return eve.commit(mine);
}
std::vector<Thought> continues(Stranger& eve, const Landmarks& at) {
  const Cid mine = eve.conversation("eve");
  eve.places(eve.turn(mine, 0), eve.says("FORKED files"));
  eve.connects("continues", at.talk, mine);
  return eve.commit(mine);
}

// Names the question, not all of them.
void expect_same(const std::map<std::string, std::string>& after,
                 const std::map<std::string, std::string>& before) {
  for (const auto& [question, answer] : before) {
    const auto now = after.find(question);
    EXPECT_EQ(now == after.end() ? "" : now->second, answer) << question;
  }
  EXPECT_EQ(after.size(), before.size());
}

class Security1Attack : public testing::TestWithParam<Attack> {
 protected:
  std::vector<Thought> forged() { return GetParam().thoughts(eve, at); }
  void expect_answers(const std::map<std::string, std::string>& before) const {
    expect_same(Answers(web).all(), before);
  }
  // The file grows by one message, is ingested, and verifies.
  void expect_the_next_ingest_to_verify() {
    const std::string more =
        std::string(kTalk) +
        "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"And now?\",\"start_timestamp\":"
        "\"2026-02-01T14:44:00Z\",\"stop_timestamp\":\"2026-02-01T14:44:00Z\"}]\n\n" +
        std::string(80, '=') + "\n";
    write_text(web.dir / "talk.txt", more);
    EXPECT_GT(web.ingest(web.dir / "talk.txt").new_thoughts, 0u);
  }

  Web web;
  Landmarks at{web};
  Stranger eve;
};

TEST_P(Security1Attack, IsRefusedByImportAndChangesNoAnswer) {
  const std::map<std::string, std::string> before = Answers(web).all();
  const std::string file = to_lines(forged());
  {
    const auto store = web.open();
    const auto report = test::import_text(*store, &web.keyring, file);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_THAT(report->refused, Not(IsEmpty()));
    EXPECT_THAT(report->refused.front().reason, Not(IsEmpty()));
  }
  expect_answers(before);
  EXPECT_EQ(find_string(web.verify(), "verdict"), "valid") << canonical_json(web.verify());
  EXPECT_EQ(find_string(web.verify(nullptr), "verdict"), "consistent");
  expect_the_next_ingest_to_verify();
  EXPECT_EQ(find_string(web.verify(), "verdict"), "valid") << canonical_json(web.verify());
}

TEST_P(Security1Attack, ThatTheStoreHasAlreadyChangesNoAnswerAndIsNamedByVerify) {
  const std::map<std::string, std::string> before = Answers(web).all();
  const std::vector<Thought> thoughts = forged();
  {
    const auto store = web.open();
    const auto done = store->writer().import(thoughts, {});
    ASSERT_TRUE(done) << done.error().message;
  }
  expect_answers(before);
  for (const crypto::Keyring* keyring : {static_cast<const crypto::Keyring*>(&web.keyring),
                                         static_cast<const crypto::Keyring*>(nullptr)}) {
    const json::object verified = web.verify(keyring);
    EXPECT_EQ(find_string(verified, "verdict"), "bad");
    EXPECT_THAT(*find_array(verified, "bad"), IsEmpty()) << canonical_json(verified);
    const json::array& found = *find_array(verified, "foreign_structure");
    ASSERT_THAT(found, Not(IsEmpty()));
    for (const json::value& value : found) {
      EXPECT_EQ(find_string(value.as_object(), "created_by"), eve.cid().str());
      EXPECT_EQ(find_string(value.as_object(), "key"), eve.key());
      EXPECT_EQ(find_string(value.as_object(), "conversation"), at.talk.str());
    }
  }
  expect_the_next_ingest_to_verify();
  EXPECT_THAT(*find_array(web.verify(), "bad"), IsEmpty()) << canonical_json(web.verify());
}

INSTANTIATE_TEST_SUITE_P(Every, Security1Attack,
                         testing::Values(Attack{"Branch", branch}, Attack{"Supersedes", supersedes},
                                         Attack{"SupersedesAlone", supersedes_alone},
                                         Attack{"InjectedTurn", injected_turn},
                                         Attack{"Facts", facts}, Attack{"Checkpoint", checkpoint},
                                         Attack{"Summary", summary}, Attack{"Spawns", spawns},
                                         Attack{"Spawned", spawned},
                                         Attack{"Continues", continues}),
                         [](const testing::TestParamInfo<Attack>& info) {
                           return info.param.name;
                         });

// An older weft took a stranger's checkpoint and facts for the newest, held everything that came
// with them, and counted it.
TEST(Security1, RowsThatAnOlderWeftWroteAreReadAsTheCreators) {
  Web web;
  const std::map<std::string, std::string> before = Answers(web).all();
  const Landmarks at(web);
  Stranger eve;
  const Cid facts = eve.facts(at.talk, "STOLEN");
  eve.places(eve.turn(at.talk, 4), eve.says("CONTINUED"));
  ASSERT_TRUE(web.open()->writer().import(eve.commit(at.talk, at.checkpoint), {}));
  const auto id = [&](const Cid& cid) {
    return "(SELECT id FROM names WHERE cid = x'" + cid.brief(64) + "')";
  };
  const Tool tool(web.store_path());
  tool.run("INSERT INTO shares (conversation, thought, before) SELECT " + id(at.talk) +
           ", id, id FROM names WHERE id > (SELECT max(last) FROM runs)");
  EXPECT_GT(tool.rows("SELECT 1 FROM shares").size(), 5u);
  tool.run(
      "UPDATE conversations SET turns = turns + 1, blocks = blocks + 1, thoughts = thoughts + "
      "5, facts = " +
      id(facts) + ", checkpoint = " + id(eve.checkpoint()));
  expect_same(Answers(web).all(), before);
  EXPECT_EQ(web.open()->conversation(at.talk)->checkpoint, at.checkpoint);
}

TEST(Security1, AStrangersCitationIsNoneOfTheResponse) {
  Web web;
  const std::map<std::string, std::string> before = Answers(web).all();
  const Landmarks at(web);
  Stranger eve;
  eve.adds("anthropic/citation", {{"url", "https://evil.example"}, {"title", "CITED"}},
           {at.block("response")});
  const auto report = test::import_text(*web.open(), &web.keyring, to_lines(eve.said()));
  ASSERT_TRUE(report);
  EXPECT_THAT(report->refused, IsEmpty()) << "it stands for itself";
  expect_same(Answers(web).all(), before);
  EXPECT_EQ(find_string(web.verify(), "verdict"), "valid");
}

TEST(Security1, AWholeConversationOfAColleagueIsImportedAndMarked) {
  Web mine;
  const crypto::Keyring keys = *crypto::Keyring::create("Bob", 2'000, crypto::SealMode::thinking);
  const Web theirs(kTalk, &keys);
  std::vector<Thought> exported = store::all_of(*theirs.open(), Landmarks(theirs).talk);
  const std::map<std::string, std::string> before = Answers(mine).all();
  {
    const auto store = mine.open();
    const auto report = test::import_text(*store, &mine.keyring, to_lines(exported));
    ASSERT_TRUE(report);
    EXPECT_THAT(report->refused, IsEmpty());
  }
  EXPECT_EQ(find_string(mine.verify(), "verdict"), "valid");
  const auto store = mine.open();
  const query::Library library{*store, &mine.keyring};
  const json::object listed = query::list(library, {}).value();
  std::size_t foreign = 0;
  for (const json::value& row : *find_array(listed, "conversations")) {
    foreign += find_bool(row.as_object(), "foreign").value_or(false) ? 1 : 0;
  }
  EXPECT_EQ(foreign, 1u);
  // The owner's name still means the owner's conversation, and its answers are what they were.
  const store::ConversationRow row =
      query::resolve_conversation(library, Landmarks(theirs).session).value();
  EXPECT_EQ(row.created_by, thought::owner_identity(mine.keyring).cid);
  expect_same(Answers(mine).all(), before);
  // Every thought of theirs is marked, and none of the owner's; with an exported keyring, too.
  const crypto::Keyring content =
      crypto::Keyring::parse(mine.keyring.exported(crypto::Reach::content).value(), {}).value();
  for (const crypto::Keyring* keyring : {static_cast<const crypto::Keyring*>(&mine.keyring),
                                         static_cast<const crypto::Keyring*>(&content)}) {
    for (const store::ConversationRow& each : store->conversations({}).value()) {
      const bool is_theirs = each.created_by != row.created_by;
      const json::object walked = query::walk_answer({*store, keyring}, each, {}).value();
      for (const json::value& turn : *find_array(walked, "turns")) {
        EXPECT_EQ(turn.as_object().contains("foreign"), is_theirs);
        for (const json::value& thought : *find_array(turn.as_object(), "thoughts")) {
          EXPECT_EQ(thought.as_object().contains("foreign"), is_theirs) << canonical_json(thought);
        }
      }
    }
  }
  const json::object open = query::list({*store, nullptr}, {}).value();
  EXPECT_THAT(canonical_json(open), Not(HasSubstr("\"foreign\""))) << "nobody's key is pinned";
}

TEST(Security1, WalkAllShowsWhatAStrangerAddedAndMarksIt) {
  Web web;
  const Landmarks at(web);
  Stranger eve;
  eve.places(at.turns.front(), eve.says("ADDED"), 7);
  eve.places(eve.turn(at.talk, 99), at.block("response"));
  ASSERT_TRUE(web.open()->writer().import(eve.commit(at.talk), {}));
  const auto store = web.open();
  for (const crypto::Keyring* keyring : {static_cast<const crypto::Keyring*>(&web.keyring),
                                         static_cast<const crypto::Keyring*>(nullptr)}) {
    const query::Library library{*store, keyring};
    const store::ConversationRow row = store->conversation(at.talk).value();
    const json::object walked = query::walk_answer(library, row, {.all = true}).value();
    const json::array& turns = *find_array(walked, "turns");
    ASSERT_EQ(turns.size(), at.turns.size() + 1);
    EXPECT_FALSE(turns.front().as_object().contains("foreign"));
    const json::array& first = *find_array(turns.front().as_object(), "thoughts");
    EXPECT_FALSE(first.front().as_object().contains("foreign"));
    EXPECT_EQ(find_bool(first.back().as_object(), "foreign"), true);
    const json::object& last = turns.back().as_object();
    EXPECT_EQ(find_bool(last, "foreign"), true);
    EXPECT_EQ(find_bool(find_array(last, "thoughts")->front().as_object(), "foreign"), true)
        << "the owner's words, put there by a stranger";
  }
}

}  // namespace
}  // namespace weft
