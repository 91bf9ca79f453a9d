// The program that users run is hardened, and a crash of it leaves no keys behind.
#include <gmock/gmock.h>

#include <filesystem>

#include "program.hpp"
#include "stdio_client.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string readelf(std::vector<std::string> options) {
  options.emplace_back(WEFT_BINARY);
  const Ran ran = run_program("/usr/bin/readelf", options, {});
  EXPECT_EQ(ran.exit, 0) << ran;
  return ran.out;
}

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) {
    ++found;
  }
  return found;
}

class Hardening : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path program = WEFT_BINARY;
    if (program.parent_path().filename() != "release") {
      GTEST_SKIP() << "only the release build is hardened; this is " << program;
    }
    if (!std::filesystem::exists("/usr/bin/readelf")) GTEST_SKIP() << "there is no readelf";
  }
};

TEST_F(Hardening, Security14TheLinkersTablesAreReadOnlyAndNothingOnTheStackIsRun) {
  const std::string headers = readelf({"-h", "-l", "-d", "-W"});
  EXPECT_THAT(headers, HasSubstr("GNU_RELRO"));
  EXPECT_THAT(headers, HasSubstr("BIND_NOW"));
  EXPECT_THAT(headers, HasSubstr("DYN (Position-Independent Executable file)"));
  const std::size_t stack = headers.find("GNU_STACK");
  ASSERT_NE(stack, std::string::npos);
  const std::string line = headers.substr(stack, headers.find('\n', stack) - stack);
  EXPECT_THAT(line, Not(HasSubstr("E"))) << "the flags are RW";
}

TEST_F(Hardening, Security14StackAndSizesAreChecked) {
  const std::string symbols = readelf({"--dyn-syms", "-W"});
  EXPECT_THAT(symbols, HasSubstr("__stack_chk_fail"));
  EXPECT_THAT(symbols, testing::ContainsRegex("__[a-z]+_chk"));
  EXPECT_GE(count(symbols, "_chk@"), 2u);
#if defined(__x86_64__)
  const std::string bytes = read_file(WEFT_BINARY, 1u << 30).value();
  EXPECT_GT(count(bytes, "\xf3\x0f\x1e\xfa"), 1'000u) << "endbr64, where calls may land";
#endif
}

TEST_F(Hardening, Security14SymbolsAreBesideTheProgram) {
  const std::string sections = readelf({"-S", "-W"});
  EXPECT_THAT(sections, Not(HasSubstr(".symtab")));
  EXPECT_THAT(sections, Not(HasSubstr(".debug_info")));
  EXPECT_THAT(sections, HasSubstr(".gnu_debuglink"));
  EXPECT_TRUE(std::filesystem::exists(std::string(WEFT_BINARY) + ".debug"));
}

TEST(Memory, Security13ACrashWritesNoCoreFile) {
  Weft weft;
  StdioClient agent(WEFT_BINARY, {"mcp"}, weft.environment);
  agent.send({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}, {"params", modern_params()}});
  agent.answer_to(1);
  const std::string limits =
      read_file("/proc/" + std::to_string(agent.pid()) + "/limits").value_or("");
  const std::size_t core = limits.find("Max core file size");
  ASSERT_NE(core, std::string::npos) << limits;
  const std::string line = limits.substr(core, limits.find('\n', core) - core);
  EXPECT_THAT(line, testing::ContainsRegex("size +0 +0 ")) << line;
}

}  // namespace
}  // namespace weft::test
