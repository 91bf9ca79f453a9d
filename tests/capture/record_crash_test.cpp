// kill -9 of weft record while answers stream through it: what a client was given is in the web
// after the next start, once.
#include <gtest/gtest.h>

#include <random>

#include "record_for_test.hpp"

namespace weft::test {
namespace {

// The texts that clients were given, as far as they came whole.
std::string words_given(const std::string& bytes) {
  std::string words;
  constexpr std::string_view kMark = R"("type":"text_delta","text":")";
  for (std::size_t at = 0; (at = bytes.find(kMark, at)) != std::string::npos;) {
    at += kMark.size();
    const std::size_t end = bytes.find("\"}}\n\n", at);
    if (end == std::string::npos) break;
    words += bytes.substr(at, end - at);
  }
  return words;
}

// One text in many deltas, numbered so that each is unique.
std::string long_stream(int round) {
  std::vector<std::string> events = message_events("msg_" + std::to_string(round), "I think", "");
  std::vector<std::string> deltas;
  for (int i = 0; i < 400; ++i) {
    deltas.push_back(event("content_block_delta",
                           R"("index":1,"delta":{"type":"text_delta","text":"w)" +
                               std::to_string(round) + "." + std::to_string(i) + R"( "})"));
  }
  events.insert(events.begin() + 8, deltas.begin(), deltas.end());
  return chunked_stream(events);
}

std::string all_text(const Weft& weft) {
  std::string out;
  for (const json::value& value : list(weft.json({"list", "--limit", "1000"}), "conversations")) {
    const json::object walked = weft.json({"walk", text(value.as_object(), "cid"), "--all"});
    for (const json::value& turn : list(walked, "turns")) {
      for (const json::value& one : list(turn.as_object(), "thoughts")) {
        const json::object& content = one.as_object().at("content").as_object();
        out += std::string(find_string(content, "text").value_or("")) + "\n";
      }
    }
  }
  return out;
}

std::size_t count_of(std::string_view all, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = all.find(part, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

TEST(RecordCrash, WhatAClientWasGivenIsThereOnce) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Weft weft;
  std::vector<std::string> given;
  std::size_t rounds_with_words = 0;
  for (int round = 0; round < 12; ++round) {
    const std::string stream = long_stream(round);
    MockApi api([&](Peer& client, const Asked&) {
      std::string_view rest = stream;
      while (!rest.empty() && client.write(rest.substr(0, 700))) {
        rest.remove_prefix(std::min<std::size_t>(700, rest.size()));
        std::this_thread::sleep_for(std::chrono::microseconds(300));
      }
      return true;
    });
    Recording recording(weft, api.url());
    Peer client = recording.connect();
    client.write(post("/v1/messages", messages(user("question " + std::to_string(round)))));
    std::thread killer([&, after = random() % 60] {
      std::this_thread::sleep_for(std::chrono::milliseconds(after));
      recording.kill(SIGKILL);
    });
    std::string got;
    while (got.size() < stream.size()) {
      const std::string more = client.read_some();
      if (more.empty()) break;
      got += more;
    }
    killer.join();
    recording.wait();
    given.push_back(words_given(got));
    if (!given.back().empty()) ++rounds_with_words;
    client.close();
  }
  ASSERT_GT(rounds_with_words, 0u);
  MockApi api([](Peer&, const Asked&) { return false; });
  Recording recording(weft, api.url());  // what was left is woven by the time it listens
  EXPECT_EQ(waiting_in_journal(weft), 0u);
  EXPECT_EQ(recording.stop(), 0);
  const std::string text = all_text(weft);
  for (std::size_t round = 0; round < given.size(); ++round) {
    if (given[round].empty()) continue;
    EXPECT_EQ(count_of(text, given[round]), 1u) << "round " << round;
    EXPECT_EQ(count_of(text, "question " + std::to_string(round) + "\n"), 1u);
  }
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

}  // namespace
}  // namespace weft::test
