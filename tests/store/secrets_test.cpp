// The table of secrets, over sessions of Claude Code: however they came in, and whatever was there
// before. And the search index, which does not have them.
#include <gmock/gmock.h>

#include "forget_for_test.hpp"
#include "tables_for_test.hpp"
#include "weft/ingest/fill_tables.hpp"
#include "weft/secrets/mint_for_test.hpp"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

class SecretTables : public testing::TestWithParam<crypto::SealMode> {
 protected:
  SecretTables() : keyring_(*crypto::Keyring::create("Ada", 1'000, GetParam())) {}

  std::string mint() {
    const auto shapes = secrets::all_shapes();
    tokens_.push_back(mint_.token(shapes[tokens_.size() * 7 % shapes.size()]));
    return tokens_.back();
  }
  static std::string line(const std::string& session, int number, const std::string& type,
                          const std::string& message) {
    return R"({"type":")" + type + R"(","uuid":"u)" + std::to_string(number) +
           R"(","sessionId":")" + session + R"(","timestamp":"2026-03-01T10:00:)" +
           std::to_string(10 + number % 50) + R"(.000Z","message":)" + message + "}\n";
  }
  // A prompt, reasoning and an answer, of which the prompt and the reasoning have a secret.
  std::string round(const std::string& session, int number) {
    const std::string id = std::to_string(number);
    return line(session, 3 * number, "user",
                R"({"role":"user","content":"quokka)" + id + " uses " + mint() + R"( here"})") +
           line(session, 3 * number + 1, "assistant",
                R"({"role":"assistant","id":"m)" + id +
                    R"(","content":[{"type":"thinking","thinking":"so\n)" + mint() +
                    R"(","signature":"c2ln"}]})") +
           line(session, 3 * number + 2, "assistant",
                R"({"role":"assistant","id":"n)" + id +
                    R"(","content":[{"type":"text","text":"done )" + id + R"("}]})");
  }
  std::string session_text(const std::string& session) {
    std::string text;
    for (int i = 0; i < 5; ++i) text += round(session, i);
    return text;
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
  store::SecretTable secrets(const std::string& store_path) const {
    const auto store = store::open_store_to_read(store_path);
    EXPECT_TRUE(store) << store.error().message;
    return (*store)->secrets({.keyring = &keyring_}).value();
  }
  // In blocks; the first prompt is also the title, which each commit may state again.
  std::size_t places(const std::string& store_path) const {
    const store::SecretTable table = secrets(store_path);
    return static_cast<std::size_t>(
        std::ranges::count_if(table.entries, [](const store::SecretEntry& entry) {
          return thought::kind_of(entry.type) != "conversation_facts";
        }));
  }
  std::set<store::Fingerprint> fingerprints(const std::string& store_path) const {
    const store::SecretTable table = secrets(store_path);
    std::set<store::Fingerprint> all;
    for (const store::SecretEntry& entry : table.entries) all.insert(entry.place.fingerprint);
    return all;
  }
  std::uint64_t hits(const std::string& store_path, const std::string& query) const {
    const auto store = store::open_store_to_read(store_path);
    EXPECT_TRUE(store) << store.error().message;
    const auto answer =
        (*store)->search({.query = search::parse_query(query), .keyring = &keyring_});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? answer->total : 0;
  }

  TempDir dir_;
  crypto::Keyring keyring_;
  secrets::Mint mint_{11};
  std::vector<std::string> tokens_;
};

TEST_P(SecretTables, AreTheSameForASessionThatGrewByLines) {
  const std::string whole = dir_ / "whole.db", grown = dir_ / "grown.db";
  const std::string text = session_text("s1");
  ingest(whole, "talk", text);
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    ingest(grown, "talk", text.substr(0, end + 1));
    EXPECT_EQ(secret_answers(grown, &keyring_), slow_answers(grown, &keyring_, secret_answers));
  }
  expect_sound_tables(grown, &keyring_);
  EXPECT_EQ(fingerprints(grown), fingerprints(whole));
  EXPECT_EQ(fingerprints(grown).size(), tokens_.size());
  EXPECT_EQ(places(grown), tokens_.size());
  for (const std::string& token : tokens_) {
    EXPECT_THAT(secret_answers(grown, &keyring_), Not(HasSubstr(token)));
  }
}

