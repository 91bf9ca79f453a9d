// An export, checked by the verifier that shares no code with weft.
#include "program.hpp"

namespace weft::test {
namespace {

const std::string kRoot = WEFT_SOURCE_DIR;

class Verifier : public testing::Test {
 protected:
  void SetUp() override {
    if (run_program("/usr/bin/env", {"node", "--version"}, weft.environment).exit != 0) {
      GTEST_SKIP() << "there is no node here";
    }
    if (!std::filesystem::exists(kRoot + "/docs/verify/node_modules")) {
      GTEST_SKIP() << "its npm packages are not installed: tools/setup test";
    }
  }
  Ran check(const std::string& file) const {
    return run_program("/usr/bin/env", {"node", kRoot + "/docs/verify/verify.mjs", file},
                       weft.environment);
  }
  std::string exported(const std::string& fixture, const std::string& seal) {
    EXPECT_EQ(weft({"init", "--seal", seal}).exit, 0);
    const json::object report =
        weft.json({"ingest", kRoot + "/tests/fixtures/anthropic_transcript/" + fixture});
    const std::string cid =
        text(list(report, "conversations").at(0).get_object(), "conversation_cid");
    const Ran ran = weft({"export", cid, "--as", "thoughts"});
    EXPECT_EQ(ran.exit, 0) << ran;
    return ran.out;
  }

  Weft weft;
};

TEST_F(Verifier, AcceptsEveryBlockThatWeftWeaves) {
  const Ran ran = check(weft.write("all.jsonl", exported("every-block.txt", "thinking")));
  EXPECT_EQ(ran.exit, 0) << ran;
}

TEST_F(Verifier, NeedsNoKeyForAWebThatIsSealedWhole) {
  const Ran ran = check(weft.write("all.jsonl", exported("every-block.txt", "all")));
  EXPECT_EQ(ran.exit, 0) << ran;
}

TEST_F(Verifier, FindsARemovedLineAndAChangedWord) {
  const std::string good = exported("two-rounds.txt", "thinking");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < good.size();) {
    const std::size_t end = good.find('\n', at) + 1;
    if (lines++ % 9 == 0) {
      std::string less = good;
      less.erase(at, end - at);
      const bool bare =
          good.substr(at, end - at).find("\"type\":\"schema\"") != std::string::npos ||
          good.substr(at, end - at).find("conversation_facts\"") != std::string::npos;
      // A relation's schema and old facts hang on nothing; all else is missed.
      if (bare) {
        at = end;
        continue;
      }
      EXPECT_EQ(check(weft.write("less.jsonl", less)).exit, 1) << good.substr(at, end - at);
    }
    at = end;
  }
  EXPECT_GT(lines, 20u);
}

}  // namespace
}  // namespace weft::test
