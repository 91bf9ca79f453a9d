// Checkpoints: both versions are read, and what is woven is covered whole.
#include "weft/thought/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/thought/tree.hpp"
#include "weft/thought/verify.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using testing::Contains;
using testing::HasSubstr;

thought::Thought checkpoint_of(json::object content) {
  thought::Thought thought;
  thought.type = thought::kCheckpointType;
  thought.content = std::move(content);
  return thought;
}

json::object some_content(std::uint64_t version) {
  return to_content(thought::Checkpoint{.leaves = 3, .blocks = 1, .version = version});
}

TEST(Checkpoint, OfVersion1SaysNothingOfItsVersion) {
  EXPECT_FALSE(some_content(1).contains("version"));
  EXPECT_EQ(some_content(2).at("version"), 2);
  for (const std::uint64_t version : {1u, 2u}) {
    EXPECT_EQ(to_checkpoint(checkpoint_of(some_content(version)))->version, version);
  }
}

TEST(Checkpoint, OfANewerVersionIsNamedAsSuch) {
  json::object content = some_content(2);
  content["version"] = 3;
  content["more"] = "that we do not know";
  const Result<thought::Checkpoint> newer = to_checkpoint(checkpoint_of(content));
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(newer.error().message,
              HasSubstr("made by a newer weft: version 3; this one knows 2"));
  for (const json::value& wrong : {json::value(1), json::value(0), json::value("2")}) {
    content = some_content(2);
    content["version"] = wrong;
    EXPECT_THAT(to_checkpoint(checkpoint_of(content)).error().message, HasSubstr("malformed"));
  }
}

// The leaves that a unit must have: all that it carries but the checkpoint.
std::vector<Cid> carried_by(const CommitUnit& unit) {
  std::vector<Cid> alone, structure;
  for (const thought::Thought& thought : unit.thoughts) {
    if (thought.cid == unit.checkpoint) continue;
    (may_be_tree_signed(thought) ? structure : alone).push_back(thought.cid);
  }
  for (const thought::Connection& edge : unit.connections) {
    (is_structure(edge) ? structure : alone).push_back(cid_of(edge));
  }
  alone.insert(alone.end(), structure.begin(), structure.end());
  return alone;
}

void expect_covered(const CommitUnit& unit) {
  ASSERT_TRUE(unit.checkpoint);
  EXPECT_THAT(unit.leaves, testing::UnorderedElementsAreArray(carried_by(unit)));
  const thought::Checkpoint checkpoint = to_checkpoint(unit.thoughts.back()).value();
  EXPECT_EQ(checkpoint.version, 2u);
  EXPECT_EQ(checkpoint.leaves, unit.leaves.size());
  EXPECT_EQ(checkpoint.root, thought::Tree(unit.leaves).root());
  // First what is signed alone, in the order of the unit.
  const std::vector<Cid> expected = carried_by(unit);
  for (std::size_t i = 0; i < unit.leaves.size(); ++i) {
    const auto is_leaf = [&](const Cid& cid) { return cid == unit.leaves[i]; };
    for (const thought::Thought& thought : unit.thoughts) {
      if (!is_leaf(thought.cid)) continue;
      const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
      EXPECT_EQ(tree != nullptr, may_be_tree_signed(thought));
      if (tree != nullptr) EXPECT_EQ(tree->index, i);
      else EXPECT_EQ(expected[i], thought.cid);
    }
    for (const thought::Connection& edge : unit.connections) {
      if (!is_leaf(cid_of(edge)) || !is_structure(edge)) continue;
      EXPECT_EQ(std::get<thought::TreeSignature>(edge.signature).index, i);
    }
  }
}

