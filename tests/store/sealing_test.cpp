// Sealing as the store and its checks see it: what goes, what stays, and what comes afterwards.
#include <gmock/gmock.h>

#include <sstream>

#include "forget_for_test.hpp"
#include "import_for_test.hpp"
#include "weft/ingest/check_archive.hpp"
#include "weft/ingest/seal/seal_thoughts.hpp"
#include "weft/thought/seal.hpp"

namespace weft {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Sealing : public testing::Test {
 protected:
  // Every thought of a session in which these words stand in the clear.
  std::vector<Cid> saying(const std::string& session, const std::string& words) const {
    const auto store = forks_.web.open();
    std::vector<Cid> found;
    const Status status =
        store->each_of(row_of(*store, session).cid, [&](thought::Thought thought) {
          const bool is_block = thought::may_be_sealed(thought.type);
          if (is_block && canonical_json(thought.content).find(words) != std::string::npos) {
            found.push_back(thought.cid);
          }
          return true;
        });
    EXPECT_TRUE(status) << status.error().message;
    return found;
  }
  ingest::SealReport seal(const std::vector<Cid>& thoughts) const {
    auto report =
        ingest::seal_thoughts(*forks_.web.open(), forks_.web.keyring, thoughts, 1'800'000'000'000);
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report && report->is_wiped);
    return report.value_or(ingest::SealReport{});
  }
  void expect_sound_archive() const {
    const auto store = forks_.web.open();
    const auto checks = ingest::archive_checks(*store, forks_.web.keyring);
    ASSERT_TRUE(checks);
    EXPECT_THAT(*checks, Not(IsEmpty()));
    for (const auto& check : *checks) EXPECT_THAT(*check(), IsEmpty());
  }
  std::string exported(const std::string& session) const {
    std::string lines;
    const auto store = forks_.web.open();
    std::ignore = store->each_of(row_of(*store, session).cid, [&](thought::Thought thought) {
      lines += canonical_json(to_json(thought)) + "\n";
      return true;
    });
    return lines;
  }
  bool is_said(const std::string& words) const { return files_say(forks_.web.dir.path(), words); }

  Forks forks_;
};

TEST_F(Sealing, OfWhatForksShareKeepsBothWhole) {
  const std::vector<Cid> clear = saying("origin", "shared-a");
  ASSERT_THAT(clear, SizeIs(4)) << "asked, in, out, answered";
  ASSERT_EQ(saying("fork", "shared-a"), clear);
  const auto before = row_of(*forks_.web.open(), "fork");
  const ingest::SealReport report = seal(clear);
  EXPECT_THAT(report.sealed, SizeIs(4));
  EXPECT_GT(report.repacked, 0u);
  for (const char* words : {"asked shared-a", "in shared-a", "out shared-a", "answered shared-a"}) {
    EXPECT_FALSE(is_said(words)) << words;
  }
  EXPECT_TRUE(is_said("asked shared-b"));
  expect_sound(forks_.web);
  expect_sound_archive();
  const auto store = forks_.web.open();
  for (std::size_t i = 0; i < clear.size(); ++i) {
    const thought::Thought sealed = store->get(report.sealed[i]).value();
    EXPECT_TRUE(is_sealed_whole(sealed));
    EXPECT_EQ(store->sealed_as(clear[i]).value(), sealed.cid);
    EXPECT_FALSE(store->effects(sealed.cid).value().empty()) << "what rests on it is found";
    EXPECT_THAT(store->conversations_of(sealed.cid).value(), SizeIs(2));
  }
  EXPECT_EQ(row_of(*store, "fork").turn_count, before.turn_count);
  const auto outline = store->outline(before.cid).value();
  std::vector<store::Handle> blocks;
  for (const auto& entry : outline.entries) blocks.push_back(entry.block);
  std::size_t read = 0;
  const Status facts =
      store->each_facts(blocks, &forks_.web.keyring, [&](const store::BlockFacts&) { ++read; });
  EXPECT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(read, blocks.size()) << "what is gone is not in the outline";
}

