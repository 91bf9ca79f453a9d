// The table of model requests: cost and tokens are those of the usage thoughts, with and without
// it.
#include <gmock/gmock.h>

#include "forget_for_test.hpp"
#include "tables_for_test.hpp"
#include "weft/ingest/fill_tables.hpp"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string request_line(int number, std::int64_t output) {
  const std::string id = std::to_string(number);
  return R"({"type":"assistant","uuid":"u)" + id +
         R"(","sessionId":"11111111-1111-4111-8111-111111111111","requestId":"r)" + id +
         R"(","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"assistant","id":"m)" + id +
         R"(","model":"claude-opus-4-5","content":[{"type":"text","text":"answer )" + id +
         R"("}],"usage":{"input_tokens":)" + id + R"(,"output_tokens":)" + std::to_string(output) +
         "}}}\n";
}

class Requests : public testing::TestWithParam<crypto::SealMode> {
 protected:
  Requests() : keyring_(*crypto::Keyring::create("Ada", 1'000, GetParam())) {}

  std::string store_path() const { return dir_ / "weft.db"; }
  std::unique_ptr<store::Store> open() const {
    auto store = store::open_store(store_path(), store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  // Appends to the session, and ingests it.
  void add(const std::string& lines) {
    text_ += lines;
    ingest_file("talk.jsonl", text_);
  }
  void ingest_file(const std::string& file, const std::string& text) {
    write_text(dir_ / file, text);
    const auto store = open();
    ingest::Options options{.paths = {dir_ / file}, .format = "claude-code"};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(*store, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
  }
  json::object cost(const crypto::Keyring* keyring) const {
    const auto store = store::open_store_to_read(store_path());
    EXPECT_TRUE(store) << store.error().message;
    const query::PinnedLibrary library(**store, keyring);
    const auto prices = query::PriceTable::parse(query::built_in_prices(), "prices.tsv");
    const auto answer = query::cost(library, *prices, {});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(json::object());
  }
  void expect_the_slow_answers() const {
    expect_sound_tables(store_path(), &keyring_);
    EXPECT_EQ(table_answers(store_path(), &keyring_), slow_answers(store_path(), &keyring_));
  }

  TempDir dir_;
  crypto::Keyring keyring_;
  std::string text_;
};

// Full pages stay as they are: a request that is stated again, with more tokens, is in two.
TEST_P(Requests, OfALongConversationAreInPages) {
  constexpr int kRequests = 300;
  std::int64_t input = 0;
  for (int i = 0; i < kRequests; i += 50) {
    std::string lines;
    for (int number = i; number < i + 50; ++number) {
      lines += request_line(number, 1);
      input += number;
    }
    add(lines);
  }
  add(request_line(3, 1'000));
  EXPECT_GT(Tool(store_path()).rows("SELECT page FROM request_pages").size(), 1u);
  const json::object total = cost(&keyring_).at("total").as_object();
  EXPECT_EQ(total.at("requests").to_number<int>(), kRequests);
  EXPECT_EQ(total.at("input").to_number<std::int64_t>(), input);
  EXPECT_EQ(total.at("output").to_number<std::int64_t>(), kRequests - 1 + 1'000);
  expect_the_slow_answers();
}

TEST_P(Requests, AreVisitedOneConversationAfterAnotherTheOldestFirst) {
  const auto session = [](const std::string& number) {
    std::string line = request_line(std::stoi(number), 1);
    line.replace(line.find("11111111-"), 36, "s" + number);
    return line.replace(line.find("2026-03-01"), 10, "2026-03-0" + number);
  };
  for (const char* number : {"3", "1", "4", "2"}) {
    ingest_file("s" + std::string(number) + ".jsonl", session(number));
  }
  const auto store = store::open_store_to_read(store_path());
  const auto snapshot = (*store)->snapshot();
  store::ModelNames models;
  std::vector<std::string> sessions;
  const auto rows = snapshot->each_requests(
      {.with_names = true, .keyring = &keyring_}, models,
      [&](store::ConversationRequests& one) -> Status {
        sessions.push_back(one.row.session_id);
        EXPECT_EQ(one.requests.size(), 1u);
        EXPECT_EQ((*store)->conversation(one.row.cid)->session_id, one.row.session_id);
        EXPECT_FALSE(snapshot->conversations({})) << "its statements are in use";
        return {};
      });
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->done, 4u);
  EXPECT_THAT(sessions, ElementsAre("s1", "s2", "s3", "s4"));
  EXPECT_EQ(models.size(), 1u);
  EXPECT_TRUE(snapshot->conversations({}));

  int visits = 0;
  const auto refused =
      snapshot->each_requests({}, models, [&](store::ConversationRequests&) -> Status {
        ++visits;
        return fail(ErrorCode::denied, "enough");
      });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "enough");
  EXPECT_EQ(visits, 1);
}

// Which sessions come as sums, and which with their requests: "s1 2 sums".
TEST_P(Requests, ComeAsSumsUnlessAMessageIsRepeatedOrTheQuestionCannotUseThem) {
  const auto line = [](const std::string& session, int number) {
    std::string text = request_line(number, 1);
    return text.replace(text.find("11111111-"), 36, session);
  };
  const auto visited = [&](std::int64_t most_prompt) {
    std::vector<std::string> out;
    store::ModelNames models;
    const auto store = store::open_store_to_read(store_path());
    const auto rows = (*store)->snapshot()->each_requests(
        {.with_names = true,
         .keyring = &keyring_,
         .takes_sum = [&](const auto& sum) { return sum.most_prompt <= most_prompt; }},
        models, [&](store::ConversationRequests& one) -> Status {
          std::uint64_t summed = 0;
          for (const store::RequestSum& sum : one.sums) summed += sum.requests;
          out.push_back(one.row.session_id + " " + std::to_string(one.requests.size()) + " " +
                        std::to_string(summed));
          return {};
        });
    EXPECT_TRUE(rows) << rows.error().message;
    std::ranges::sort(out);
    return out;
  };
  ingest_file("s1.jsonl", line("s1", 1) + line("s1", 2));
  ingest_file("s2.jsonl", line("s2", 30));
  EXPECT_THAT(visited(100), ElementsAre("s1 0 2", "s2 0 1"));
  EXPECT_THAT(visited(29), ElementsAre("s1 0 2", "s2 1 0"));
  // A fork has a message of the first, in a line of its own.
  std::string copy = line("s3", 2);
  copy.replace(copy.find(R"("uuid":"u2")"), 11, R"("uuid":"v2")");
  ingest_file("s3.jsonl", copy + line("s3", 31));
  EXPECT_THAT(visited(100), ElementsAre("s1 2 0", "s2 0 1", "s3 2 0"));
  expect_the_slow_answers();
  {
    const auto store = open();
    ASSERT_TRUE(ingest::forget(*store, keyring_, row_of(*store, "s3"), 1'800'000'000'000));
  }
  EXPECT_THAT(visited(100), ElementsAre("s1 0 2", "s2 0 1"));
  expect_the_slow_answers();
}

TEST_P(Requests, OfAnOlderStoreAreReadFromThoughtsUntilTheTableIsFilled) {
  for (int i = 0; i < 3; ++i) add(request_line(i, 10));
  const std::string filled = table_answers(store_path(), &keyring_);
  ASSERT_TRUE(store::sql::turn_to_version_16(store_path()));
  Tool(store_path())
      .run(
          "DROP TABLE requests; DROP TABLE request_pages; DROP TABLE request_sums;"
          "DROP TABLE outlines;"
          "DROP TABLE outline_pages; DROP TABLE edits; DROP TABLE edit_pages;"
          "DROP TABLE edit_names; DROP TABLE secrets; DROP TABLE secret_pages;"
          "DELETE FROM late_tables WHERE name IN ('requests', 'outlines', 'edits', 'secrets');"
          "PRAGMA user_version = 10");
  // Read as it is.
  EXPECT_EQ(table_answers(store_path(), &keyring_), filled);
  EXPECT_EQ(cost(&keyring_).at("behind").at("done"), 0);
  {
    const auto store = open();
    EXPECT_EQ(store->filling().progress()->done, 0u);
    EXPECT_EQ(table_answers(store_path(), &keyring_), filled);
    ASSERT_TRUE(ingest::fill_tables(*store, keyring_, {}));
  }
  EXPECT_FALSE(cost(&keyring_).contains("behind"));
  EXPECT_EQ(table_answers(store_path(), &keyring_), filled);
  expect_the_slow_answers();
}

TEST_P(Requests, ThatTheKeyringDoesNotOpenAreLeftOutAndSaid) {
  add(request_line(1, 10));
  const auto metadata =
      crypto::Keyring::parse(*keyring_.exported(crypto::Reach::metadata), {}).value();
  EXPECT_EQ(cost(&metadata), cost(&keyring_));
  const std::string without = canonical_json(cost(nullptr));
  if (GetParam() == crypto::SealMode::all) {
    EXPECT_THAT(without, HasSubstr("are sealed, and were not counted"));
    EXPECT_THAT(without, HasSubstr(R"("requests":0)"));
  } else {
    EXPECT_THAT(without, Not(HasSubstr("sealed")));
  }
  EXPECT_EQ(table_answers(store_path(), nullptr), slow_answers(store_path(), nullptr));
}

// Rows that belong to nothing signed are compared with the usage thoughts.
TEST_P(Requests, ThatWereChangedAreFoundAndComputedAgain) {
  for (int i = 0; i < 200; i += 100) {
    std::string lines;
    for (int number = i; number < i + 100; ++number) lines += request_line(number, 1);
    add(lines);
  }
  const std::string before = table_answers(store_path(), &keyring_);
  for (const char* sql : {"DELETE FROM request_pages", "UPDATE requests SET clear = x'00'",
                          "UPDATE requests SET metadata = x'0102'", "DELETE FROM request_sums",
                          "UPDATE request_sums SET unopened = 1 WHERE page = 0",
                          "UPDATE request_sums SET page = 7 WHERE page = 1"}) {
    Tool(store_path()).run(sql);
    const auto store = open();
    const auto answer = query::verify(*store, &keyring_, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_THAT(canonical_json(*answer), HasSubstr("not those of its usage thoughts")) << sql;
    ASSERT_TRUE(store->derived().rebuild({.keyring = &keyring_}, {})) << sql;
    EXPECT_EQ(table_answers(store_path(), &keyring_), before) << sql;
  }
}

INSTANTIATE_TEST_SUITE_P(EverySeal, Requests,
                         testing::Values(crypto::SealMode::thinking, crypto::SealMode::all),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

}  // namespace
}  // namespace weft
