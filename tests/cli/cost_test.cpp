// weft cost and weft prices: what requests cost, from the files to the answer.
#include <gmock/gmock.h>

#include "program.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view kOrigin = "11111111-1111-4111-8111-111111111111";
constexpr std::string_view kFork = "22222222-2222-4222-8222-222222222222";

std::string asked(std::string_view session, std::string_view uuid, std::string_view time,
                  std::string_view words) {
  return R"({"type":"user","uuid":")" + std::string(uuid) + R"(","sessionId":")" +
         std::string(session) + R"(","timestamp":"2026-03-01T)" + std::string(time) +
         R"(Z","message":{"role":"user","content":")" + std::string(words) + "\"}}\n";
}

std::string answered(std::string_view session, std::string_view id, std::string_view time,
                     std::string_view model, std::string_view usage) {
  return R"({"type":"assistant","uuid":"u-)" + std::string(id) + R"(","sessionId":")" +
         std::string(session) + R"(","requestId":"req-)" + std::string(id) +
         R"(","timestamp":"2026-03-01T)" + std::string(time) +
         R"(Z","message":{"role":"assistant","id":")" + std::string(id) + R"(","model":")" +
         std::string(model) + R"(","content":[{"type":"text","text":"answer )" + std::string(id) +
         R"("}],"usage":{)" + std::string(usage) + "}}}\n";
}

std::string talk(std::string_view session) {
  return asked(session, "u1", "10:00:00", "why is the sky blue?") +
         answered(session, "m1", "10:00:05", "claude-opus-4-5-20251101",
                  R"("input_tokens":1000000,"output_tokens":0)") +
         asked(session, "u2", "23:30:00", "and the sea?") +
         answered(session, "m2", "23:30:05", "claude-opus-4-5-20251101",
                  R"("input_tokens":0,"output_tokens":1000000)");
}

class Cost : public testing::Test {
 protected:
  Cost() { weft_.environment["TZ"] = "UTC"; }
  void ingest(std::string_view session, const std::string& text) {
    const Ran ran = weft_({"ingest", weft_.write(std::string(session) + ".jsonl", text)});
    ASSERT_EQ(ran.exit, 0) << ran;
  }
  json::object row(std::vector<std::string> arguments, std::string_view key) {
    for (const json::value& value : list(weft_.json(std::move(arguments)), "rows")) {
      if (text(value.as_object(), "key") == key) return value.as_object();
    }
    ADD_FAILURE() << "no row " << key;
    return {};
  }
  double total(std::vector<std::string> arguments) {
    return weft_.json(std::move(arguments)).at("total").at("cost").to_number<double>();
  }

  Weft weft_;
};

TEST_F(Cost, IsGivenByDayOfTheAskersZone) {
  ingest(kOrigin, talk(kOrigin));
  EXPECT_EQ(row({"cost"}, "2026-03-01").at("cost").to_number<double>(), 30);  // 5 + 25
  weft_.environment["TZ"] = "Asia/Tokyo";
  EXPECT_EQ(row({"cost"}, "2026-03-01").at("cost").to_number<double>(), 5);
  EXPECT_EQ(row({"cost"}, "2026-03-02").at("cost").to_number<double>(), 25);
  EXPECT_EQ(text(weft_.json({"cost"}), "zone"), "Asia/Tokyo");
}

TEST_F(Cost, IsGivenByModelSessionAndPrompt) {
  ingest(kOrigin, talk(kOrigin));
  EXPECT_EQ(number(row({"cost", "--by", "model"}, "claude-opus-4-5-20251101"), "requests"), 2);
  EXPECT_EQ(number(row({"cost", "--by", "session"}, kOrigin), "requests"), 2);
  const json::array prompts = list(weft_.json({"cost", "--by", "prompt"}), "rows");
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_EQ(text(prompts[0].as_object(), "text"), "why is the sky blue?");
  EXPECT_EQ(prompts[0].at("cost").to_number<double>(), 5);
  EXPECT_EQ(prompts[1].at("cost").to_number<double>(), 25);
  EXPECT_EQ(total({"cost", "--since", "2026-03-01T12:00:00Z"}), 25);
  EXPECT_EQ(total({"cost", "--until", "2026-03-01T12:00:00Z"}), 5);
}

