// weft record and the store: several at once, a journal that cannot be written, a store that is
// locked, conversations that were forgotten.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "record_for_test.hpp"

namespace weft::test {
namespace {

using Lines = std::vector<std::string>;

std::string answer_of(int n) {
  return chunked_stream(
      message_events("msg_" + std::to_string(n), "thought", "answer " + std::to_string(n)));
}

// Says "answer n" to the n-th request.
struct Counting {
  MockApi::Answer says() {
    return [this](Peer& client, const Asked&) { return client.write(answer_of(next++)); };
  }
  std::atomic<int> next = 0;
};

// The n-th request of a conversation that has gone well so far.
std::string request_of(int n) {
  std::string all = user("question 0");
  for (int i = 0; i < n; ++i) {
    all += "," + assistant("msg_" + std::to_string(i), "thought", "answer " + std::to_string(i)) +
           "," + user("question " + std::to_string(i + 1));
  }
  return post("/v1/messages", messages(all));
}

void exchange(const Recording& recording, int n) {
  Peer client = recording.connect();
  client.write(request_of(n));
  EXPECT_EQ(client.read_exactly(answer_of(n).size()), answer_of(n));
}

std::string outline_of(int answers) {
  std::string out = "system: system_input(Be brief.)";
  for (int i = 0; i < answers; ++i) {
    const std::string n = std::to_string(i);
    out += " | human: human_input(question " + n + ") | assistant: thinking response(answer " + n +
           ")";
  }
  return out;
}

TEST(RecordStore, SeveralGoOnWithTheSameConversation) {
  Weft weft;
  Counting counting;
  MockApi api(counting.says());
  Recording one(weft, api.url()), other(weft, api.url());
  for (int n = 0; n < 6; ++n) {
    exchange(n % 2 == 0 ? one : other, n);
    ASSERT_TRUE(is_woven(weft));
  }
  EXPECT_EQ(outlines(weft), (Lines{outline_of(6)}));
  EXPECT_EQ(one.stop(), 0);
  EXPECT_EQ(other.stop(), 0);
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST(RecordStore, AJournalThatCannotBeWrittenHoldsNothingUp) {
  Weft weft;
  Counting counting;
  MockApi api(counting.says());
  Recording recording(weft, api.url());
  std::filesystem::rename(weft.home() / "record", weft.home() / "elsewhere");
  exchange(recording, 0);
  EXPECT_TRUE(becomes_true(
      [&] { return recording.errors().find("goes through unrecorded") != std::string::npos; }));
  std::filesystem::rename(weft.home() / "elsewhere", weft.home() / "record");
  exchange(recording, 1);
  ASSERT_TRUE(is_woven(weft));
  // What it missed is restated.
  EXPECT_EQ(outlines(weft), (Lines{outline_of(2)}));
}

TEST(RecordStore, AStoreThatIsLockedHoldsNothingUp) {
  Weft weft;
  Counting counting;
  MockApi api(counting.says());
  Recording recording(weft, api.url());
  sqlite3* database = nullptr;
  ASSERT_EQ(::sqlite3_open((weft.home() / "weft.db").c_str(), &database), SQLITE_OK);
  ASSERT_EQ(::sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  exchange(recording, 0);
  exchange(recording, 1);
  EXPECT_EQ(waiting_in_journal(weft), 2u);
  ::sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
  ::sqlite3_close(database);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft), (Lines{outline_of(2)}));
}

TEST(RecordStore, WhatWasForgottenIsNotRecordedAgain) {
  Weft weft;
  Counting counting;
  MockApi api(counting.says());
  Recording recording(weft, api.url());
  exchange(recording, 0);
  ASSERT_TRUE(is_woven(weft));
  const json::object listed = weft.json({"list"});
  const std::string cid = text(list(listed, "conversations").at(0).as_object(), "cid");
  const Ran forgotten = weft({"forget", cid, "--yes"});
  ASSERT_EQ(forgotten.exit, 0) << forgotten;
  exchange(recording, 1);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft), Lines{});
  EXPECT_NE(recording.errors().find("was forgotten"), std::string::npos);
}

TEST(RecordStore, WhatHasNoPlaceInTheWebIsKeptBesideIt) {
  Weft weft;
  Counting counting;
  MockApi api(counting.says());
  Recording recording(weft, api.url());
  for (int n = 0; n < 2; ++n) exchange(recording, n);
  ASSERT_TRUE(is_woven(weft));
  const json::object listed = weft.json({"list"});
  const std::string cid = text(list(listed, "conversations").at(0).as_object(), "cid");
  const Ran ran = weft({"restore", cid, "--out", weft.path("margin.jsonl")});
  ASSERT_EQ(ran.exit, 0) << ran;
  const std::string lines = read_file(weft.path("margin.jsonl")).value();
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
  EXPECT_NE(lines.find(R"("stop_reason":"end_turn")"), std::string::npos) << lines;
  EXPECT_NE(lines.find(R"("max_tokens":99)"), std::string::npos) << lines;
  EXPECT_NE(lines.find(R"("request_id":"req_1")"), std::string::npos) << lines;
  EXPECT_EQ(lines.find("question"), std::string::npos) << "what was said is in the web";
  EXPECT_EQ(lines.find("SECRET"), std::string::npos);
}

TEST(RecordStore, TheHomeNeedNotBeThereWhereKeysAndStoreLieElsewhere) {
  Weft weft;
  ASSERT_EQ(weft({"init"}).exit, 0);
  std::filesystem::rename(weft.home() / "keyring.json", weft.path("keys.json"));
  std::filesystem::remove_all(weft.home());
  Counting counting;
  MockApi api(counting.says());
  const std::string elsewhere =
      " --keys " + weft.path("keys.json") + " --store sqlite:" + weft.path("elsewhere.db");
  Recording recording(weft, api.url() + elsewhere);
  exchange(recording, 0);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_TRUE(std::filesystem::exists(weft.home() / "record"));
}

TEST(RecordStore, IsListedAmongTheSources) {
  Weft weft;
  Counting counting;
  MockApi api(counting.says());
  Recording recording(weft, api.url());
  exchange(recording, 0);
  ASSERT_TRUE(is_woven(weft));
  const json::object sources = weft.json({"sources"});
  bool is_listed = false;
  for (const json::value& one : list(sources, "sources")) {
    if (text(one.as_object(), "path") != "record:") continue;
    is_listed = true;
    EXPECT_EQ(text(one.as_object(), "format"), "anthropic-messages");
    EXPECT_EQ(number(one.as_object(), "ingested"), 1);
  }
  EXPECT_TRUE(is_listed) << canonical_json(sources);
}

}  // namespace
}  // namespace weft::test
