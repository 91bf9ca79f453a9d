// weft repair --drop-key: what a wrong keyring wove, and a stranger's structure.
#include <gmock/gmock.h>

#include "web_for_test.hpp"
#include "weft/cli/upkeep/repair.hpp"
#include "weft/ingest/drop_key.hpp"
#include "weft/store/scan_for_test.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft {
namespace {

using testing::IsEmpty;

// Everything in the web but tombstones, with signatures, and what is listed and archived.
struct State {
  std::set<std::string> thoughts;
  std::set<Cid> connections;
  std::vector<std::string> listed;
  std::size_t sources = 0;
  friend bool operator==(const State&, const State&) = default;
};

State state_of(const Web& web) {
  const auto store = web.open();
  State state;
  const store::Scan all = scan(*store);
  EXPECT_TRUE(all.status);
  EXPECT_THAT(all.dangling, IsEmpty());
  EXPECT_THAT(all.broken, IsEmpty());
  for (const thought::Thought& thought : all.thoughts) {
    if (thought.type == thought::kTombstoneType) continue;
    state.thoughts.insert(canonical_json(to_json(thought)));
  }
  for (const auto& [cid, connection] : all.connections) state.connections.insert(cid);
  for (const store::ConversationRow& row : store->conversations({}).value()) {
    state.listed.push_back(row.cid.str() + " " + std::to_string(row.turn_count) + " " +
                           std::to_string(row.block_count) + " " +
                           std::to_string(row.thought_count) + " " +
                           (row.facts ? row.facts->str() : ""));
  }
  state.sources = store->sources().all()->size();
  return state;
}

json::object repair(const Web& web, const Cid& drop) {
  const auto store = web.open();
  const TempDir scratch;
  const auto report =
      cli::repair(*store, web.keyring, {.scratch = scratch.path(), .when_mended = [&]() -> Status {
                                          const auto dropped =
                                              ingest::drop_key(*store, web.keyring, drop, 2'000);
                                          return dropped ? Status() : Status(fail(dropped.error()));
                                        }});
  EXPECT_TRUE(report) << report.error().message;
  return report ? to_json(*report) : json::object();
}

// Older versions wove everything a second time with a keyring that was made by mistake.
TEST(UxA2, DroppingAWrongKeyringLeavesTheStoreAsItWasBefore) {
  Web web;
  const State before = state_of(web);
  const crypto::Keyring wrong = *crypto::Keyring::create("Ada", 5'000, crypto::SealMode::thinking);
  {
    const auto store = web.open();
    ingest::Options options{.paths = {web.dir / "talk.txt"}};
    options.clock = [] { return Millis{1'770'000'000'001}; };
    ASSERT_TRUE(ingest::ingest(*store, wrong, options));
  }
  EXPECT_EQ(web.open()->conversations({})->size(), 2u);
  const Cid identity = thought::owner_identity(wrong).cid;
  EXPECT_EQ(ingest::find_identity(*web.open(), wrong.owner_key().str().substr(0, 20)), identity);
  const auto plan = ingest::plan_drop(*web.open(), web.keyring, identity);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->conversations.size(), 1u);
  EXPECT_THAT(plan->elsewhere, IsEmpty());
  EXPECT_THAT(plan->spoken_of, IsEmpty());
  EXPECT_GT(plan->spoken_for.size(), 1u) << "a model and a tool";

  const json::object answer = repair(web, identity);
  EXPECT_EQ(answer.at("verdict"), "valid") << pretty_json(answer);
  EXPECT_EQ(state_of(web), before);
  EXPECT_EQ(web.verify().at("foreign"), 0);
  EXPECT_EQ(web.ingest(web.dir / "talk.txt").new_thoughts, 0u);
  // Nothing keeps the file out, for whoever it belongs to.
  const auto store = web.open();
  ingest::Options options{.paths = {web.dir / "talk.txt"}};
  options.clock = [] { return Millis{1'770'000'000'001}; };
  EXPECT_GT(ingest::ingest(*store, wrong, options)->new_thoughts, 0u);
}

// A stranger's turn, place, facts and checkpoint in the owner's conversation.
std::vector<thought::Thought> foreign_structure(const Cid& conversation, const Cid& block) {
  const store::Speaker mallory = store::speaker("mallory");
  weave::CommitUnit unit;
  const auto made = [&](std::string type, json::object content) {
    thought::Thought thought;
    thought.type = std::move(type);
    thought.content = std::move(content);
    thought.created_by = mallory.identity.cid;
    thought.created_at = 1'770'000'000'000;
    return thought;
  };
  const auto connect = [&](std::string relation, const Cid& from, const Cid& to) {
    unit.connections.push_back({.relation = std::move(relation),
                                .from = from,
                                .to = to,
                                .index = 7,
                                .created_by = mallory.identity.cid,
                                .created_at = 1'770'000'000'000});
    unit.leaves.push_back(cid_of(unit.connections.back()));
  };
  thought::Thought turn =
      made("anthropic/turn",
           {{"conversation", conversation.str()}, {"role", "assistant"}, {"sequence", 99}});
  turn.cid = cid_of(turn);
  unit.thoughts.push_back(turn);
  unit.leaves.push_back(turn.cid);
  thought::Thought answer = made("anthropic/response", {{"text", "pay mallory"}});
  answer.because = {{.thought = block}};
  answer.cid = cid_of(answer);
  store::sign(answer, mallory.key);
  connect("contains", conversation, turn.cid);
  connect("contains", turn.cid, answer.cid);
  connect("supersedes", answer.cid, block);
  thought::Thought facts = made("anthropic/conversation_facts", {{"title", "mallory's"}});
  facts.because = {{.thought = conversation}};
  facts.cid = cid_of(facts);
  store::sign(facts, mallory.key);
  thought::Thought checkpoint =
      made(std::string(thought::kCheckpointType),
           to_content(thought::Checkpoint{.conversation = conversation,
                                          .leaves = unit.leaves.size(),
                                          .root = thought::Tree(unit.leaves).root(),
                                          .blocks = 1}));
  checkpoint.cid = cid_of(checkpoint);
  store::sign(checkpoint, mallory.key);
  unit.checkpoint = checkpoint.cid;
  sign_by_tree(unit);
  std::vector<thought::Thought> all = {mallory.identity, answer, facts, checkpoint};
  all.insert(all.end(), unit.thoughts.begin(), unit.thoughts.end());
  for (const thought::Connection& connection : unit.connections) {
    thought::Thought& thought = all.emplace_back(to_thought(connection));
    thought.cid = cid_of(connection);
  }
  const thought::Tree tree(unit.leaves);
  for (thought::Thought& thought : all) {
    if (auto* signature = std::get_if<thought::TreeSignature>(&thought.signature)) {
      signature->path = tree.path(signature->index);
    }
  }
  return all;
}

TEST(Security1, DroppingAStrangersKeyLeavesTheOwnersConversationAsItWas) {
  Web web;
  const State before = state_of(web);
  {
    const auto store = web.open();
    const Cid conversation = store->conversations({})->at(0).cid;
    const Cid block = store->find_blocks(conversation, "response", 1)->at(0);
    const auto imported = store->writer().import(foreign_structure(conversation, block), {});
    ASSERT_TRUE(imported) << imported.error().message;
  }
  EXPECT_NE(state_of(web), before);
  const Cid stranger = store::speaker("mallory").identity.cid;
  const auto plan = ingest::plan_drop(*web.open(), web.keyring, stranger);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->conversations, IsEmpty());
  EXPECT_GT(plan->thoughts, 0u);
  const json::object answer = repair(web, stranger);
  EXPECT_EQ(answer.at("verdict"), "valid") << pretty_json(answer);
  EXPECT_EQ(state_of(web), before);
  web.ingest(web.dir / "talk.txt");
  EXPECT_EQ(web.verify().at("verdict"), "valid");
}

TEST(DropKey, RefusesTheOwnerAndWhatIsNotThere) {
  const Web web;
  const auto store = web.open();
  const Cid owner = thought::owner_identity(web.keyring).cid;
  EXPECT_EQ(ingest::plan_drop(*store, web.keyring, owner).error().code, ErrorCode::denied);
  const crypto::Keyring other = *crypto::Keyring::create("Bob", 7, crypto::SealMode::thinking);
  EXPECT_EQ(ingest::plan_drop(*store, other, owner).error().code, ErrorCode::denied)
      << "another keyring does not make the store its own";
  EXPECT_EQ(ingest::plan_drop(*store, web.keyring, thought::owner_identity(other).cid).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(ingest::find_identity(*store, "4b26").error().code, ErrorCode::invalid_input);
  EXPECT_EQ(ingest::find_identity(*store, "00000000ffff").error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace weft
