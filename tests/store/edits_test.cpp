// The index of edits, over sessions of Claude Code: however they came in, and whatever was there
// before.
#include <gmock/gmock.h>

#include "forget_for_test.hpp"
#include "tables_for_test.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/ingest/fill_tables.hpp"

namespace weft {
namespace {

using testing::ElementsAre;

class Edits : public testing::TestWithParam<crypto::SealMode> {
 protected:
  Edits() : keyring_(*crypto::Keyring::create("Ada", 1'000, GetParam())) {}

  static std::string line(const std::string& session, int number, const std::string& type,
                          const std::string& message, const std::string& more = {}) {
    return R"({"type":")" + type + R"(","uuid":"u)" + std::to_string(number) +
           R"(","sessionId":")" + session + R"(","timestamp":"2026-03-01T10:00:)" +
           std::to_string(10 + number % 50) + R"(.000Z","message":)" + message + more + "}\n";
  }
  // A prompt, and a call that writes a file, with its result: three lines.
  static std::string round(const std::string& session, int number, const std::string& file,
                           const std::string& text, bool is_error = false) {
    const std::string id = std::to_string(number);
    return line(session, 3 * number, "user", R"({"role":"user","content":"write )" + id + R"("})") +
           line(session, 3 * number + 1, "assistant",
                R"({"role":"assistant","id":"m)" + id +
                    R"(","content":[{"type":"tool_use","id":"t)" + id +
                    R"(","name":"Write","input":{"file_path":")" + file + R"(","content":")" +
                    text + R"("}}]})") +
           line(session, 3 * number + 2, "user",
                R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t)" + id +
                    R"(","is_error":)" + (is_error ? "true" : "false") + R"(,"content":"done"}]})",
                R"(,"toolUseResult":{"originalFile":"a line of before\n","userModified":false})");
  }
  static std::string session_text(const std::string& session) {
    return round(session, 1, "/p/a.py", "a line of before\\nfirst of a\\n") +
           round(session, 2, "/p/b.py", "first of b\\n", true) +
           round(session, 3, "/p/b.py", "second of b\\n") +
           round(session, 4, "/p/a.py", "second of a\\n");
  }

  void ingest(const std::string& store_path, const std::string& name, const std::string& text) {
    write_text(dir_ / (name + ".jsonl"), text);
    const auto store = store::open_store(store_path, store::Create::yes);
    ASSERT_TRUE(store) << store.error().message;
    ingest::Options options{.paths = {dir_ / (name + ".jsonl")}, .format = "claude-code"};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(**store, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
  }
  store::EditList edits(const std::string& store_path, const std::string& file) const {
    const auto store = store::open_store_to_read(store_path);
    EXPECT_TRUE(store) << store.error().message;
    return (*store)->edits({.file_name = file, .keyring = &keyring_}).value();
  }

  TempDir dir_;
  crypto::Keyring keyring_;
};

TEST_P(Edits, AreTheSameForASessionThatGrewByLines) {
  const std::string whole = dir_ / "whole.db", grown = dir_ / "grown.db";
  const std::string text = session_text("s1");
  ingest(whole, "talk", text);
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    ingest(grown, "talk", text.substr(0, end + 1));
    expect_sound_tables(grown, &keyring_);
    EXPECT_EQ(edit_answers(grown, &keyring_), slow_answers(grown, &keyring_, edit_answers));
  }
  EXPECT_EQ(edit_answers(grown, &keyring_), edit_answers(whole, &keyring_));
  const store::EditList of_a = edits(grown, "a.py"), of_b = edits(grown, "b.py");
  ASSERT_EQ(of_a.entries.size(), 2u);
  EXPECT_THAT(of_a.entries[0].lines, ElementsAre(edits::line_hash("first of a")))
      << "without the line that was there before";
  ASSERT_EQ(of_b.entries.size(), 1u) << "without the call that failed";
  EXPECT_THAT(of_b.entries[0].lines, ElementsAre(edits::line_hash("second of b")));
}

TEST_P(Edits, OfAnOlderStoreAreReadFromThoughtsUntilTheTableIsFilled) {
  const std::string path = dir_ / "weft.db";
  for (const char* session : {"s1", "s2", "s3"}) ingest(path, session, session_text(session));
  const std::string filled = edit_answers(path, &keyring_);
  for (const int version : {13, 8}) {
    SCOPED_TRACE(version);
    if (version == 8) {
      turn_to_version_8(path);
    } else {
      ASSERT_TRUE(store::sql::turn_to_version_16(path));
      Tool(path).run(
          "DROP TABLE edits; DROP TABLE edit_pages; DROP TABLE edit_names;"
          "DROP TABLE secrets; DROP TABLE secret_pages; DROP TABLE request_sums;"
          "UPDATE late_tables SET version = 1 WHERE name = 'requests';"
          "DELETE FROM late_tables WHERE name IN ('edits', 'secrets'); PRAGMA user_version = 13");
    }
    EXPECT_EQ(edit_answers(path, &keyring_), filled) << "read as it is";
    const auto store = store::open_store(path, store::Create::no);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(edit_answers(path, &keyring_), filled) << "migrated, and empty";
    EXPECT_EQ(edits(path, "a.py").rows.done, 0u);
    // Some have their rows, and others have not.
    ASSERT_TRUE((*store)->filling().fill(keyring_, std::chrono::milliseconds(0)));
    EXPECT_EQ(edit_answers(path, &keyring_), filled) << "begun";
    ASSERT_TRUE(ingest::fill_tables(**store, keyring_, {}));
    EXPECT_EQ(edits(path, "a.py").rows.done, 3u);
    EXPECT_EQ(edit_answers(path, &keyring_), filled) << "filled";
    expect_sound_tables(path, &keyring_);
  }
}

TEST_P(Edits, GoWithTheirConversationAndACopyCountsFromThenOn) {
  const std::string path = dir_ / "weft.db";
  const std::string text = session_text("s1");
  ingest(path, "talk", text);
  // The same records in another session: a fork.
  std::string copy = text;
  for (std::size_t at = 0; (at = copy.find(R"("s1")", at)) != std::string::npos; ++at) {
    copy.replace(at, 4, R"("s2")");
  }
  ingest(path, "fork", copy + round("s2", 5, "/p/c.py", "only here\\n"));
  const auto count_copies = [&] {
    const auto list = edits(path, "");
    return std::ranges::count(list.entries, true, &store::EditEntry::is_copy);
  };
  EXPECT_EQ(edits(path, "").entries.size(), 7u);
  EXPECT_EQ(count_copies(), 3);
  const auto store = store::open_store(path, store::Create::no);
  for (const store::ConversationRow& row : *(*store)->conversations({})) {
    if (row.session_id != "s1") continue;
    const auto report = ingest::forget(**store, keyring_, row, 1'800'000'000'000);
    ASSERT_TRUE(report) << report.error().message;
  }
  EXPECT_EQ(edits(path, "").entries.size(), 4u);
  EXPECT_EQ(count_copies(), 0);
  EXPECT_EQ(Tool(path).rows("SELECT DISTINCT conversation FROM edit_names").size(), 1u);
  expect_sound_tables(path, &keyring_);
}

INSTANTIATE_TEST_SUITE_P(EverySeal, Edits,
                         testing::Values(crypto::SealMode::thinking, crypto::SealMode::all),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

}  // namespace
}  // namespace weft
