// The session log: each entry once, in order and complete, whatever happens in between.
#include "weft/capture/log/session_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "session_log_for_test.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using capture::SessionLog;
using test::Session;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kId = kLoggedId;

TEST_F(Logged, ASessionStandsInItFromItsBeginningAsItsTranscriptReads) {
  session_.human("why is it slow?");
  session_.thinks("the loop, surely");
  session_.calls("t1", "Bash", "time ./loom");
  ingest(session_);
  catch_up();
  EXPECT_EQ(log_text(), "") << "what was there before the log and does not grow is not logged";
  session_.prints("t1", "9 s");
  session_.thinks("yes, the loop");
  session_.says("The loop is slow.");
  ingest(session_);
  catch_up();
  EXPECT_EQ(lines().size(), 4u);
  EXPECT_EQ(log_text(), transcript());
  const std::string before = log_text();
  catch_up();
  EXPECT_EQ(log_text(), before);
  session_.human("thanks");
  ingest(session_);
  catch_up();
  EXPECT_EQ(log_text(), transcript());
  EXPECT_TRUE(log_text().starts_with(before));
}

TEST_F(Logged, TextThatComesLaterIsAnEntryThatSaysWhichOneItContinues) {
  catch_up();
  session_.human("hm?");
  session_.thinks("two parts");
  session_.says("First.");
  ingest(session_);
  catch_up();
  session_.says("Second.");
  session_.says("Third.");
  ingest(session_);
  catch_up();
  session_.says("Fourth.");
  ingest(session_);
  catch_up();
  const std::vector<json::object> all = lines();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(text(all[1], "content"), "First.");
  EXPECT_EQ(text(all[2], "content"), "Second.\nThird.");
  EXPECT_EQ(text(all[3], "content"), "Fourth.");
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(text_or_empty(all[i], "continues"), text(all[1], "entry_id"));
    EXPECT_EQ(find_int(all[i], "sequence"), static_cast<std::int64_t>(i));
  }
}

TEST_F(Logged, ReasoningThatNothingFollowsWaits) {
  catch_up();
  session_.human("hm?");
  session_.thinks("let me see");
  ingest(session_);
  catch_up();
  EXPECT_EQ(lines().size(), 1u);
  session_.says("Yes.");
  ingest(session_);
  catch_up();
  EXPECT_EQ(log_text(), transcript());
  EXPECT_EQ(lines().at(1).at("metadata").at("thinking").at("blocks"), 1);
}

TEST_F(Logged, TellsReasoningOnlyIfAskedTo) {
  catch_up();
  session_.human("hm?");
  session_.thinks("zanzibar it is");
  session_.says("Yes.");
  ingest(session_);
  catch_up();
  EXPECT_THAT(log_text(), Not(HasSubstr("zanzibar")));
  fs::remove_all(logs());
  library_.emplace(library());
  {
    Result<SessionLog> log = SessionLog::open(*library_, logs(), {.with_thinking = true});
    ASSERT_TRUE(log);
    ASSERT_TRUE(log->append({store_->conversations({})->front().cid}));
  }
  const json::value thinking = lines().at(1).at("metadata").at("thinking");
  EXPECT_EQ(thinking.at("texts"), (json::array{"zanzibar it is"}));
}

TEST_F(Logged, ABlockThatTakesAnothersPlaceSaysWhichEntryItSupersedes) {
  catch_up();
  session_.human("wy?");
  session_.thinks("a");
  session_.says("Because.");
  ingest(session_);
  catch_up();
  const std::size_t at = session_.lines[0].find("wy?");
  ASSERT_NE(at, std::string::npos);
  session_.lines[0].replace(at, 3, "why?");
  ingest(session_);
  catch_up();
  const std::vector<json::object> all = lines();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(text(all[2], "content"), "why?");
  EXPECT_EQ(text_or_empty(all[2], "supersedes"), text(all[0], "entry_id"));
  EXPECT_NE(text(all[2], "entry_id"), text(all[0], "entry_id"));
  EXPECT_EQ(find_int(all[2], "sequence"), 2);
  catch_up();
  EXPECT_EQ(lines().size(), 3u);
  fs::remove(note_path());
  session_.human("ah");
  ingest(session_);
  catch_up();
  ASSERT_EQ(lines().size(), 4u);
  EXPECT_EQ(text(lines()[3], "content"), "ah");
}

// A session with a subagent, logged in two steps, so that there is a note of the first.
class LoggedTwice : public Logged {
 protected:
  LoggedTwice() {
    catch_up();
    Session agent{std::string(kId)};
    agent.make_subagent("a1");
    session_.human("find it");
    session_.calls("t1", "Task", "look around");
    agent.human("look around");
    agent.thinks("where?");
    agent.says("Here.");
    ingest(session_);
    ingest(agent, std::string(kId) + "/subagents/agent-a1.jsonl");
    catch_up();
    old_log_ = log_text();
    old_note_ = read_file(note_path()).value();
    agent.says("And there.");
    session_.prints("t1", "Here. And there.", json::object{{"agentId", "a1"}});
    session_.thinks("good");
    session_.says("Found.");
    ingest(session_);
    ingest(agent, std::string(kId) + "/subagents/agent-a1.jsonl");
    catch_up();
    log_ = log_text();
  }
  // Every entry once; within a source gapless.
  void expect_whole() const {
    std::map<std::string, std::int64_t> next;
    std::map<std::string, std::string> contents;
    for (const json::object& line : lines()) {
      EXPECT_EQ(find_int(line, "sequence"), next[text(line, "source")]++);
      std::string& all = contents[text(line, "source")];
      all += text(line, "content") + "\n";
    }
    EXPECT_THAT(contents,
                ElementsAre(testing::Pair("primary", HasSubstr("find it\n")),
                            testing::Pair("subagent:a1", "look around\nHere.\nAnd there.\n")));
    EXPECT_EQ(next["primary"], 4);
  }
  std::string log_, old_log_, old_note_;
};

