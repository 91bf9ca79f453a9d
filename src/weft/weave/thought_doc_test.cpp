// Holds the code to docs/formats/thought.md: its worked example, byte for byte.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tree.hpp"
#include "weft/thought/verify.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

std::string read_page(std::string_view name) {
  std::ifstream file(std::string(WEFT_SOURCE_DIR).append("/docs/formats/").append(name),
                     std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text between "```<kind>" and the next "```".
std::string block(const std::string& page, const std::string& kind) {
  const std::string opening = "\n```" + kind + "\n";
  const std::size_t at = page.find(opening);
  EXPECT_NE(at, std::string::npos) << kind;
  if (at == std::string::npos) return {};
  const std::size_t start = at + opening.size();
  return page.substr(start, page.find("\n```", start) - start);
}

class ThoughtPage : public ::testing::Test {
 protected:
  ThoughtPage() {
    std::istringstream lines(block(page_, "jsonl web"));
    for (std::string line; std::getline(lines, line);) {
      const thought::Thought thought =
          thought::parse_thought(parse_json(line).value().value).value();
      order_.push_back(thought.cid);
      web_.emplace(thought.cid, thought);
    }
  }

  thought::Thought shown(const std::string& name) const {
    return thought::parse_thought(parse_json(block(page_, "json " + name)).value().value).value();
  }
  // The lines "name: value" of a block.
  std::map<std::string, std::string> values(const std::string& name) const {
    std::map<std::string, std::string> out;
    std::istringstream lines(block(page_, "values " + name));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t colon = line.find(": ");
      out[line.substr(0, colon)] = line.substr(colon + 2);
    }
    return out;
  }
  // The leaf of a checkpoint that a thought states to be.
  static const thought::TreeSignature* leaf_of(const thought::Thought& thought,
                                               const Cid& checkpoint) {
    const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
    if (tree == nullptr && !thought.covered.empty()) tree = &thought.covered.front();
    return tree != nullptr && tree->checkpoint == checkpoint ? tree : nullptr;
  }
  // The CIDs that a checkpoint covers, by leaf.
  std::vector<Cid> leaves_of(const thought::Thought& checkpoint) const {
    std::map<std::uint64_t, Cid> by_index;
    for (const auto& [cid, thought] : web_) {
      if (const auto* leaf = leaf_of(thought, checkpoint.cid)) by_index[leaf->index] = cid;
    }
    std::vector<Cid> leaves;
    for (const auto& [index, cid] : by_index) leaves.push_back(cid);
    return leaves;
  }
  // The newest block.
  Cid last_input() const {
    Cid last;
    for (const Cid& cid : order_) {
      if (web_.at(cid).type == "anthropic/human_input") last = cid;
    }
    return last;
  }
  crypto::Keyring keyring(const std::string& kind) const {
    return crypto::Keyring::parse(block(read_page("keyring.md"), "json " + kind), {}).value();
  }

  const std::string page_ = read_page("thought.md");
  std::map<Cid, thought::Thought> web_;
  std::vector<Cid> order_;
};

TEST_F(ThoughtPage, ShowsThoughtsOfItsWeb) {
  EXPECT_EQ(web_.size(), 26u);
  for (const char* name : {"owner", "model", "human_input", "turn0", "contains_input", "thinking",
                           "rework", "checkpoint1", "checkpoint2", "facts", "checkpoint3"}) {
    const thought::Thought thought = shown(name);
    ASSERT_TRUE(web_.contains(thought.cid)) << name;
    EXPECT_EQ(web_.at(thought.cid), thought) << name;
  }
  for (const char* name : {"owner", "human_input", "contains_input"}) {
    EXPECT_EQ(thought::canonical_form(shown(name)), block(page_, std::string("canonical ") + name));
  }
}

TEST_F(ThoughtPage, HoldsInEveryCidAndSignature) {
  const crypto::Keyring owner = keyring("owner");
  thought::Witnesses witnesses(&owner);
  for (const auto& [cid, thought] : web_) {
    if (!is_identity(thought)) continue;
    EXPECT_EQ(witnesses.add(thought).value(), thought::Verdict::valid);
  }
  for (const auto& [cid, thought] : web_) {
    EXPECT_EQ(cid_of(thought), cid);
    if (is_identity(thought)) continue;
    EXPECT_EQ(witnesses.check(thought).value(), thought::Verdict::valid) << thought.type;
    if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
      const Status status = check_tree_signature(thought, web_.at(tree->checkpoint));
      EXPECT_TRUE(status) << status.error().message;
    }
    for (const thought::TreeSignature& leaf : thought.covered) {
      const Status status = check_covered(thought, leaf, web_.at(leaf.checkpoint));
      EXPECT_TRUE(status) << status.error().message;
    }
  }
}

