// A conversation recorded by `weft record` can be sent again: through the proxy in pieces of one
// byte, into the store, exported by another process.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "every_block_for_test.hpp"
#include "record_for_test.hpp"
#include "replay_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

json::object parsed(std::string_view text) {
  const Result<ParsedJson> value = parse_json(text);
  EXPECT_TRUE(value) << value.error().message;
  return value && value->value.is_object() ? value->value.get_object() : json::object();
}

std::string as_stream(const json::array& events) {
  std::string stream;
  for (const json::value& one : events) {
    stream += "event: " + text(one.as_object(), "type") + "\ndata: " + canonical_json(one) + "\n\n";
  }
  return stream;
}

// Says what `answers` has for each request, in turn; byte by byte, and long ones by a few.
class Speaker {
 public:
  explicit Speaker(std::vector<std::string> answers) : answers_(std::move(answers)) {}
  bool operator()(Peer& client, const Asked&) {
    if (next_ == answers_.size()) return false;
    const std::string& answer = answers_[next_++];
    const std::size_t step = answer.size() > 20'000 ? 61 : 1;
    for (std::size_t at = 0; at < answer.size(); at += step) {
      if (!client.write(std::string_view(answer).substr(at, step))) return false;
    }
    return true;
  }

 private:
  std::vector<std::string> answers_;
  std::size_t next_ = 0;
};

// The one conversation of a home, as a request.
json::object replayed(const Weft& weft) {
  const json::array listed = list(weft.json({"list"}), "conversations");
  EXPECT_EQ(listed.size(), 1u);
  if (listed.empty()) return {};
  const Ran ran =
      weft({"export", text(listed[0].as_object(), "cid"), "--as", "anthropic-messages"});
  EXPECT_EQ(ran.exit, 0) << ran;
  const json::object request = parsed(ran.out);
  EXPECT_EQ(broken_rule(request), "") << ran;
  return request;
}

// Asks through a weft record of its own, which then ends.
void ask(const Weft& weft, const MockApi& api, const json::object& request,
         const std::string& answered) {
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  client.write(post("/v1/messages", canonical_json(request)));
  ASSERT_EQ(client.read_exactly(answered.size()), answered);
  ASSERT_TRUE(is_woven(weft));
  ASSERT_EQ(recording.stop(), 0);
}

TEST(RecordReplay, EveryBlockThatPassedComesBackAsItWasSent) {
  const Weft weft;
  json::object request = parsed(kRequest);
  const std::string streamed = ok(as_stream(events_of(answer())), "text/event-stream");
  const json::array second{json::object{{"type", "text"}, {"text", "Nothing."}}};
  const std::string whole =
      ok(canonical_json(json::object{{"id", "msg_02"},
                                     {"type", "message"},
                                     {"role", "assistant"},
                                     {"model", "claude-opus-4-5"},
                                     {"content", second},
                                     {"stop_reason", "end_turn"},
                                     {"usage", json::object{{"output_tokens", 2}}}}));
  const MockApi api(Speaker({streamed, whole}));
  ask(weft, api, request, streamed);
  EXPECT_EQ(difference(sent(request, answer()), replayed(weft)), "");

  // The next request repeats all of it; another weft records it.
  json::array& messages = request["messages"].as_array();
  messages.push_back(json::object{{"role", "assistant"}, {"content", answer()}});
  messages.push_back(json::object{{"role", "user"}, {"content", "No. You?"}});
  ask(weft, api, request, whole);
  EXPECT_EQ(difference(sent(request, second), replayed(weft)), "");
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST(RecordReplay, RealStreamsComeBackBlockForBlock) {
  const fs::path folder = fs::path(WEFT_SOURCE_DIR).parent_path() / "shared/fixtures/anthropic-api";
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::size_t tried = 0;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".chunks.jsonl")) continue;
    SCOPED_TRACE(name);
    std::vector<json::object> events;
    json::array all;
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      events.push_back(parsed(line));
      all.push_back(events.back());
    }
    const json::array streamed = streamed_content(events);
    const std::string answered = ok(as_stream(all), "text/event-stream");
    const json::object request{
        {"model", "m"},
        {"max_tokens", 9},
        {"stream", true},
        {"messages", json::array{json::object{{"role", "user"}, {"content", "Tell of " + name}}}}};
    const Weft weft;
    const MockApi api(Speaker({answered}));
    ask(weft, api, request, answered);
    EXPECT_EQ(difference(sent(request, streamed), replayed(weft)), "");
    ++tried;
  }
  EXPECT_GT(tried, 5u);
}

}  // namespace
}  // namespace weft::test