TEST_F(LoggedTwice, CutOffAtAnyByteItGoesOn) {
  expect_whole();
  ASSERT_GT(log_.size(), old_log_.size());
  const std::string new_note = read_file(note_path()).value();
  for (std::size_t cut = 0; cut <= log_.size(); cut += cut < old_log_.size() ? 61 : 3) {
    SCOPED_TRACE("cut at " + std::to_string(cut));
    write_text(log_path(), log_.substr(0, cut));
    // The note is written after the lines: it never names more than the file had.
    write_text(note_path(), cut >= old_log_.size() ? old_note_ : new_note);
    catch_up();
    expect_whole();
    if (HasFailure()) return;
  }
}

TEST_F(LoggedTwice, WithoutTheNoteTheFileItselfTells) {
  for (std::size_t cut = 0; cut <= log_.size(); cut += 13) {
    SCOPED_TRACE("cut at " + std::to_string(cut));
    write_text(log_path(), log_.substr(0, cut));
    write_text(note_path(), "{");
    library_.emplace(library());
    Result<SessionLog> log = SessionLog::open(*library_, logs(), {});
    ASSERT_TRUE(log);
    std::vector<Cid> all;
    const auto rows = store_->conversations({});
    for (const auto& row : *rows) all.push_back(row.cid);
    ASSERT_TRUE(log->append(all));
    expect_whole();
    if (HasFailure()) return;
  }
}

TEST_F(LoggedTwice, GoesOnWithAnotherStoreOfTheSameSession) {
  open_store("other.db");
  session_.human("one more");
  Session filler("0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0002");
  filler.human("so that marks are others");
  ingest(filler, "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0002.jsonl");
  ingest(session_);
  library_.emplace(library());
  Result<SessionLog> log = SessionLog::open(*library_, logs(), {});
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_TRUE(log->catch_up());
  const auto row = query::resolve_conversation(library(), kId);
  ASSERT_TRUE(row);
  ASSERT_TRUE(log->append({row->cid}));
  EXPECT_TRUE(log_text().starts_with(log_));
  const std::vector<json::object> all = lines();
  EXPECT_EQ(text(all.back(), "content"), "one more");
  EXPECT_EQ(find_int(all.back(), "sequence"), 4);
  EXPECT_EQ(log_text().find("one more"), log_text().rfind("one more"));
}

TEST_F(LoggedTwice, ItsFilesAreForItsOwnerAlone) {
  for (const auto& [path, mode] : std::map<fs::path, mode_t>{
           {logs(), 0700}, {logs() / ".weft", 0700}, {log_path(), 0600}, {note_path(), 0600}}) {
    struct stat info{};
    ASSERT_EQ(::stat(path.c_str(), &info), 0) << path;
    EXPECT_EQ(info.st_mode & 0777, mode) << path;
  }
}

TEST_F(LoggedTwice, WhoeverTakesTheFileAwayGetsItAnew) {
  fs::remove(log_path());
  session_.human("more");
  ingest(session_);
  catch_up();
  EXPECT_EQ(find_int(lines().front(), "sequence"), 0);
  EXPECT_THAT(log_text(), HasSubstr("find it"));
}

TEST_F(Logged, OneWritesAtATime) {
  library_.emplace(library());
  const Result<SessionLog> first = SessionLog::open(*library_, logs(), {});
  ASSERT_TRUE(first);
  const Result<SessionLog> second = SessionLog::open(*library_, logs(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  EXPECT_THAT(second.error().message, HasSubstr("another weft"));
}

TEST(SessionFileName, IsTheSessionsOwnIfThatIsAPlainName) {
  using capture::session_file_name;
  EXPECT_EQ(session_file_name("claude-code", kId), kId);
  EXPECT_EQ(session_file_name("x", "rollout-2026.01_a"), "rollout-2026.01_a");
  for (const std::string id : {"", ".", "..", "../../etc/passwd", "a/b", "b3:0123", ".weft", "-x",
                               "a~b", "zähl", "new\nline"}) {
    const std::string name = session_file_name("x", id);
    EXPECT_EQ(name.find_first_of("/\n:"), std::string::npos) << id;
    EXPECT_NE(name.front(), '.') << id;
    EXPECT_NE(name.find('~'), std::string::npos) << id;
    EXPECT_NE(name, session_file_name("y", id)) << id;
  }
  EXPECT_LE(session_file_name("x", std::string(100'000, 'a')).size(), 128u);
  EXPECT_NE(session_file_name("x", std::string(300, 'a')),
            session_file_name("x", std::string(301, 'a')));
  EXPECT_NE(session_file_name("x", "a/b"), session_file_name("x", "a:b"));
}

}  // namespace
}  // namespace weft