TEST_F(ThoughtPage, HasCheckpointsOfBothVersions) {
  EXPECT_EQ(to_checkpoint(shown("checkpoint2"))->version, 1u);
  EXPECT_EQ(to_checkpoint(shown("checkpoint3"))->version, 2u);
}

TEST_F(ThoughtPage, GivesTheTreesThatWeGrow) {
  for (const char* number : {"1", "2", "3"}) {
    const thought::Thought checkpoint = shown(std::string("checkpoint") + number);
    const std::vector<Cid> leaves = leaves_of(checkpoint);
    const thought::Checkpoint content = to_checkpoint(checkpoint).value();
    ASSERT_EQ(leaves.size(), content.leaves);
    const thought::Tree tree(leaves);
    std::map<std::string, std::string> page = values(std::string("tree ") + number);
    EXPECT_EQ(to_hex(tree.root()), page["root"]);
    EXPECT_EQ(tree.root(), content.root);
    EXPECT_EQ(to_hex(tree.path(1).front()), page["leaf 0"]);
    EXPECT_EQ(to_hex(tree.path(0).front()), page["leaf 1"]);
    EXPECT_EQ(to_hex(tree.path(2).at(leaves.size() == 3 ? 0 : 1)), page["node 01"]);
    if (leaves.size() == 5) {
      EXPECT_EQ(to_hex(tree.path(4).front()), page["node 0123"]);
    }
    for (std::uint64_t i = 0; i < leaves.size(); ++i) {
      EXPECT_EQ(leaf_of(web_.at(leaves[i]), checkpoint.cid)->path, tree.path(i));
    }
  }
}

TEST_F(ThoughtPage, GivesTheHeadsThatWeCompute) {
  std::map<std::string, std::string> heads = values("head");
  Digest head{};
  EXPECT_EQ(to_hex(head), heads["h0"]);
  head = thought::next_head(head, shown("human_input").cid);
  EXPECT_EQ(to_hex(head), heads["h1"]);
  EXPECT_EQ(head, to_checkpoint(shown("checkpoint1")).value().head);
  head = thought::next_head(head, shown("thinking").cid);
  EXPECT_EQ(to_hex(head), heads["h2"]);
  EXPECT_EQ(head, to_checkpoint(shown("checkpoint2")).value().head);
  head = thought::next_head(head, last_input());
  EXPECT_EQ(to_hex(head), heads["h3"]);
  EXPECT_EQ(head, to_checkpoint(shown("checkpoint3")).value().head);

  std::map<std::string, std::string> heads_of_heads = values("head of heads");
  Digest all = thought::next_head(Digest{}, shown("checkpoint1").cid);
  EXPECT_EQ(to_hex(all), heads_of_heads["h1"]);
  all = thought::next_head(all, shown("checkpoint2").cid);
  EXPECT_EQ(to_hex(all), heads_of_heads["h2"]);
  all = thought::next_head(all, shown("checkpoint3").cid);
  EXPECT_EQ(to_hex(all), heads_of_heads["h3"]);
}

