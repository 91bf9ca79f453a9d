// weft watch --log: sessions that grow under it, and the end of it at any moment.
#include <gmock/gmock.h>

#include <csignal>
#include <map>
#include <random>
#include <sstream>

#include "watch_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class WatchLog : public Watching {
 protected:
  std::vector<std::string> command() const {
    std::vector<std::string> all = words("watch");
    all.insert(all.end(), {"--log", logs().string()});
    return all;
  }
  fs::path logs() const { return weft.scratch() / "logs"; }
  static std::vector<json::object> records(const std::string& text) {
    std::vector<json::object> out;
    EXPECT_TRUE(text.empty() || text.ends_with('\n')) << "a torn line";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const Result<ParsedJson> parsed = parse_json(line);
      EXPECT_TRUE(parsed && parsed->value.is_object()) << line;
      if (parsed && parsed->value.is_object()) out.push_back(parsed->value.get_object());
    }
    return out;
  }
  // All files of a session, one after the other.
  std::string log_text(const std::string& id) const {
    std::string all = read_file(logs() / (id + ".jsonl")).value_or("");
    for (int part = 2;; ++part) {
      const auto text = read_file(logs() / (id + "~" + std::to_string(part) + ".jsonl"));
      if (!text) return all;
      all += *text;
    }
  }
  std::vector<json::object> log_of(const std::string& id) const { return records(log_text(id)); }
  static std::string continued(const json::object& entry) {
    const json::object* metadata = find_object(entry, "metadata");
    return metadata == nullptr ? "" : std::string(find_string(*metadata, "continues").value_or(""));
  }
  // By source: id and content of each message, what continues it put behind it. Within each source
  // the sequence has no gap.
  using Contents = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;
  static Contents contents_of(const std::vector<json::object>& entries) {
    Contents out;
    std::map<std::string, std::int64_t> next;
    for (const json::object& entry : entries) {
      const std::string source = text(entry, "source");
      EXPECT_EQ(number(entry, "sequence"), next[source]++) << source;
      const std::string head = continued(entry);
      if (head.empty()) {
        out[source].emplace_back(text(entry, "entry_id"), text(entry, "content"));
      } else {
        EXPECT_EQ(out[source].back().first, head);
        out[source].back().second += "\n" + text(entry, "content");
      }
    }
    return out;
  }
  void expect_log_to_be_the_transcript(const std::string& id) const {
    const Ran ran = weft({"transcript", id, "--format", "jsonl"});
    ASSERT_EQ(ran.exit, 0) << ran;
    EXPECT_EQ(contents_of(log_of(id)), contents_of(records(ran.out))) << id;
  }
};

TEST_F(WatchLog, AppendsWhatComesAndLeavesReasoningOut) {
  StdioClient client(WEFT_BINARY, command(), weft.environment);
  ASSERT_EQ(text(client.next(), "event"), "following");
  Session session(session_name(1));
  session.human("why?");
  session.thinks("zanzibar");
  session.says("Because.");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_TRUE(becomes_true([&] { return log_of(session.id()).size() == 2; }));
  expect_log_to_be_the_transcript(session.id());
  EXPECT_THAT(read_file(logs() / (session.id() + ".jsonl")).value(), Not(HasSubstr("zanzibar")));
  StdioClient second(WEFT_BINARY, command(), weft.environment);
  EXPECT_EQ(second.wait(), 3) << "one writes at a time";
  expect_clean_end(client);
}

TEST_F(WatchLog, TellsReasoningIfAskedTo) {
  std::vector<std::string> with = command();
  with.emplace_back("--with-thinking");
  StdioClient client(WEFT_BINARY, with, weft.environment);
  ASSERT_EQ(text(client.next(), "event"), "following");
  Session session(session_name(1));
  session.human("why?");
  session.thinks("zanzibar");
  session.says("Because.");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_TRUE(becomes_true([&] { return log_of(session.id()).size() == 2; }));
  const json::array texts = {"zanzibar"};
  const json::object last = log_of(session.id()).back();
  EXPECT_EQ(last.at("metadata").at("thinking").at("texts"), texts);
  expect_clean_end(client);
  EXPECT_EQ(weft({"watch", "--with-thinking"}).exit, 2) << "in which log?";
}

