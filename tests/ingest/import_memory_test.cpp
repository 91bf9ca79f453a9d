// weft import of large and of hostile files, in memory that does not grow with them.
#include <gmock/gmock.h>

#include <fstream>

#include "peak_memory_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr long kPromisedKb = 300 * 1'000;
constexpr std::uint64_t kMegabyte = 1'000'000;

// Conversations of many rounds with long answers, exported as thoughts: about `bytes` of them.
std::string exported(const Weft& weft, std::uint64_t bytes) {
  const std::string all = weft.path("thoughts.jsonl");
  fs::remove(all);
  for (int part = 0; !fs::exists(all) || fs::file_size(all) < bytes; ++part) {
    const std::string session = "talk-" + std::to_string(part);
    std::ofstream talk(weft.path(session + ".txt"));
    talk << "Model: claude-x\nSession: " << session << "\n\n";
    for (int i = 0; i < 250; ++i) {
      const std::string words = session + " " + std::to_string(i) + " ";
      std::string answer;
      while (answer.size() < 12'000) answer += words;
      talk << "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"question " << words << "\"}]\n\n"
           << std::string(80, '=')
           << "\nAssistant:\nContent:\n[{\"type\":\"thinking\",\"thinking\":\"" << words
           << "\",\"summaries\":[]},{\"type\":\"text\",\"text\":\"" << answer << "\"}]\n\n"
           << std::string(80, '=') << "\n";
    }
    talk.close();
    EXPECT_EQ(weft({"ingest", weft.path(session + ".txt")}).exit, 0);
    const std::string one = weft.path(session + ".jsonl");
    EXPECT_EQ(weft({"export", session, "--as", "thoughts", "--out", one}).exit, 0);
    std::ofstream(all, std::ios::app | std::ios::binary) << std::ifstream(one).rdbuf();
    fs::remove(one);
  }
  return all;
}

long peak_of_import(const std::string& file) {
  const Weft other;
  const PeakMemory peak = peak_memory(other, {"import", file});
  EXPECT_EQ(peak.exit, 0);
  EXPECT_EQ(other({"verify"}).exit, 0);
  return peak.kb;
}

TEST(ImportMemory, Security8AnImportTakesAsMuchMemoryForALargeFileAsForASmallOne) {
  const Weft weft;
  const long small = peak_of_import(exported(weft, 20 * kMegabyte));
  const long large = peak_of_import(exported(weft, 80 * kMegabyte));
  if (weft_is_sanitized()) return;
  EXPECT_LT(large, small + 30'000) << "of 60 MB more";
  EXPECT_LT(large, kPromisedKb);
}

TEST(ImportMemory, Security8AnImportOf500MegabytesKeepsThePromise) {
  if (!test_is_long() || weft_is_sanitized()) GTEST_SKIP() << "./test long runs it";
  const Weft weft;
  EXPECT_LT(peak_of_import(exported(weft, 500 * kMegabyte)), kPromisedKb);
}

// What is no thought is refused with its line, however long, deep or often it comes.
TEST(ImportMemory, Security8AnImportOfHostileLinesTakesBoundedMemoryAndNamesThem) {
  const Weft weft;
  ASSERT_EQ(weft({"init"}).exit, 0);
  const std::string file = weft.path("hostile.jsonl");
  {
    std::ofstream lines(file, std::ios::binary);
    lines << R"({"type":")" << std::string(65u << 20, 'x') << "\"}\n";  // line 1: too long
    lines << "[" << std::string(30u << 20, '1') << "]\n";               // a number without end
    lines << R"({"because":[)";
    for (int i = 0; i < 700'000; ++i) {
      lines << (i > 0 ? "," : "") << R"("cid:blake3:)" << std::string(64, 'a') << '"';
    }
    lines << "]}\n";
    for (int i = 0; i < 1'000'000; ++i) lines << "x\n";
  }
  const PeakMemory peak = peak_memory(weft, {"import", file});
  EXPECT_EQ(peak.exit, 1);
  if (!weft_is_sanitized()) EXPECT_LT(peak.kb, kPromisedKb);
  const Ran shown = weft({"import", file});
  EXPECT_THAT(shown.out, HasSubstr("refused 1,000,003 thoughts"));
  EXPECT_THAT(shown.out, HasSubstr("line 1: longer than 64 MB"));
  EXPECT_THAT(shown.out, HasSubstr("line 3: it has more than 65,536 causes"));
  const json::object document = weft.json({"import", file});
  EXPECT_EQ(number(document, "refused_count"), 1'000'003);
  EXPECT_EQ(list(document, "refused").size(), 10'000u);
}

TEST(ImportMemory, Security8AnImportOfAPipeIsRefusedAtOnce) {
  const Weft weft;
  const Ran ran = weft({"import", "/dev/stdin"});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace weft::test
