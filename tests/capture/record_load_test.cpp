// weft record under load: slow clients, many streams at once, answers without end.
#include <gtest/gtest.h>

#include <fstream>

#include "record_for_test.hpp"

namespace weft::test {
namespace {

// Resident memory of the program, and the most that it ever was.
std::size_t kilobytes(pid_t pid, std::string_view what) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what)) return std::stoul(line.substr(what.size() + 1));
  }
  return 0;
}

TEST(RecordLoad, ASlowClientHoldsTheUpstreamBack) {
  Weft weft;
  std::atomic<std::size_t> sent = 0;
  constexpr std::size_t kAll = 256u << 20;
  MockApi api([&](Peer& client, const Asked&) {
    client.write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kAll) + "\r\n\r\n");
    const std::string piece(1u << 20, 'x');
    while (sent < kAll && client.write(piece)) sent += piece.size();
    return false;
  });
  Recording recording(weft, api.url());
  Peer client = Peer::to(recording.port(), 4096);
  const std::size_t before = kilobytes(recording.pid(), "VmRSS:");
  client.write(post("/v1/messages", messages(user("Hi."))));
  client.read_some(100);
  // Until it makes no more progress: the kernel's buffers are full.
  std::size_t last = 0;
  becomes_true([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return std::exchange(last, sent.load()) == sent && sent > 0;
  });
  EXPECT_LT(sent, kAll / 2) << "it took in what nobody reads";
  if (!weft_is_sanitized()) {
    EXPECT_LT(kilobytes(recording.pid(), "VmRSS:"), before + (32u << 10));
  }
}

TEST(RecordLoad, AnAnswerWithoutEndPassesInBoundedMemoryAndIsNotKept) {
  Weft weft;
  constexpr std::size_t kAll = 400u << 20;
  MockApi api([&](Peer& client, const Asked&) {
    client.write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kAll) + "\r\n\r\n");
    const std::string piece(1u << 20, 'x');
    for (std::size_t sent = 0; sent < kAll && client.write(piece);) sent += piece.size();
    return true;
  });
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  client.write(post("/v1/messages", messages(user("Hi."))));
  client.read_until("\r\n\r\n");
  std::size_t got = client.read_buffered().size();
  while (got < kAll) {
    const std::string more = client.read_some();
    if (more.empty()) break;
    got += more.size();
  }
  EXPECT_EQ(got, kAll);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_NE(recording.errors().find("too large"), std::string::npos) << recording.errors();
  if (!weft_is_sanitized()) {
    EXPECT_LT(kilobytes(recording.pid(), "VmHWM:"), 300u << 10);
  }
}

TEST(RecordLoad, Security8LargeRequestsAreRecordedOrRefusedInBoundedMemory) {
  Weft weft;
  const std::string answer = ok(R"({"id":"m","type":"message","role":"assistant","content":[]})");
  MockApi api([&](Peer& client, const Asked&) { return client.write(answer); });
  Recording recording(weft, api.url());
  std::string blocks, numbers;
  for (int i = 0; i < 1'000'000; ++i) blocks += R"({"type":"text","text":"x"},)";
  for (int i = 0; i < 15'000'000; ++i) numbers += "1,";
  const std::string many =
      R"({"role":"user","content":[)" + blocks + R"({"type":"text","text":"x"}]})";
  for (const std::string& request : {messages(user(std::string(23'000'000, 'y'))), messages(many),
                                     messages(user("Hi."), R"("x":[)" + numbers + "1],"),
                                     messages(user(std::string(70'000'000, 'y')))}) {
    Peer client = recording.connect();
    client.write(post("/v1/messages", request));
    EXPECT_EQ(client.read_exactly(answer.size()), answer);
    ASSERT_TRUE(is_woven(weft));
  }
  if (!weft_is_sanitized()) {
    EXPECT_LT(kilobytes(recording.pid(), "VmHWM:"), 300'000u);
    EXPECT_LT(kilobytes(recording.pid(), "VmRSS:"), 100'000u) << "what is free is returned";
  }
}

TEST(RecordLoad, AHundredStreamsAtOnce) {
  Weft weft;
  constexpr int kStreams = 100;
  std::atomic<int> begun = 0;
  MockApi api([&](Peer& client, const Asked& asked) {
    const std::string number = asked.body.substr(asked.body.find("question ") + 9, 3);
    const std::string stream =
        chunked_stream(message_events("msg_" + number, "I think", "answer " + number));
    const std::size_t half = stream.size() / 2;
    client.write(std::string_view(stream).substr(0, half));
    ++begun;
    // Nobody ends before all have begun.
    becomes_true([&] { return begun == kStreams; });
    client.write(std::string_view(stream).substr(half));
    return true;
  });
  Recording recording(weft, api.url());
  std::vector<std::thread> clients;
  std::atomic<int> whole = 0;
  for (int i = 0; i < kStreams; ++i) {
    clients.emplace_back([&, i] {
      Peer client = recording.connect();
      client.write(post("/v1/messages", messages(user("question " + std::to_string(100 + i)))));
      if (client.read_until("0\r\n\r\n").ends_with("0\r\n\r\n")) ++whole;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(whole, kStreams);
  ASSERT_TRUE(is_woven(weft));
  const std::vector<std::string> all = outlines(weft);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kStreams));
  for (int i = 0; i < kStreams; ++i) {
    const std::string number = std::to_string(100 + i);
    const std::string wanted = "system: system_input(Be brief.) | human: human_input(question " +
                               number + ") | assistant: thinking response(answer " + number + ")";
    EXPECT_EQ(std::ranges::count(all, wanted), 1) << number;
  }
}

TEST(RecordLoad, AnUpstreamThatResetsOrHangsIsTheClientsToJudge) {
  Weft weft;
  std::atomic<bool> may_go = false;
  MockApi api([&](Peer& client, const Asked& asked) {
    if (asked.body.find("reset") != std::string::npos) {
      client.write("HTTP/1.1 200 OK\r\n\r\nuntil the");  // ends with the connection
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      client.reset();
      return false;
    }
    becomes_true([&] { return may_go.load(); });
    return false;
  });
  Recording recording(weft, api.url());
  Peer torn = recording.connect();
  torn.write(post("/v1/messages", messages(user("reset"))));
  EXPECT_TRUE(torn.read_until("until the").ends_with("until the"));
  EXPECT_TRUE(torn.is_reset()) << "an end would make it look whole";
  Peer hanging = recording.connect();
  hanging.write(post("/v1/messages", messages(user("hang"))));
  EXPECT_TRUE(becomes_true([&] { return api.asked().size() == 2; }));
  hanging.close();  // its own patience is at an end
  may_go = true;
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).at(0),
            "system: system_input(Be brief.) | human: human_input(hang) | assistant: failure(no "
            "answer came)");
}

}  // namespace
}  // namespace weft::test