TEST_F(ThoughtPage, SealsWhatWeOpenAndNoMore) {
  const thought::Thought thinking = shown("thinking");
  std::map<std::string, std::string> page = values("sealed");
  const crypto::Keyring content = keyring("content");
  const crypto::Keyring metadata = keyring("metadata");
  for (const auto& [layer, root, box] :
       {std::tuple{crypto::Layer::metadata, "M", *thinking.layers.metadata},
        std::tuple{crypto::Layer::content, "C", *thinking.layers.content}}) {
    const crypto::LayerKey& key = *content.layer(layer);
    EXPECT_EQ(to_hex(key.root().bytes()), page[root]);
    const std::string name(crypto::to_string(layer));
    const std::string& associated = page[name + " associated data"];
    EXPECT_EQ(box.open(key, associated).value(), page[name + " plaintext"]);
    EXPECT_EQ(crypto::Box::seal(key, associated, page[name + " plaintext"]), box);
    const std::string_view sealed = box.sealed;
    EXPECT_EQ(to_hex(std::span(reinterpret_cast<const std::uint8_t*>(sealed.data()), 24)),
              page[name + " nonce"]);
  }
  const json::object all = open_content(thinking, &content);
  EXPECT_EQ(find_string(all, "reasoning"), "Shorter waves scatter more.");
  const json::object some = open_content(thinking, &metadata);
  EXPECT_EQ(find_int(some, "duration_ms"), 2500);
  EXPECT_FALSE(some.contains("reasoning"));
}

// The page's conversation, woven under the page's keyring: everything but the first two
// checkpoints, which an older weft made.
TEST_F(ThoughtPage, IsWhatWeavingGives) {
  const crypto::Keyring owner = keyring("owner");
  thought::Identities identities(owner);
  MapKnownWeb known_web;
  Weaver weaver(identities, known_web);
  std::vector<Cid> leaves;  // of the last commit
  const auto commit = [&](Millis now) {
    std::vector<CommitUnit> units = weaver.take(now).value();
    for (CommitUnit& unit : units) {
      leaves = unit.leaves;
      known_web.take(std::move(unit));
    }
  };
  weaver.heading({.format = "anthropic-transcript",
                  .family = "anthropic",
                  .program = "anthropic-transcript",
                  .provider = "anthropic",
                  .session_id = "b3:5d1e6a2f90c3b748",
                  .source = "primary"});
  weaver.turn({.role = transcript::Role::human, .source_id = "#0", .counted = true});
  transcript::Block asks{.author = transcript::Author::human,
                         .body = transcript::Text{"Why is the sky blue?", {}},
                         .source_id = "0"};
  asks.start = 1793491260000;
  weaver.block(std::move(asks));
  commit(1793491270000);

  weaver.turn({.role = transcript::Role::assistant, .source_id = "#1", .counted = true});
  transcript::Block thinks{
      .author = transcript::Author::model,
      .body =
          transcript::Thinking{"Shorter waves scatter more.", {}, {"Thought about scattering."}},
      .source_id = "1"};
  thinks.start = 1793491261000;
  thinks.stop = 1793491263500;
  thinks.model = "claude-example-1";
  weaver.block(std::move(thinks));
  commit(1793491280000);

  weaver.turn({.role = transcript::Role::human, .source_id = "#2", .counted = true});
  asks.body = transcript::Text{"Thank you.", {}};
  asks.source_id = "2";
  asks.start = 1793491290000;
  weaver.block(std::move(asks));
  weaver.facts({.title = "The blue sky"});
  commit(1793491300000);

  for (const Cid& cid : order_) {
    thought::Thought written = web_.at(cid);
    if (written.type == thought::kCheckpointType) continue;
    ASSERT_TRUE(known_web.has(cid).value()) << thought::canonical_form(written);
    written.covered.clear();
    thought::Thought woven = known_web.get(cid).value();
    EXPECT_EQ(woven.signature.index(), written.signature.index());
    // Through which checkpoint, and by which path, the store says.
    if (may_be_tree_signed(woven)) woven.signature = written.signature;
    EXPECT_EQ(woven, written) << thought::canonical_form(written);
  }
  EXPECT_EQ(leaves, leaves_of(shown("checkpoint3")));
}

}  // namespace
}  // namespace weft::weave
