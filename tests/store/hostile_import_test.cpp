// Imports that would damage a store: boxes that do not open, structure that does not hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answers_for_test.hpp"
#include "import_for_test.hpp"
#include "session_for_test.hpp"

namespace weft {
namespace {

using store::Stranger;
using testing::HasSubstr;
using thought::Thought;

// A box with the owner's key id, made without the key.
crypto::Box junk(const Web& web) {
  return {.key_id = web.keyring.layer(crypto::Layer::content)->id(),
          .sealed = std::string(80, 'j')};
}

TEST(Security7, ABoxThatDoesNotOpenIsAClosedLayerWithANoteAndNoFailedAnswer) {
  Web web;
  const Landmarks at(web);
  Stranger eve;
  const Cid mine = eve.conversation("eve");
  const Cid block = eve.adds("anthropic/response", {}, {}, junk(web));
  eve.places(eve.turn(mine, 0), block);
  ASSERT_TRUE(web.open()->writer().import(eve.commit(mine), {}));

  const auto store = web.open();
  const query::Library library{*store, &web.keyring};
  const store::ConversationRow row = store->conversation(mine).value();
  const json::object shown = query::get(library, block, query::Layers::open).value();
  EXPECT_TRUE(find_object(*find_object(shown, "content"), "$layers")->contains("content"));
  EXPECT_THAT(canonical_json(*find_array(shown, "notes")), HasSubstr("does not open"));
  EXPECT_TRUE(query::walk_answer(library, row, {}));
  EXPECT_TRUE(query::entries(library, row, {}));
  EXPECT_TRUE(query::rebuild(library, row, {}));
  EXPECT_TRUE(query::read_session(library, row, 0, 10, 10'000));
  EXPECT_TRUE(query::why_answer(library, block, {}));
  const Result<json::object> stats = query::stats(library, std::nullopt);
  ASSERT_TRUE(stats) << stats.error().message;

  const json::object verified = web.verify();
  EXPECT_EQ(find_string(verified, "verdict"), "bad");
  EXPECT_THAT(canonical_json(*find_array(verified, "bad")), HasSubstr(block.str()));
  EXPECT_EQ(find_string(web.verify(&web.keyring, {.quick = true}), "verdict"), "valid");
  EXPECT_EQ(find_string(web.verify(nullptr), "verdict"), "consistent") << "no key to open it with";
}

TEST(Security7, ABoxThatDoesNotOpenIsNotImported) {
  Web web;
  Stranger eve;
  const Cid block = eve.adds("anthropic/response", {}, {}, junk(web));
  const auto report = test::import_text(*web.open(), &web.keyring, to_lines(eve.said()));
  ASSERT_TRUE(report);
  ASSERT_EQ(report->refused.size(), 1u);
  EXPECT_EQ(report->refused.front().cid, block.str());
  EXPECT_EQ(find_string(web.verify(), "verdict"), "valid");
}

// Imports into a store of somebody else and verifies there.
void expect_import_to_verify(const std::string& file, const std::string& why) {
  const crypto::Keyring keys = *crypto::Keyring::create("Eve", 3'000, crypto::SealMode::thinking);
  const TempDir dir;
  const auto store = store::open_store(dir / "weft.db", store::Create::yes).value();
  const auto report = test::import_text(*store, &keys, file);
  ASSERT_TRUE(report) << report.error().message;
  const json::object verified = query::verify(*store, &keys, {}).value();
  EXPECT_EQ(find_string(verified, "verdict"), "valid") << why << canonical_json(verified);
}

TEST(Security7, AWebWhoseStructureDoesNotHoldIsRefused) {
  {
    Stranger eve;  // turns that contain each other
    const Cid mine = eve.conversation("eve");
    const Cid one = eve.turn(mine, 0), two = eve.turn(mine, 1);
    eve.places(one, two);
    eve.places(two, one);
    expect_import_to_verify(to_lines(eve.commit(mine)), "a cycle");
  }
  {
    Stranger eve;  // a block that the head does not count
    const Cid mine = eve.conversation("eve");
    eve.connects("contains", eve.turn(mine, 0), eve.says("UNCOUNTED"), 0);
    expect_import_to_verify(to_lines(eve.commit(mine)), "a head");
  }
  {
    Stranger eve;  // two beginnings
    const Cid mine = eve.conversation("eve");
    eve.places(eve.turn(mine, 0), eve.says("a"));
    eve.commit(mine);
    eve.places(eve.turn(mine, 1), eve.says("b"));
    expect_import_to_verify(to_lines(eve.commit(mine)), "two chains");
  }
  {
    Stranger eve;  // a chain without its beginning
    const Cid mine = eve.conversation("eve");
    eve.places(eve.turn(mine, 0), eve.says("a"));
    expect_import_to_verify(to_lines(eve.commit(mine, mine)), "no beginning");
  }
}

// What a fork shares with its origin is signed by the origin's checkpoints, which come with it.
TEST(Security7, AForkOrASubagentAloneVerifiesWhereItIsImported) {
  const std::string one = "11111111-1111-4111-8111-111111111111";
  const std::string two = "22222222-2222-4222-8222-222222222222";
  test::Session origin(one), fork(two), child(one);
  origin.human("find the loom");
  origin.calls("task-1", "Task", "look in the attic");
  origin.prints("task-1", "it is there", json::object{{"agentId", "a7"}});
  origin.says("in the attic");
  fork.copy(origin);
  fork.human("are you sure?");
  child.make_subagent("a7");
  child.human("look in the attic");
  child.says("it is there");
  Web web;
  std::filesystem::create_directories(web.dir / one / "subagents");
  write_text(web.dir / (one + ".jsonl"), origin.text());
  write_text(web.dir / (two + ".jsonl"), fork.text());
  write_text(web.dir / one / "subagents/agent-a7.jsonl", child.text());
  web.ingest(web.dir / (one + ".jsonl"));
  web.ingest(web.dir / one / "subagents/agent-a7.jsonl");
  web.ingest(web.dir / (two + ".jsonl"));
  const auto store = web.open();
  const auto rows = store->conversations({}).value();
  ASSERT_EQ(rows.size(), 4u);
  for (const store::ConversationRow& row : rows) {
    expect_import_to_verify(to_lines(store::all_of(*store, row.cid)), row.session_id + row.source);
  }
}

TEST(Security7, AFileWithoutAnyOneOfItsLinesLeavesNoStoreThatIsBad) {
  const Web web;
  const std::vector<Thought> exported = store::all_of(*web.open(), Landmarks(web).talk);
  for (std::size_t left_out = 0; left_out < exported.size(); ++left_out) {
    std::vector<Thought> rest = exported;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    expect_import_to_verify(to_lines(rest), "without " + exported[left_out].type + " ");
  }
}

}  // namespace
}  // namespace weft