// Another process may ingest what this one logs.
TEST_F(WatchLog, LogsWhatOthersTakeIn) {
  const auto other = watch();
  StdioClient client(WEFT_BINARY, command(), weft.environment);
  ASSERT_EQ(text(client.next(), "event"), "waiting");
  Session session(session_name(1));
  session.human("who takes this in?");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_TRUE(becomes_true([&] { return log_of(session.id()).size() == 1; }));
  expect_clean_end(client);
}

TEST_F(WatchLog, ContinuesInAnotherFileAtItsLimit) {
  std::vector<std::string> with = command();
  with.insert(with.end(), {"--log-bytes", "1000"});
  StdioClient client(WEFT_BINARY, with, weft.environment);
  ASSERT_EQ(text(client.next(), "event"), "following");
  Session session(session_name(1));
  for (int i = 0; i < 10; ++i) {
    session.human("why " + std::to_string(i) + "?");
    session.says("Because " + std::to_string(i) + ".");
  }
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_TRUE(becomes_true([&] { return log_of(session.id()).size() == 20; }));
  expect_log_to_be_the_transcript(session.id());
  EXPECT_TRUE(fs::exists(logs() / (session.id() + "~3.jsonl")));
  EXPECT_LE(fs::file_size(logs() / (session.id() + ".jsonl")), 1'000u);
  expect_clean_end(client);
}

// Whether the files of a session are many or one.
class WatchLogKilled : public WatchLog, public testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> command() const {
    std::vector<std::string> all = WatchLog::command();
    all.insert(all.end(), {"--log-bytes", GetParam()});
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Files, WatchLogKilled, testing::Values("64000000", "700"),
                         [](const auto& info) { return info.index == 0 ? "One" : "Many"; });

TEST_P(WatchLogKilled, TwentyTimesItHasEachEntryOnce) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  constexpr int kSessions = 4;
  std::vector<Session> sessions;
  std::vector<fs::path> files;
  for (int i = 0; i < kSessions - 1; ++i) {
    sessions.emplace_back(session_name(i));
    files.push_back(projects() / "-p" / (session_name(i) + ".jsonl"));
  }
  sessions.emplace_back(session_name(0));  // a subagent of the first
  sessions.back().make_subagent("a1");
  files.push_back(projects() / "-p" / session_name(0) / "subagents/agent-a1.jsonl");

  int step = 0;
  const auto grow = [&] {
    const std::size_t which = random() % kSessions;
    Session& session = sessions[which];
    const std::size_t before = session.lines.size();
    // No text begins with another: that would be a message emitted again with more text.
    const std::string n = std::to_string(++step) + ".";
    if (before == 0 || random() % 4 == 0) session.human("question " + n);
    if (random() % 2 == 0) session.thinks("hm " + n);
    session.says("part " + n);
    if (random() % 2 == 0) session.says("more " + n);
    if (random() % 2 == 0) {
      session.calls("t" + n, "Bash", "ls " + n);
      session.prints("t" + n, "out " + n);
      session.says("so " + n);
    }
    // Line by line, as tools write: what is one message may come in two.
    for (std::size_t i = before; i < session.lines.size(); ++i) {
      append(files[which], session.lines[i] + "\n");
      if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    }
  };
  for (int killed = 0; killed < 20; ++killed) {
    StdioClient client(WEFT_BINARY, command(), weft.environment);
    for (int i = 0; i < 4; ++i) grow();
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    client.kill(SIGKILL);
    client.wait();
  }
  StdioClient client(WEFT_BINARY, command(), weft.environment);
  ASSERT_EQ(text(client.next(), "event"), "following");
  expect_web(cold_web(projects()));
  for (int i = 0; i < kSessions - 1; ++i) {
    Session& session = sessions[static_cast<std::size_t>(i)];
    session.human("the end");
    append(files[static_cast<std::size_t>(i)], session.lines.back() + "\n");
    EXPECT_TRUE(
        becomes_true([&] { return log_text(session.id()).find("the end") != std::string::npos; }));
  }
  expect_clean_end(client);
  for (int i = 0; i < kSessions - 1; ++i) expect_log_to_be_the_transcript(session_name(i));
}

}  // namespace
}  // namespace weft::test
