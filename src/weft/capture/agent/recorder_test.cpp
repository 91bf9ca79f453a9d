// Blocks that are pushed one by one give the thoughts of a file with the same blocks, whichever
// process pushes them and however often the recorder restarts.
#include "weft/capture/agent/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "weft/capture/agent/recording_for_test.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/ingest/run/weave_session.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/ingest/sources.hpp"

namespace weft::capture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using transcript::Role;

json::object says(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

class RecorderTest : public testing::Test {
 protected:
  Recording recording_;
};

TEST_F(RecorderTest, GivesTheWebOfAFileWithTheSameBlocksAndTimes) {
  for (const char* name : {"two-rounds.txt", "every-block.txt", "results-in-human.txt"}) {
    SCOPED_TRACE(name);
    const Script script = fixture(name);
    ASSERT_GE(script.size(), 5u);
    const std::set<Cid> expected = recording_.web_of_file(script, "s");
    EXPECT_EQ(recording_.web_of_pushes(script, "s", Restart::no), expected);
    EXPECT_EQ(recording_.web_of_pushes(script, "s", Restart::between_blocks), expected);
  }
}

TEST_F(RecorderTest, GivesTheWebOfAFileForARealSession) {
  const std::filesystem::path folder =
      std::filesystem::path(WEFT_SOURCE_DIR).parent_path() / "shared/fixtures/claude-code";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no real sessions beside the repository";
  int sessions = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl" || entry.file_size() > 200'000) continue;
    transcript::Collector read;
    const formats::Adapter& reader = *formats::find_adapter("claude-code");
    formats::read_all(reader, {.name = entry.path().filename().string()},
                      read_file(entry.path().string()).value(), read);
    if (read.conversations.empty() || read.conversations[0].turns.size() < 4) continue;
    const formats::Adapter& writer = *formats::find_adapter("anthropic-transcript");
    Script script = parse_script(writer.write(read.conversations[0]).value().text);
    if (script.size() < 20) continue;
    if (script.size() > 80) script.resize(80);
    SCOPED_TRACE(entry.path().filename());
    EXPECT_EQ(recording_.web_of_pushes(script, "s", Restart::between_blocks),
              recording_.web_of_file(script, "s"));
    if (++sessions == 3) return;
  }
  EXPECT_GT(sessions, 0);
}

TEST_F(RecorderTest, AFileWithTheSameBlocksAddsNothingAfterwards) {
  const Script script = fixture("two-rounds.txt");
  const auto store = recording_.open("both.db");
  recording_.push_all(*store, script, "s");
  const std::set<Cid> before = web_of(*store);
  recording_.take_file(*store, script, "s");
  EXPECT_EQ(web_of(*store), before);
}

TEST_F(RecorderTest, NamesTheThoughtOfEachBlockAndTheConversation) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  const Result<Cid> asked = recorder.record("s", says("why?"), Role::human);
  const Result<Cid> answered = recorder.record("s", says("because"), {});
  ASSERT_TRUE(asked && answered);
  EXPECT_EQ(store->get(*asked)->type, "anthropic/human_input");
  EXPECT_EQ(store->get(*asked)->created_at, recording_.now);
  EXPECT_EQ(store->get(*answered)->type, "anthropic/response");
  ASSERT_EQ(store->get(*answered)->because.size(), 1u);
  EXPECT_EQ(store->get(*answered)->because[0].thought, *asked);
  const Result<Cid> conversation = recorder.stop("s");
  ASSERT_TRUE(conversation);
  EXPECT_EQ(store->conversation(*conversation)->session_id, "s");
  EXPECT_EQ(store->conversation(*conversation)->block_count, 2u);
}