TEST_P(SecretTables, OfAnOlderStoreAreReadFromThoughtsUntilTheTableIsFilled) {
  const std::string path = dir_ / "weft.db";
  for (const char* session : {"s1", "s2", "s3"}) ingest(path, session, session_text(session));
  const std::string filled = secret_answers(path, &keyring_);
  ASSERT_TRUE(store::sql::turn_to_version_16(path));
  Tool(path).run(
      "DROP TABLE secrets; DROP TABLE secret_pages; DROP TABLE request_sums;"
      "UPDATE late_tables SET version = 1 WHERE name = 'requests';"
      "DELETE FROM late_tables WHERE name = 'secrets'; PRAGMA user_version = 14");
  EXPECT_EQ(secret_answers(path, &keyring_), filled) << "read as it is";
  const auto store = store::open_store(path, store::Create::no);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(secrets(path).rows.done, 0u);
  EXPECT_EQ(secret_answers(path, &keyring_), filled) << "migrated, and empty";
  ASSERT_TRUE((*store)->filling().fill(keyring_, std::chrono::milliseconds(0)));
  EXPECT_EQ(secret_answers(path, &keyring_), filled) << "begun";
  ASSERT_TRUE(ingest::fill_tables(**store, keyring_, {}));
  EXPECT_EQ(secrets(path).rows.done, 3u);
  EXPECT_EQ(secret_answers(path, &keyring_), filled) << "filled";
  expect_sound_tables(path, &keyring_);
}

TEST_P(SecretTables, GoWithTheirConversationAndStayWithItsFork) {
  const std::string path = dir_ / "weft.db";
  const std::string text = session_text("s1");
  ingest(path, "talk", text);
  std::string copy = text;
  for (std::size_t at = 0; (at = copy.find(R"("s1")", at)) != std::string::npos; ++at) {
    copy.replace(at, 4, R"("s2")");
  }
  ingest(path, "fork", copy + round("s2", 9));
  EXPECT_EQ(places(path), 2 * tokens_.size() - 2);
  EXPECT_EQ(secret_answers(path, &keyring_), slow_answers(path, &keyring_, secret_answers));
  const auto store = store::open_store(path, store::Create::no);
  for (const store::ConversationRow& row : *(*store)->conversations({})) {
    if (row.session_id != "s1") continue;
    const auto report = ingest::forget(**store, keyring_, row, 1'800'000'000'000);
    ASSERT_TRUE(report) << report.error().message;
  }
  EXPECT_EQ(places(path), tokens_.size());
  EXPECT_EQ(secret_answers(path, &keyring_), slow_answers(path, &keyring_, secret_answers));
  expect_sound_tables(path, &keyring_);
}

TEST_P(SecretTables, SearchFindsTheWordsAroundASecret) {
  const std::string path = dir_ / "weft.db";
  ingest(path, "talk", session_text("s1"));
  EXPECT_EQ(hits(path, "quokka3 uses"), 5u);
  EXPECT_EQ(hits(path, "+quokka3 +here"), 1u);
  if (GetParam() == crypto::SealMode::all) return;       // there it is a hash that needs the key
  for (std::size_t i = 0; i < tokens_.size(); i += 2) {  // those of the prompts
    EXPECT_EQ(hits(path, "\"" + tokens_[i] + "\""), 0u) << tokens_[i];
    EXPECT_EQ(hits(path, "\"quokka" + std::to_string(i / 2) + " uses\""), 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(EverySeal, SecretTables,
                         testing::Values(crypto::SealMode::thinking, crypto::SealMode::all),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

}  // namespace
}  // namespace weft
