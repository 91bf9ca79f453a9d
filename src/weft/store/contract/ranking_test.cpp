// What every store must do: rank as a slow, obvious implementation of BM25 does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "weft/store/contract/searching_for_test.hpp"
#include "weft/store/contract/slow_search_for_test.hpp"

namespace weft::store {
namespace {

using thought::Thought;

// A small world of words, so that they meet.
const std::vector<std::string> kVocabulary = {"alpha",       "beta",
                                              "gamma",       "delta",
                                              "the",         "of",
                                              "not",         "snake_case",
                                              "camelCase",   "a/b/path.cpp",
                                              "v1.2.3",      "--no-verify",
                                              "日本語",      "naïve",
                                              "error",       "parser",
                                              "cache",       "token",
                                              "build",       "test",
                                              "sealed",      "26b51163fa0c9d4e7b1a",
                                              "std::vector", "user's",
                                              "x",           "café",
                                              "Straße",      "1,234.5"};

class AgainstTheSlowOne : public Searching {
 protected:
  std::string words(std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
      // Squared, so that some are common and some are rare.
      const double unit = std::uniform_real_distribution<>(0, 1)(random_);
      const auto at =
          static_cast<std::size_t>(unit * unit * static_cast<double>(kVocabulary.size()));
      out += kVocabulary[at];
      out += number(6) == 0 ? ", " : " ";
    }
    return out;
  }
  std::size_t number(std::size_t below) { return random_() % below; }

  // A few conversations; `each` block is a commit of its own, or all are one.
  void fill(bool each) {
    random_.seed(11);
    int order = 0;
    const std::vector<std::string> tools = {"Bash", "Read", "mcp__x__y"};
    for (int c = 0; c < 4; ++c) {
      talks_.push_back(std::make_unique<Talk>("session " + std::to_string(c)));
      Talk& talk = *talks_.back();
      for (int t = 0; t < 12; ++t) {
        const bool human = t % 2 == 0;
        talk.turn(human ? "human" : "assistant");
        for (std::size_t b = 0; b < (human ? 1 : 1 + number(8)); ++b) {
          SlowDocument document{.role = human ? "human" : "assistant",
                                .conversation = talk.cid(),
                                .time = static_cast<Millis>(5'000 + number(300)),
                                .order = order++};
          const std::string text = words(1 + number(25));
          Thought thought;
          switch (human ? 0 : number(5)) {
            case 0:
              document.says(0, text);
              thought = block(human ? "human_input" : "response", {{"text", text}}, document.time);
              break;
            case 1:
              document.tool = tools[number(3)];
              document.says(0, document.tool + "\n" + text);
              thought =
                  block("tool_request", {{"tool_name", document.tool}, {"input", {{"q", text}}}},
                        document.time);
              break;
            case 2:
              document.tool = tools[number(3)];
              document.says(0, text);
              thought = block("tool_result", {{"tool_name", document.tool}, {"result_text", text}},
                              document.time);
              break;
            case 3:
              document.says(2, text);
              thought = thinks(text, document.time);
              break;
            default:
              document.says(1, text);
              thought =
                  block("thinking_summary", {{"summaries", json::array{text}}}, document.time);
              break;
          }
          document.type = thought.type;
          document.cid = talk.stands(thought);
          const auto same = std::ranges::find(slow_.documents, document.cid, &SlowDocument::cid);
          if (same == slow_.documents.end()) slow_.documents.push_back(document);
          if (each) commit_indexed(talk);
        }
      }
    }
    if (each) return;
    Batch batch;
    for (const auto& talk : talks_) batch.units.push_back(talk->take());
    store_->writer().prepare(batch, {.keyring = &keyring_});
    commit(batch);
  }

  std::string query() {
    std::string out;
    for (std::size_t i = 0; i < 1 + number(4); ++i) {
      const std::string word = kVocabulary[number(kVocabulary.size())];
      switch (number(12)) {
        case 0: out += '"' + kVocabulary[number(12)] + " " + kVocabulary[number(12)] + '"'; break;
        case 1: out += '"' + words(2 + number(2)) + '"'; break;
        case 2: out += "+" + word; break;
        case 3: out += number(2) == 0 ? "-" + word : word; break;
        case 4: out += word.substr(0, 3) + "*"; break;
        default: out += word; break;
      }
      out += ' ';
    }
    switch (number(10)) {
      case 0: out += "type:thinking"; break;
      case 1: out += "type:test/response type:tool_result"; break;
      case 2: out += "role:human"; break;
      case 3: out += "tool:bash"; break;
      case 4: out += "since:1970-01-01T00:00:05.100Z until:1970-01-01T00:00:05.200Z"; break;
      default: break;
    }
    return out;
  }

  void compare() {
    std::size_t matched = 0;
    for (int round = 0; round < 1000; ++round) {
      const std::string text = query();
      search::Query parsed = search::parse_query(text);
      const auto keys = static_cast<SlowKeys>(number(3));
      const crypto::Keyring* keyring = keys == SlowKeys::none       ? nullptr
                                       : keys == SlowKeys::metadata ? &metadata_
                                                                    : &content_;
      std::optional<std::vector<Cid>> conversations;
      if (number(4) == 0) {
        conversations = {talks_[number(4)]->cid(), talks_[number(4)]->cid()};
      }
      Result<SearchAnswer> answer = store_->search(
          {.query = parsed, .keyring = keyring, .conversations = conversations, .limit = 1'000});
      ASSERT_TRUE(answer) << text << ": " << answer.error().message;
      for (std::string& tool : parsed.filters.tools) {
        for (const char* name : {"Bash", "Read", "mcp__x__y"}) {
          if (search::tool_term(name) == search::tool_term(tool)) tool = name;
        }
      }
      const std::vector<SlowSearch::Match> expected = slow_.search(parsed, keys, conversations);
      ASSERT_EQ(answer->total, expected.size()) << text;
      ASSERT_EQ(answer->found.size(), expected.size()) << text;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(answer->found[i].score, expected[i].score, 1e-6) << text << " at " << i;
        ASSERT_EQ(answer->found[i].cid, expected[i].cid) << text << " at " << i;
      }
      matched += expected.size();
    }
    EXPECT_GT(matched, 10'000u) << "most queries found nothing: they test nothing";
  }

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Talk>> talks_;
  SlowSearch slow_;
};

TEST_P(AgainstTheSlowOne, AThousandQueriesOverOneCommit) {
  fill(false);
  compare();
}

TEST_P(AgainstTheSlowOne, AThousandQueriesOverManyCommits) {
  fill(true);
  compare();
}

TEST_P(AgainstTheSlowOne, AThousandQueriesAfterReindexing) {
  fill(true);
  ASSERT_TRUE(store_->writer().reindex({.keyring = &keyring_}, {}));
  compare();
}

INSTANTIATE_TEST_SUITE_P(Stores, AgainstTheSlowOne, testing::ValuesIn(every_backend()),
                         backend_name);

}  // namespace
}  // namespace weft::store