TEST_F(RecorderTest, WithoutARoleAResultStaysWhereItIsAndTheRestIsTheAssistants) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  ASSERT_TRUE(recorder.record("s", says("list them"), Role::human));
  const json::object call{{"type", "tool_use"}, {"id", "t1"}, {"name", "ls"}, {"input", nullptr}};
  const json::object printed{{"type", "tool_result"}, {"tool_use_id", "t1"}, {"content", "a b"}};
  const Cid request = recorder.record("s", call, {}).value();
  const Cid result = recorder.record("s", printed, {}).value();
  EXPECT_EQ(store->get(result)->because[0].thought, request);
  EXPECT_EQ(store->conversation(recorder.stop("s").value())->turn_count, 2u);
}

TEST_F(RecorderTest, GoesOnAfterItWasStopped) {
  const Script script = fixture("two-rounds.txt");
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  for (std::size_t i = 0; i < script.size(); ++i) {
    ASSERT_TRUE(recorder.start("s"));
    recording_.now = moment(i);
    ASSERT_TRUE(recorder.record("s", script[i].block, script[i].role));
    ASSERT_TRUE(recorder.stop("s"));
  }
  EXPECT_EQ(recorder.record("s", says("more"), {}).error().code, ErrorCode::not_found);
  EXPECT_EQ(web_of(*store), recording_.web_of_file(script, "s"));
}

TEST_F(RecorderTest, ListsThoseThatAreRecordingWhoeverBeganThem) {
  const auto store = recording_.open("weft.db"), other = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  Recorder elsewhere(*other, recording_.keyring, recording_.options());
  EXPECT_THAT(recorder.recording().value(), IsEmpty());
  ASSERT_TRUE(recorder.start("a"));
  ASSERT_TRUE(elsewhere.start("b"));
  ASSERT_TRUE(elsewhere.start("a"));
  EXPECT_THAT(recorder.recording().value(), ElementsAre("a", "b"));
  ASSERT_TRUE(elsewhere.record("a", says("x"), {}));
  ASSERT_TRUE(elsewhere.stop("a"));
  EXPECT_THAT(recorder.recording().value(), ElementsAre("b"));
  EXPECT_EQ(recorder.stop("b").error().code, ErrorCode::invalid_input) << "nothing was said";
  EXPECT_THAT(recorder.recording().value(), IsEmpty());
  EXPECT_EQ(recorder.stop("b").error().code, ErrorCode::not_found);
}

TEST_F(RecorderTest, SeveralMayRecordTheSameSessionAtOnce) {
  constexpr int kEach = 15;
  const auto record = [&](const std::string& name, std::vector<Cid>& read) {
    const auto store = recording_.open("busy.db");
    Recorder recorder(*store, recording_.keyring, recording_.options());
    ASSERT_TRUE(recorder.start("shared"));
    ASSERT_TRUE(recorder.start("of " + name));
    for (int i = 0; i < kEach; ++i) {
      const std::string words = name + std::to_string(i);
      const Result<Cid> shared = recorder.record("shared", says(words), Role::assistant);
      ASSERT_TRUE(shared) << shared.error().message;
      read.push_back(*shared);
      ASSERT_TRUE(recorder.record("of " + name, says(words), Role::human));
    }
  };
  recording_.open("busy.db");
  std::array<std::vector<Cid>, 3> read;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < read.size(); ++i) {
      threads.emplace_back([&, i] { record("recorder " + std::to_string(i), read[i]); });
    }
  }
  const auto store = recording_.open("busy.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  std::set<Cid> all;
  for (const auto& cids : read) all.insert(cids.begin(), cids.end());
  EXPECT_EQ(all.size(), read.size() * kEach);
  for (const Cid& cid : all) EXPECT_TRUE(store->has(cid).value());
  EXPECT_EQ(store->conversation(recorder.stop("shared").value())->block_count, all.size());
  EXPECT_THAT(recorder.recording().value(),
              UnorderedElementsAre("of recorder 0", "of recorder 1", "of recorder 2"));
}