TEST_F(Sealing, IsKeptByWhatIsReadAfterwards) {
  const std::vector<Cid> clear = saying("origin", "shared-a");
  seal(clear);
  write_text(forks_.web.dir / "late.txt",
             heading("late") + Forks::common() + round_of("late-only", 40));
  forks_.web.ingest(forks_.web.dir / "late.txt");
  write_text(forks_.web.dir / "fork.txt",
             heading("fork") + Forks::common() + round_of("fork-only", 30) + round_of("more", 31));
  forks_.web.ingest(forks_.web.dir / "fork.txt");
  EXPECT_FALSE(is_said("asked shared-a"));
  expect_sound(forks_.web);
  expect_sound_archive();
  const auto store = forks_.web.open();
  const Cid late = row_of(*store, "late").cid;
  EXPECT_THAT(store->neighbours(late, "continues", store::Direction::from).value(), SizeIs(1));
  // What rests on the sealed thoughts is shared, as if they had not been sealed.
  for (const Cid& cid : saying("origin", "shared-b")) {
    EXPECT_THAT(store->conversations_of(cid).value(), SizeIs(3));
  }
}

TEST_F(Sealing, IsUnderstoodWhereWhatRemainsIsHandedOn) {
  const std::string in_the_clear = exported("origin");
  const std::vector<Cid> clear = saying("origin", "shared-a");
  seal(clear);
  const std::string lines = exported("origin");
  EXPECT_EQ(lines.find("asked shared-a"), std::string::npos);
  const Web other;
  {
    const auto store = other.open();
    const auto report = test::import_text(*store, &other.keyring, lines);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->refused, IsEmpty());
    EXPECT_THAT(report->incomplete, IsEmpty());
  }
  expect_sound(other);
  // In the store that sealed it, an export from before brings nothing back.
  {
    const auto store = forks_.web.open();
    const auto report = test::import_text(*store, &forks_.web.keyring, in_the_clear);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_FALSE(store->has(clear.front()).value());
  }
  EXPECT_FALSE(is_said("asked shared-a"));
  expect_sound(forks_.web);
}

TEST_F(Sealing, LeafWithoutATombstoneIsRefused) {
  const std::vector<Cid> clear = saying("origin", "shared-a");
  seal(clear);
  std::istringstream all(exported("origin"));
  std::string lines;
  for (std::string line; std::getline(all, line);) {
    if (line.find("\"type\":\"tombstone\"") == std::string::npos) lines += line + "\n";
  }
  const Web other;
  const auto report = test::import_text(*other.open(), &other.keyring, lines);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->refused, Not(IsEmpty()));
}

TEST_F(Sealing, IsNoHindranceToForgettingTheOrigin) {
  seal(saying("origin", "shared-a"));
  forget(forks_.web, "origin");
  expect_sound(forks_.web);
  forget(forks_.web, "fork");
  expect_sound(forks_.web);
}

TEST_F(Sealing, OfATitleSealsThoseThatFollow) {
  const std::vector<Cid> facts = saying("origin", "the title of origin");
  ASSERT_THAT(facts, Not(IsEmpty()));
  seal({facts.front()});
  EXPECT_FALSE(is_said("the title of origin"));
  write_text(forks_.web.dir / "talk.txt", heading("origin") + Forks::common() +
                                              round_of("origin-only", 20) + round_of("more", 21));
  forks_.web.ingest(forks_.web.dir / "talk.txt");
  EXPECT_FALSE(is_said("the title of origin"));
  expect_sound(forks_.web);
}

TEST_F(Sealing, LeavesWhatSomebodyElseSigned) {
  const Web other;
  const auto store = forks_.web.open();
  const auto theirs = other.open();
  const Cid prompt =
      theirs->find_blocks(theirs->conversations({})->front().cid, "human_input", 1).value().front();
  std::string lines;
  std::ignore = theirs->each_of(theirs->conversations({})->front().cid, [&](thought::Thought one) {
    lines += canonical_json(to_json(one)) + "\n";
    return true;
  });
  ASSERT_TRUE(test::import_text(*store, &forks_.web.keyring, lines));
  const auto plan = ingest::plan_seal(*store, forks_.web.keyring, {prompt});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->items, IsEmpty());
  EXPECT_THAT(plan->left, SizeIs(1));
}

}  // namespace
}  // namespace weft