TEST(Checkpoint, CoversEverythingThatItsCommitCarries) {
  Loom loom;
  loom.human("why?");
  loom.thinks("hm", {"short"});
  loom.calls("t1");
  loom.prints("t1", "x");
  loom.says("so.", {{.url = "https://example.org", .text = "so"}});
  ASSERT_EQ(loom.all_units.size(), 5u);
  std::set<std::string> kinds;
  for (const CommitUnit& unit : loom.all_units) {
    expect_covered(unit);
    for (const Cid& leaf : unit.leaves) {
      kinds.insert(std::string(thought::kind_of(loom.thought(leaf).type)));
    }
  }
  for (const char* kind : {"identity", "schema", "conversation", "conversation_facts", "turn",
                           "connection", "citation", "web_resource", "thinking_summary"}) {
    EXPECT_THAT(kinds, Contains(kind));
  }
}

TEST(Checkpoint, CoversWhatTheWebHadBefore) {
  Loom loom;
  const auto told = [&] {
    loom.next_index = 0;
    loom.next_time = 2'000;
    loom.role.reset();
    loom.human("go");
    loom.thinks("a");
  };
  told();
  std::set<Cid> origin;
  for (const CommitUnit& unit : loom.all_units) {
    for (const Cid& leaf : unit.leaves) origin.insert(leaf);
  }
  loom.all_units.clear();
  loom.heading({.session_id = "fork"});
  told();
  std::set<std::string> shared;
  for (const CommitUnit& unit : loom.all_units) {
    expect_covered(unit);
    for (const Cid& leaf : unit.leaves) {
      if (origin.contains(leaf)) shared.insert(loom.thought(leaf).type);
    }
  }
  for (const char* type :
       {"anthropic/human_input", "anthropic/thinking", "connection", "identity"}) {
    EXPECT_THAT(shared, Contains(type));
  }
}

TEST(Checkpoint, CoversACommitOfFactsAlone) {
  Loom loom;
  loom.human("go");
  loom.all_units.clear();
  loom.weaver->facts({.title = "A title"});
  loom.commit();
  ASSERT_EQ(loom.all_units.size(), 1u);
  const CommitUnit& unit = loom.all_units[0];
  expect_covered(unit);
  EXPECT_EQ(unit.leaves.size(), 1u);
  EXPECT_EQ(loom.thought(unit.leaves[0]).type, "anthropic/conversation_facts");
  EXPECT_TRUE(to_checkpoint(unit.thoughts.back())->previous);
  EXPECT_TRUE(loom.weaver->take(loom.now).value().empty()) << "and nothing more";
}

TEST(Checkpoint, OfANewerVersionIsNotContinued) {
  Loom loom;
  loom.human("go");
  thought::Thought& newest = loom.known_web.thoughts.at(loom.of_type("checkpoint").back());
  newest.content["version"] = 3;
  loom.restart();
  loom.weaver->turn({.role = transcript::Role::human, .source_id = "#9"});
  loom.weaver->block({.author = transcript::Author::human,
                      .body = transcript::Text{"more", {}},
                      .source_id = "r9"});
  const Result<std::vector<CommitUnit>> units = loom.weaver->take(loom.now);
  ASSERT_FALSE(units);
  EXPECT_THAT(units.error().message, HasSubstr("made by a newer weft: version 3"));
}

TEST(Checkpoint, CoverIsAPathToTheRoot) {
  Loom loom;
  loom.human("go");
  const CommitUnit& unit = loom.all_units[0];
  const thought::Tree tree(unit.leaves);
  const thought::Thought& checkpoint = unit.thoughts.back();
  const thought::Thought& first = loom.thought(unit.leaves[0]);
  thought::TreeSignature leaf{.checkpoint = checkpoint.cid, .index = 0, .path = tree.path(0)};
  EXPECT_TRUE(check_covered(first, leaf, checkpoint));
  EXPECT_FALSE(check_covered(loom.thought(unit.leaves[1]), leaf, checkpoint));
  leaf.index = 1;
  EXPECT_FALSE(check_covered(first, leaf, checkpoint));
  thought::Thought old = checkpoint;
  old.content.erase("version");
  leaf.index = 0;
  EXPECT_THAT(check_covered(first, leaf, old).error().message, HasSubstr("version 1"));
}

}  // namespace
}  // namespace weft::weave