TEST_F(RecorderTest, WhatWasForgottenIsNotRecordedAgain) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  const Cid secret = recorder.record("s", says("a secret"), Role::human).value();
  const Cid conversation = store->conversations({})->front().cid;
  ASSERT_TRUE(ingest::forget(*store, recording_.keyring, *store->conversation(conversation),
                             recording_.now));
  EXPECT_FALSE(store->has(secret).value());
  EXPECT_THAT(recorder.recording().value(), IsEmpty());
  const Result<Cid> refused = recorder.record("s", says("another"), {});
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(refused.error().message, HasSubstr("forgotten"));
  EXPECT_EQ(recorder.start("s").error().code, ErrorCode::invalid_input);
  EXPECT_EQ(recorder.stop("s").error().code, ErrorCode::not_found);
  ASSERT_TRUE(recorder.start("t"));
  EXPECT_TRUE(recorder.record("t", says("a new one"), {}));
  EXPECT_THAT(recorder.recording().value(), ElementsAre("t"));
}

TEST_F(RecorderTest, AConversationThatCameFromAFileIsNotAddedTo) {
  const Script script = fixture("two-rounds.txt");
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("late"));
  recording_.take_file(*store, script, "s");
  recording_.take_file(*store, script, "late");
  const std::set<Cid> before = web_of(*store);
  EXPECT_EQ(recorder.start("s").error().code, ErrorCode::invalid_input);
  EXPECT_EQ(recorder.record("late", says("x"), {}).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(web_of(*store), before);
}

TEST_F(RecorderTest, RefusesWhatIsNoBlockAndRecordsNothingOfIt) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  const auto refused = [&](const json::object& block) {
    const Result<Cid> recorded = recorder.record("s", block, {});
    EXPECT_FALSE(recorded) << canonical_json(block);
    EXPECT_EQ(recorded.error().code, ErrorCode::invalid_input);
    return recorded.error().message;
  };
  EXPECT_THAT(refused({}), HasSubstr("type"));
  EXPECT_THAT(refused({{"type", 7}}), HasSubstr("type"));
  EXPECT_THAT(refused({{"type", "text"}}), HasSubstr("\"text\""));
  EXPECT_THAT(refused({{"type", "thinking"}, {"text", "hm"}}), HasSubstr("\"thinking\""));
  EXPECT_THAT(refused({{"type", "tool_use"}, {"id", "t"}}), HasSubstr("\"name\""));
  EXPECT_THAT(refused({{"type", "image"},
                       {"source", {{"type", "url"}, {"url", "https://example.org/a.png"}}}}),
              HasSubstr("role"));
  EXPECT_TRUE(store->conversations({})->empty());
  const Result<Cid> unknown = recorder.record("s", {{"type", "hologram"}, {"depth", 3}}, {});
  ASSERT_TRUE(unknown) << "a type of tomorrow is kept";
  EXPECT_EQ(store->get(*unknown)->type, "anthropic/unknown");
}

TEST_F(RecorderTest, RefusesIdsThatNobodyCouldRead) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  for (const std::string& id : {std::string(), std::string(201, 'a'), std::string("a\nb"),
                                std::string("a\x1b[31m"), std::string("\xff")}) {
    EXPECT_EQ(recorder.start(id).error().code, ErrorCode::invalid_input);
  }
  EXPECT_TRUE(recorder.start(std::string(200, 'a')));
  EXPECT_EQ(recorder.record("never begun", says("x"), {}).error().code, ErrorCode::not_found);
}

TEST_F(RecorderTest, WhatIsKeptBetweenBlocksIsSealed) {
  {
    const auto store = recording_.open("weft.db");
    Recorder recorder(*store, recording_.keyring, recording_.options());
    ASSERT_TRUE(recorder.start("quokka-session"));
    ASSERT_TRUE(recorder.record("quokka-session",
                                {{"type", "thinking"}, {"thinking", "zanzibar reasoning"}}, {}));
    ASSERT_TRUE(recorder.record("quokka-session",
                                {{"type", "tool_use"}, {"id", "xylophone"}, {"name", "ls"}}, {}));
    // Read while the log is still there.
    EXPECT_EQ(recording_.bytes_of("weft.db").find("zanzibar"), std::string::npos);
  }
  EXPECT_EQ(recording_.bytes_of("weft.db").find("zanzibar"), std::string::npos);
}

