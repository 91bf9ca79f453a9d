// weft record: who may use it, what it keeps of a target, and that one client cannot end it for
// all.
#include <gtest/gtest.h>

#include <filesystem>

#include "record_for_test.hpp"
#include "weft/net/another_user_for_test.hpp"

namespace weft::test {
namespace {

const std::string kAnswer = chunked_stream(message_events("msg_1", "I think", "Hello."));

// Answers every request with the same.
MockApi::Answer always(const std::string& answer) {
  return [answer](Peer& client, const Asked&) { return client.write(answer); };
}

std::vector<std::string> conversations_of(const Weft& weft) {
  std::vector<std::string> cids;
  const json::object listed = weft.json({"list"});
  for (const json::value& value : list(listed, "conversations")) {
    cids.push_back(text(value.as_object(), "cid"));
  }
  return cids;
}

TEST(RecordAdmission, Security2ProgramsOfAnotherUserAreRefusedUnlessTheUserAllowsThem) {
  for (const char* option : {"", "--allow-remote"}) {
    const bool is_allowed = *option != '\0';
    Weft weft;
    MockApi api(always(kAnswer));
    Recording recording(weft, api.url(), option);
    std::string answer;
    const bool ran = net::run_as_another_user([&] {
      Peer client = recording.connect();
      client.write(post("/v1/messages", messages(user("FROMELSEWHERE"))));
      answer = client.read_until("\r\n\r\n");
    });
    if (!ran) GTEST_SKIP() << "only root can become another user";
    EXPECT_TRUE(answer.starts_with(is_allowed ? "HTTP/1.1 200 " : "HTTP/1.1 403 ")) << answer;
    EXPECT_EQ(api.connections(), is_allowed ? 1u : 0u);
    ASSERT_TRUE(is_woven(weft));
    EXPECT_EQ(outlines(weft).size(), is_allowed ? 1u : 0u);
  }
}

TEST(RecordAdmission, Security2AnOriginThatTheUserAllowsIsForwarded) {
  Weft weft;
  MockApi api(always(kAnswer));
  Recording recording(weft, api.url(), "--allow-origin app://notes");
  Peer client = recording.connect();
  client.write(post("/v1/messages", messages(user("Hi.")), "Origin: app://notes\r\n"));
  EXPECT_EQ(client.read_exactly(kAnswer.size()), kAnswer);
  Peer other = recording.connect();
  other.write(post("/v1/messages", messages(user("Hi.")), "Origin: app://other\r\n"));
  EXPECT_TRUE(other.read_all().starts_with("HTTP/1.1 403 "));
  for (const char* origin : {"null", "notes", "http://", "http://localhost:3000/"}) {
    EXPECT_EQ(weft({"record", "--upstream", api.url(), "--allow-origin", origin}).exit, 2)
        << origin;
  }
}

TEST(RecordAdmission, Security13NothingThatStandsBeforeTheApisPathIsKept) {
  const std::vector<std::string> targets = {
      "/SECRETSECRET/v1/messages", "http://user:SECRETSECRET@127.0.0.1/v1/messages",
      "/v1/projects/SECRETSECRET/v1/messages?key=SECRETSECRET"};
  Weft weft;
  MockApi api(always(kAnswer));
  Recording recording(weft, api.url());
  for (const std::string& target : targets) {
    Peer client = recording.connect();
    client.write(post(target, messages(user("Hi, " + std::to_string(target.size())))));
    EXPECT_EQ(client.read_exactly(kAnswer.size()), kAnswer) << target;
  }
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(recording.stop(), 0);
  const std::vector<std::string> conversations = conversations_of(weft);
  EXPECT_EQ(conversations.size(), targets.size());
  for (const std::string& conversation : conversations) {
    const Ran restored = weft({"restore", conversation});
    EXPECT_EQ(restored.exit, 0) << restored;
    EXPECT_NE(restored.out.find("/v1/messages"), std::string::npos) << restored;
    EXPECT_EQ(restored.out.find("SECRETSECRET"), std::string::npos) << restored;
  }
  EXPECT_EQ(recording.errors().find("SECRETSECRET"), std::string::npos);
}

TEST(RecordAdmission, Security11AClientThatSendsWithoutWaitingForAnswersDoesNotTakeTheOthersFiles) {
  Weft weft;
  std::atomic<bool> may_answer = false;
  MockApi api([&](Peer& client, const Asked& asked) {
    if (asked.body.find("PATIENT") == std::string::npos) {
      while (!may_answer) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return client.write(kAnswer);
  });
  Recording recording(weft, api.url());
  std::string many;
  for (int i = 0; i < 400; ++i) many += post("/v1/messages", "{}");
  Peer flood = recording.connect();
  std::thread sending([&] { flood.write(many); });
  ASSERT_TRUE(becomes_true([&] { return waiting_in_journal(weft) >= 16; }));
  Peer patient = recording.connect();
  patient.write(post("/v1/messages", messages(user("PATIENT"))));
  EXPECT_EQ(patient.read_exactly(kAnswer.size()), kAnswer);
  EXPECT_LE(waiting_in_journal(weft), 17u);
  may_answer = true;
  // Every request is answered in the end: reading was paused, nothing was dropped.
  EXPECT_EQ(flood.read_exactly(400 * kAnswer.size()).size(), 400 * kAnswer.size());
  sending.join();
  EXPECT_EQ(recording.errors().find("unrecorded"), std::string::npos) << recording.errors();
}

}  // namespace
}  // namespace weft::test
