#include "weft/cli/complete/candidates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/cli/app/command.hpp"
#include "weft/cli/complete/man_page.hpp"

namespace weft::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> offered(const std::vector<std::string>& words) {
  const StoreNames names{
      .sessions = [](const std::string&) { return std::vector<Candidate>{{"last", "A session"}}; },
      .thoughts = [](const std::string&) { return std::vector<Candidate>{{"3f2a91c0b1d2", ""}}; },
      .projects = [](const std::string&) { return std::vector<Candidate>{{"looms", ""}}; }};
  std::vector<std::string> found;
  for (const Candidate& candidate : candidates_for(words, names).found) {
    found.push_back(candidate.word);
  }
  return found;
}

TEST(Completion, OffersCommandsOptionsValuesAndNames) {
  EXPECT_THAT(offered({"re"}), Contains("read"));
  EXPECT_THAT(offered({"re"}), Not(Contains("list")));
  EXPECT_THAT(offered({"list", "--he"}), ElementsAre("--here", "--help"));
  EXPECT_THAT(offered({"cost", "--by", "w"}), ElementsAre("week"));
  EXPECT_THAT(offered({"list", "--project", ""}), ElementsAre("looms"));
  EXPECT_THAT(offered({"walk", ""}), Contains("last"));
  EXPECT_THAT(offered({"why", "3f"}), Contains("3f2a91c0b1d2"));
  EXPECT_THAT(offered({"help", "rea"}), ElementsAre("read"));
  EXPECT_THAT(offered({"keys", "sh"}), ElementsAre("show"));
  EXPECT_THAT(offered({"keys", "trust", "3f"}), ElementsAre("3f2a91c0b1d2"));
  EXPECT_THAT(offered({"list", "--limit", ""}), IsEmpty());
}

TEST(Completion, EveryCommandHasAManPageWithItsOptions) {
  for (const Command* command : all_commands()) {
    const std::string page = man_page(*command);
    EXPECT_THAT(page, HasSubstr(".SH NAME\nweft\\-"));
    EXPECT_THAT(page, HasSubstr("\\-\\-json")) << command->name;
    EXPECT_THAT(man_page(), HasSubstr(std::string(command->name).substr(0, 4)));
  }
}

}  // namespace
}  // namespace weft::cli