TEST_F(Cost, UxB4CopiesOfAForkCountOnceUntilTheirFirstHolderIsForgotten) {
  ingest(kOrigin, talk(kOrigin));
  ingest(kFork, talk(kFork) + answered(kFork, "m3", "23:40:00", "claude-opus-4-5-20251101",
                                       R"("input_tokens":200000)"));
  EXPECT_EQ(total({"cost"}), 31);
  EXPECT_EQ(total({"cost", std::string(kFork)}), 31);  // its own figures
  EXPECT_EQ(total({"cost", std::string(kOrigin)}), 30);
  EXPECT_EQ(total({"cost", "--like", "ccusage"}), 61);  // which looks within a session only
  const json::object stats = weft_.json({"stats"});
  EXPECT_EQ(stats.at("tokens").at("input").to_number<std::int64_t>(), 1'200'000);
  ASSERT_EQ(weft_({"forget", std::string(kOrigin), "--yes"}).exit, 0);
  EXPECT_EQ(total({"cost"}), 31);
}

TEST_F(Cost, AModelWithoutAPriceIsUnknownNeverFree) {
  ingest(kOrigin, asked(kOrigin, "u1", "10:00:00", "hi") +
                      answered(kOrigin, "m1", "10:00:05", "nobodys-model",
                               R"("input_tokens":7,"output_tokens":3)"));
  const json::object answer = weft_.json({"cost"});
  EXPECT_TRUE(answer.at("total").at("cost").is_null());
  EXPECT_EQ(number(answer.at("total").as_object(), "input"), 7);
  ASSERT_EQ(list(answer, "unpriced").size(), 1u);
  EXPECT_EQ(text(list(answer, "unpriced")[0].as_object(), "model"), "nobodys-model");
  EXPECT_EQ(number(list(answer, "unpriced")[0].as_object(), "tokens"), 10);
  const Ran shown = weft_({"cost"});
  EXPECT_THAT(shown.out, HasSubstr("?"));
  EXPECT_THAT(shown.err, HasSubstr("nobodys-model"));
  // A price that is learnt later reaches requests from before.
  const std::string before = text(answer.at("prices").as_object(), "hash");
  weft_.write("home/config.json", R"({"prices": {"nobodys-model": {"input": 1, "output": 2}}})");
  EXPECT_EQ(total({"cost"}), 13e-6);
  EXPECT_NE(text(weft_.json({"cost"}).at("prices").as_object(), "hash"), before);
}

TEST_F(Cost, PricesAreImportedFromAFile) {
  ingest(kOrigin, talk(kOrigin));
  const std::string file =
      weft_.write("litellm.json", R"({"claude-opus-4-5": {"input_cost_per_token": 1e-06,
                          "output_cost_per_token": 2e-06}})");
  EXPECT_EQ(number(weft_.json({"prices", "--import", file}), "imported"), 1);
  EXPECT_EQ(total({"cost"}), 3);
  EXPECT_THAT(weft_({"prices"}).out, HasSubstr("litellm.json"));
  EXPECT_EQ(weft_({"prices", "--import", weft_.write("bad.json", "{}")}).exit, 3);
}

TEST_F(Cost, TravelsWithAnExport) {
  ingest(kOrigin, talk(kOrigin));
  const Ran exported = weft_({"export", std::string(kOrigin), "--as", "thoughts"});
  ASSERT_EQ(exported.exit, 0);
  EXPECT_THAT(exported.out, HasSubstr("\"anthropic/usage\""));
  Weft other;
  ASSERT_EQ(other({"import", other.write("web.jsonl", exported.out)}).exit, 0);
  EXPECT_EQ(other.json({"cost"}).at("total").at("cost").to_number<double>(), 30);
  EXPECT_EQ(other({"verify"}).exit, 0);
  EXPECT_EQ(weft_({"verify"}).exit, 0);
}

TEST_F(Cost, WithoutTheKeySealedRequestsAreUnknown) {
  ASSERT_EQ(weft_({"init", "--seal", "all"}).exit, 0);
  ingest(kOrigin, talk(kOrigin));
  EXPECT_EQ(total({"cost"}), 30);
  std::filesystem::rename(weft_.home() / "keyring.json", weft_.path("keyring.json"));
  const json::object answer = weft_.json({"cost"});
  EXPECT_TRUE(answer.at("total").at("cost").is_null());
  EXPECT_THAT(std::string(list(answer, "notes")[0].as_string()), HasSubstr("sealed"));
}

TEST_F(Cost, ReadingAFileAgainAddsNoRequest) {
  ingest(kOrigin, talk(kOrigin));
  ASSERT_EQ(weft_({"reweave", "--all"}).exit, 0);
  EXPECT_EQ(total({"cost"}), 30);
  const Ran exported = weft_({"export", std::string(kOrigin), "--as", "thoughts"});
  EXPECT_EQ(exported.out.find("\"anthropic/usage\""), exported.out.rfind("\"anthropic/usage\""));
  EXPECT_EQ(number(weft_.json({"reindex"}), "reread"), 0);
}

}  // namespace
}  // namespace weft::test
