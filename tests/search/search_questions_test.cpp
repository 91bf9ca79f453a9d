// Does search find what people look for? Questions of questions.txt, put to real conversations.
#include <gtest/gtest.h>

#include <charconv>
#include <sstream>

#include "search_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMayMiss = 3;  // of thirty
constexpr std::size_t kRoom = 3;     // the answer is among the first of these

struct Question {
  std::string query, conversation, turn;
  std::size_t block = 0;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<Question> read_questions() {
  std::ifstream file(std::string(WEFT_SOURCE_DIR) + "/tests/search/questions.txt");
  std::vector<Question> questions;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream parts(line);
    std::array<std::string, 4> words;
    for (std::string& word : words) {
      std::getline(parts, word, '|');
      word = trimmed(word);
    }
    Question& question = questions.emplace_back(words[0], words[1], words[2]);
    std::from_chars(words[3].data(), words[3].data() + words[3].size(), question.block);
  }
  return questions;
}

std::string answer_to(const Weft& weft, const Question& question) {
  const json::array turns =
      list(weft.json({"walk", question.conversation, "--turn", question.turn}), "turns");
  if (turns.empty()) return "";
  const json::array thoughts = list(turns.at(0).as_object(), "thoughts");
  EXPECT_LT(question.block, thoughts.size()) << question.query;
  return question.block < thoughts.size() ? text(thoughts.at(question.block).as_object(), "cid")
                                          : "";
}

TEST(SearchQuestions, AreAnsweredAmongTheFirst) {
  const fs::path shared = fs::path(WEFT_SOURCE_DIR) / "../shared/fixtures";
  if (!fs::exists(shared)) GTEST_SKIP() << "no real conversations beside the project";
  const Weft weft;
  std::vector<std::string> arguments = {"ingest"};
  for (const char* folder : {"claude-code", "codex-cli", "claude-ai-export", "chatgpt-export",
                             "openclaw-pi", "gemini-cli", "kimi", "other-agents"}) {
    arguments.push_back((shared / folder).string());
  }
  ASSERT_EQ(weft(arguments).exit, 0);
  const std::vector<Question> questions = read_questions();
  ASSERT_EQ(questions.size(), 30u);
  std::vector<std::string> missed;
  for (const Question& question : questions) {
    const std::string answer = answer_to(weft, question);
    ASSERT_NE(answer, "") << question.query;
    const std::vector<std::string> found =
        cids_of(search(weft, {"--limit", std::to_string(kRoom), "--", question.query}));
    if (std::ranges::find(found, answer) == found.end()) missed.push_back(question.query);
  }
  EXPECT_LE(missed.size(), kMayMiss) << testing::PrintToString(missed);
  for (const std::string& query : missed) std::cout << "missed: " << query << "\n";
}

}  // namespace
}  // namespace weft::test