TEST_F(RecorderTest, RefusesASessionThatANewerWeftHasRecorded) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  ASSERT_TRUE(recorder.record("s", says("why?"), Role::human));
  const ingest::SourceSeal seal(recording_.keyring);
  store::Source source = store->sources().find(seal.key("capture:s")).value().value();
  json::object state =
      parse_json(seal.open_state(source.key, source.state).value())->value.get_object();
  ASSERT_EQ(ingest::version_of(state), ingest::kStateVersion);
  state["version"] = ingest::kStateVersion + 1;
  source.state = seal.seal_state(source.key, canonical_json(state));
  store::Batch batch;
  batch.sources = {{.source = source}};
  ASSERT_TRUE(store->writer().commit(batch));
  const Result<Cid> refused = recorder.record("s", says("because"), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("a newer version of weft"));
}

TEST_F(RecorderTest, WhatABlockTakesDoesNotGrowWithTheSession) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  const auto push = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      recording_.now += 1'000;
      const std::string id = "toolu_" + std::to_string(1'000'000 + recording_.now % 1'000'000'000);
      ASSERT_TRUE(recorder.record("s", says("question"), Role::human));
      ASSERT_TRUE(recorder.record("s", {{"type", "tool_use"}, {"id", id}, {"name", "ls"}}, {}));
      ASSERT_TRUE(recorder.record(
          "s", {{"type", "tool_result"}, {"tool_use_id", id}, {"content", "x"}}, {}));
      ASSERT_TRUE(recorder.record("s", says("answer"), {}));
    }
  };
  // State, and rows that each block adds.
  const auto sizes = [&] {
    std::size_t state = 0;
    const auto sources = store->sources().all();
    for (const store::Source& source : *sources) state += source.state.size();
    return std::pair(state, store->conversations({})->front().thought_count);
  };
  push(20);  // the calls that may be answered again are as many as they will be
  const auto first = sizes();
  push(20);
  const auto second = sizes();
  push(20);
  const auto third = sizes();
  EXPECT_LT(second.first, first.first + 100);
  EXPECT_LT(third.first, first.first + 100);
  EXPECT_EQ(third.second - second.second, second.second - first.second);
}

TEST_F(RecorderTest, ItsSourceIsListedAndHasNoFileToGiveBack) {
  const auto store = recording_.open("weft.db");
  Recorder recorder(*store, recording_.keyring, recording_.options());
  ASSERT_TRUE(recorder.start("s"));
  ASSERT_TRUE(recorder.record("s", says("x"), Role::human));
  const Cid conversation = recorder.stop("s").value();
  const auto folders = ingest::list_sources(*store, recording_.keyring, {});
  ASSERT_TRUE(folders);
  ASSERT_EQ(folders->size(), 1u);
  EXPECT_EQ(folders->front().path, "capture:");
  EXPECT_EQ(folders->front().format, "anthropic-transcript");
  EXPECT_EQ(folders->front().ingested, 1u);
  EXPECT_EQ(folders->front().gone, 0u);
  EXPECT_EQ(folders->front().conversations, 1u);
  const auto entries = ingest::list_source_files(*store, recording_.keyring);
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().path, "capture:s");
  EXPECT_FALSE(entries->front().is_gone);
  const auto archived = ingest::find_archived(*store, recording_.keyring, conversation);
  EXPECT_EQ(archived.error().code, ErrorCode::not_found);
  EXPECT_THAT(archived.error().message, HasSubstr("weft export"));
}

}  // namespace
}  // namespace weft::capture
