// The contract of Tables::edits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/edits/written_lines.hpp"
#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/edits_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> paths_of(const EditList& list) {
  std::vector<std::string> paths;
  for (const EditEntry& entry : list.entries) paths.push_back(entry.path);
  return paths;
}

TEST_P(StoreContract, ListsTheEditsOfAFileByTime) {
  Talk first("s1"), second("s2");
  const TestCall later = writes(first, "/p/a.py", "the second line\n", 2'000);
  writes(first, "/p/b.py", "another file\n", 2'500);
  const TestCall earlier = writes(second, "lib/a.py", "the first line\n\n", 1'000);
  commit(first);
  commit(second);
  const EditList list = store_->edits({.file_name = "a.py"}).value();
  ASSERT_EQ(list.entries.size(), 2u);
  EXPECT_EQ(list.entries[0], (EditEntry{.conversation = second.cid(),
                                        .request = earlier.request,
                                        .result = earlier.result,
                                        .time = 1'000,
                                        .kind = edits::Edit::Kind::write,
                                        .path = "lib/a.py",
                                        .lines = {edits::line_hash("the first line")}}));
  EXPECT_EQ(list.entries[1].request, later.request);
  EXPECT_EQ(list.sealed, 0u);
  EXPECT_EQ(list.rows.all, 2u);
  EXPECT_EQ(list.rows.done, 2u);
  EXPECT_EQ(store_->edits({.file_name = "elsewhere/a.py"}).value().entries, list.entries)
      << "of a path the last component counts";
  EXPECT_THAT(paths_of(store_->edits({}).value()), ElementsAre("lib/a.py", "/p/a.py", "/p/b.py"));
  EXPECT_THAT(store_->edits({.file_name = "c.py"}).value().entries, IsEmpty());
}

TEST_P(StoreContract, ListsTheEditsOfOneConversation) {
  Talk first("s1"), second("s2");
  writes(first, "a.py", "one line\n", 1);
  writes(second, "a.py", "two line\n", 2);
  commit(first);
  commit(second);
  const EditList list = store_->edits({.file_name = "a.py", .conversation = second.cid()}).value();
  ASSERT_EQ(list.entries.size(), 1u);
  EXPECT_EQ(list.entries[0].conversation, second.cid());
  EXPECT_EQ(list.rows.all, 1u);
  EXPECT_THAT(store_->edits({.conversation = Talk("s3").cid()}).value().entries, IsEmpty());
}

TEST_P(StoreContract, AResultMayComeInALaterCommit) {
  Talk talk("s1");
  const Cid made = asks_to_write(talk, "a.py", "some line\n", 1);
  const Cid failed = asks_to_write(talk, "b.py", "some line\n", 2);
  commit(talk);
  EXPECT_THAT(paths_of(store_->edits({}).value()), ElementsAre("a.py", "b.py"));
  EXPECT_FALSE(store_->edits({}).value().entries[0].result);
  const Cid result = answers(talk, made, 3);
  commit(talk);
  answers(talk, failed, 4, Succeeds::no);
  commit(talk);
  const EditList list = store_->edits({}).value();
  ASSERT_THAT(paths_of(list), ElementsAre("a.py")) << "an edit that failed is none";
  EXPECT_EQ(list.entries[0].request, made);
  EXPECT_EQ(list.entries[0].result, result);
}

TEST_P(StoreContract, ASupersededCallDoesNotCount) {
  Talk talk("s1"), fork("s2");
  const TestCall old = writes(talk, "a.py", "old line\n", 1);
  const TestCall failed = writes(talk, "b.py", "old line\n", 2);
  commit(talk);
  for (const Cid& part : {old.request, *old.result}) {
    fork.brings(get(part));
    fork.shares(part);
  }
  commit(fork);
  const TestCall now = writes(talk, "c.py", "new line\n", 3);
  talk.connect("supersedes", now.request, old.request);
  talk.connect("supersedes", answers(talk, failed.request, 4, Succeeds::no), *failed.result);
  commit(talk);
  EXPECT_THAT(paths_of(store_->edits({}).value()), ElementsAre("c.py"));
}

TEST_P(StoreContract, WhatAStrangerSaysOfACallChangesNothing) {
  Talk talk("s1"), other("s2", "eve");
  const TestCall call = writes(talk, "a.py", "some line\n", 1);
  commit(talk);
  const Cid turn = store_->cid_of(store_->outline(talk.cid())->turns[0].turn).value();
  const TestCall foreign = writes(other, "b.py", "some line\n", 2);
  other.connect("supersedes", foreign.request, call.request);
  other.connect("contains", turn, foreign.request, 9);
  answers(other, call.request, 3, Succeeds::no);
  commit(other);
  EXPECT_THAT(paths_of(store_->edits({.conversation = talk.cid()}).value()), ElementsAre("a.py"));
}

TEST_P(StoreContract, ACopyIsMarkedAsOne) {
  Talk talk("s1"), fork("s2");
  const TestCall call = writes(talk, "a.py", "some line\n", 1);
  commit(talk);
  fork.shares(call.request);
  fork.shares(*call.result);
  commit(fork);
  const EditList list = store_->edits({.file_name = "a.py"}).value();
  ASSERT_EQ(list.entries.size(), 2u);
  for (const EditEntry& entry : list.entries) {
    EXPECT_EQ(entry.is_copy, entry.conversation == fork.cid());
    EXPECT_EQ(entry.result, call.result);
  }
}

TEST_P(StoreContract, AMoveIsFoundByBothNames) {
  Talk talk("s1");
  add_block(talk, "test/tool_request",
            {{"tool_name", "apply_patch"},
             {"input",
              "*** Begin Patch\n*** Update File: p/a.py\n*** Move to: p/b.py\n@@\n+some line\n"
              "*** End Patch\n"}},
            {}, 1);
  commit(talk);
  for (const char* name : {"a.py", "b.py"}) {
    const EditList list = store_->edits({.file_name = name}).value();
    ASSERT_EQ(list.entries.size(), 1u) << name;
    EXPECT_EQ(list.entries[0].kind, edits::Edit::Kind::move);
    EXPECT_EQ(list.entries[0].moved_from, "p/a.py");
    EXPECT_EQ(list.entries[0].lines, std::vector{edits::line_hash("some line")});
  }
}

TEST_P(StoreContract, AListOfEditsCanBeCalledOff) {
  Talk talk("s1");
  writes(talk, "a.py", "some line\n", 1);
  commit(talk);
  const auto list = store_->edits({.go_on = [](std::uint64_t, std::uint64_t) { return false; }});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace weft::store
