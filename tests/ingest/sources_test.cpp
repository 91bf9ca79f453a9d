// Ingest of the files on a machine: found, grown, truncated, replaced, deleted.
#include "sources_for_test.hpp"

namespace weft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Sources, IngestWithoutArgumentsFindsWhatTheMachineHas) {
  const Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  const json::object report = ingest();
  ASSERT_EQ(list(report, "conversations").size(), 1u);
  EXPECT_EQ(number(report, "files"), 1);
  const json::object row = list(weft.json({"list"}), "conversations").at(0).get_object();
  EXPECT_EQ(text(row, "session_id"), kOne);
  EXPECT_EQ(text(row, "format"), "claude-code");
  EXPECT_EQ(text(row, "project"), "looms");
  EXPECT_EQ(text(row, "cwd"), "/home/ada/looms");
  EXPECT_EQ(number(weft.json({"list", "--project", "looms"}), "total"), 1);
  EXPECT_EQ(weft({"walk", "claude-code:" + kOne}).exit, 0);

  const json::object source = list(weft.json({"sources"}), "sources").at(0).get_object();
  EXPECT_EQ(text(source, "format"), "claude-code");
  EXPECT_EQ(number(source, "files"), 1);
  EXPECT_EQ(number(source, "ingested"), 1);
  EXPECT_EQ(number(source, "bytes"), static_cast<std::int64_t>(session.text().size()));
}

TEST_F(Sources, SecondIngestReadsNothing) {
  append(place(weft, kOne), long_session().text());
  const json::object first = ingest();
  const json::object second = ingest();
  EXPECT_GT(number(first, "bytes"), 0);
  EXPECT_EQ(number(second, "bytes"), 0);
  EXPECT_EQ(number(second, "new_thoughts"), 0);
  ASSERT_EQ(list(second, "conversations").size(), 1u);
  EXPECT_EQ(text(list(second, "conversations").at(0).get_object(), "conversation_cid"),
            text(list(first, "conversations").at(0).get_object(), "conversation_cid"));
}

TEST_F(Sources, AppendedLineIsAllThatIsRead) {
  Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  ingest();
  session.human("one more");
  append(path, session.lines.back() + "\n");
  const json::object report = ingest();
  EXPECT_EQ(number(report, "bytes"), static_cast<std::int64_t>(session.lines.back().size()) + 1);
  EXPECT_GT(number(report, "new_thoughts"), 0);
  expect_valid();
}

// Cut at the end of every line, and in the midst of some.
TEST_F(Sources, FileFedInPiecesGivesTheWebOfTheWholeFile) {
  const std::string text = long_session().text();
  Weft whole;
  share_keyring(weft, whole);
  append(place(whole, kOne), text);
  ASSERT_EQ(whole({"ingest"}).exit, 0);

  const std::string path = place(weft, kOne);
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_midst = i % 977 == 0;
    if (text[i] != '\n' && !in_midst) continue;
    append(path, std::string_view(text).substr(from, i + 1 - from));
    from = i + 1;
    weft({"ingest"});
  }
  EXPECT_EQ(web_of(weft), web_of(whole));
  const Ran restored = weft({"restore", kOne});
  EXPECT_TRUE(restored.out == text);
  expect_valid();
}

TEST_F(Sources, LastLineWithoutItsEndIsTakenIfItIsWholeAndElseWaits) {
  Session session(kOne);
  session.human("why?");
  session.says("because");
  const std::string path = place(weft, kOne);
  append(path, session.lines[0]);
  EXPECT_EQ(list(ingest(), "conversations").size(), 1u);
  append(path, "\n" + session.lines[1].substr(0, 40));
  EXPECT_THAT(reasons(ingest()), ElementsAre(HasSubstr("incomplete")));
  append(path, session.lines[1].substr(40) + "\n");
  const json::object report = ingest();
  EXPECT_TRUE(reasons(report).empty());
  EXPECT_EQ(weft.json({"stats", kOne}).at("by_type").as_object().at("anthropic/response"), 1);
  EXPECT_TRUE(weft({"restore", path}).out == session.text());
}

TEST_F(Sources, WhatWasWovenStaysWhenAFileIsTruncatedReplacedRenamedOrDeleted) {
  const Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  ingest();
  const std::set<std::string> before = web_of(weft);

  std::ofstream(path, std::ios::binary | std::ios::trunc) << session.lines[0] << "\n";
  EXPECT_EQ(number(ingest(), "new_thoughts"), 0);
  EXPECT_EQ(web_of(weft), before);
  EXPECT_TRUE(weft({"restore", path}).out == session.lines[0] + "\n");
  EXPECT_TRUE(weft({"restore", path, "--former"}).out == session.text());

  weft.write("aside", session.text());
  fs::rename(weft.path("aside"), path);  // another file in its place
  EXPECT_EQ(number(ingest(), "new_thoughts"), 0);
  EXPECT_TRUE(weft({"restore", path}).out == session.text());

  const std::string renamed = place(weft, kOne, "-home-ada-renamed");
  fs::rename(path, renamed);
  const json::object report = ingest();
  EXPECT_EQ(number(report, "bytes"), 0);  // known again, and not read
  EXPECT_TRUE(weft({"restore", renamed}).out == session.text());

  fs::remove(renamed);
  ingest();
  EXPECT_EQ(web_of(weft), before);
  EXPECT_TRUE(weft({"restore", kOne}).out == session.text());
  EXPECT_EQ(number(list(weft.json({"sources"}), "sources").at(0).get_object(), "gone"), 1);
  expect_valid();
}

TEST_F(Sources, FileThatIsWrittenAnewAddsWhatItSaysThatIsNew) {
  Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  ingest();
  session.human("new words");
  weft.write("aside", session.text());
  fs::rename(weft.path("aside"), path);
  EXPECT_GT(number(ingest(), "new_thoughts"), 0);
  EXPECT_TRUE(weft({"restore", path}).out == session.text());
  EXPECT_EQ(weft({"restore", path, "--former"}).exit, 1);  // nothing vanished
  expect_valid();
}

}  // namespace
}  // namespace weft::test
