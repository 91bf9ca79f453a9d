// Holds the code to docs/formats/state.md: its worked example, and what each version means.
#include "weft/ingest/run/weave_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/base/file.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::ingest {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPrompt =
    R"({"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nHi\n</user_query>"}]}})";
constexpr std::string_view kEvent = R"({"type":"turn_ended","status":"success"})";

const formats::Adapter& cursor() { return *formats::find_adapter("cursor"); }
const formats::SourceInfo kInfo{
    .name = "s1.jsonl", .model = {}, .directory = "/home/ada/agent-transcripts/s1"};

std::string canonical(const json::object& object) { return canonical_json(object); }

class SavedState : public testing::Test {
 protected:
  // The state of a session that has read one record, and has nothing to commit.
  json::object saved() {
    WeaveSession session = open();
    session.reader().read({.text = kEvent}, session.weaver());
    return session.save();
  }
  WeaveSession open() { return WeaveSession(cursor(), kInfo, loom_.identities, loom_.known_web); }

  weave::Loom loom_;
};

TEST_F(SavedState, IsAsThePageShowsIt) {
  const std::string page =
      read_file(std::string(WEFT_SOURCE_DIR) + "/docs/formats/state.md").value();
  const auto reader = cursor().open(kInfo);
  transcript::Collector collector;
  reader->read({.text = kPrompt}, collector);
  ASSERT_EQ(collector.conversations.size(), 1u);
  EXPECT_THAT(page, HasSubstr(std::string(kPrompt)));
  EXPECT_THAT(page, HasSubstr("\n" + canonical(reader->save()) + "\n"));
  EXPECT_THAT(page, HasSubstr("\n" + canonical(saved()) + "\n"));
}

TEST_F(SavedState, NamesItsVersion) { EXPECT_EQ(version_of(saved()), kStateVersion); }

TEST_F(SavedState, IsResumed) {
  const json::object state = saved();
  WeaveSession session = open();
  ASSERT_TRUE(session.resume(&state).value());
  EXPECT_EQ(canonical(session.save()), canonical(state));
}

TEST_F(SavedState, OfVersion0HasReadersAsText) {
  const json::object state = saved();
  json::object old = state, reader = state.at("reader").get_object();
  reader["reader"] = canonical(reader.at("reader").get_object());
  old["reader"] = canonical(reader);
  old.erase("version");
  WeaveSession session = open();
  ASSERT_TRUE(session.resume(&old).value());
  EXPECT_EQ(canonical(session.save()), canonical(state));
}

TEST_F(SavedState, OfANewerVersionIsNotResumed) {
  json::object state = saved();
  state["version"] = kStateVersion + 1;
  WeaveSession session = open();
  EXPECT_FALSE(session.resume(&state).value());
  EXPECT_EQ(canonical(session.save()), canonical(open().save())) << "it is as new";
}

TEST_F(SavedState, ThatLacksAPartIsNotResumed) {
  for (const char* key : {"reader", "weaver"}) {
    json::object state = saved();
    state.erase(key);
    EXPECT_FALSE(open().resume(&state).value()) << key;
    state[key] = json::array{1};
    EXPECT_FALSE(open().resume(&state).value()) << key;
  }
}

}  // namespace
}  // namespace weft::ingest
