#include "weft/query/cost/price_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/query/cost/built_in_prices.hpp"
#include "weft/query/cost/ccusage_rules.hpp"
#include "weft/query/cost/load_prices.hpp"

namespace weft::query {
namespace {

using testing::HasSubstr;
using transcript::Tokens;

// Rates by the token, not by the million: the figures are easier to read.
constexpr double kMillion = 1e6;
const Price kSimple{.model = "m",
                    .input = 1 * kMillion,
                    .output = 10 * kMillion,
                    .cache_read = 0.1 * kMillion,
                    .cache_write_5m = 1.25 * kMillion};

PriceTable table(std::string_view rows) { return PriceTable::parse(rows, "test").value(); }

TEST(Cost, WritesForAnHourCostTwiceTheInput) {
  const Tokens tokens{.cache_read = 30, .cache_write_5m = 10, .cache_write_1h = 20};
  EXPECT_DOUBLE_EQ(cost_of(tokens, kSimple), 55.5);
  PriceTable prices;
  prices.replace({kSimple});
  EXPECT_DOUBLE_EQ(*ccusage_cost({.tokens = tokens}, "m", prices, false), 55.5);
}

TEST(Cost, WritesWithoutASplitAreForFiveMinutes) {
  EXPECT_DOUBLE_EQ(cost_of({.cache_write_5m = 10}, kSimple), 12.5);
}

// Providers charge the whole request at the rates of its size. ccusage is wrong here: it charges
// the larger rate only for the tokens of each kind beyond the line.
TEST(Cost, TheSizeOfARequestSelectsTheRatesForAllOfIt) {
  const PriceTable prices = table("m\t\t\t1\t10\t\t\t\tx\nm\t\t200000\t2\t20\t\t\t\tx\n");
  const store::RequestEntry request{
      .tokens = {.input = 150'000, .output = 1'000'000, .cache_read = 150'000}};
  const Price* price = prices.find("m", "", prompt_size(request.tokens));
  ASSERT_NE(price, nullptr);
  EXPECT_DOUBLE_EQ(cost_of(request.tokens, *price), 0.3 + 20 + 0.3);
  EXPECT_DOUBLE_EQ(*ccusage_cost(request, "m", prices, false), 0.15 + 2 + 16 + 0.15);
}

TEST(Cost, PricesAreThoseOfTheDay) {
  const PriceTable prices = table(
      "m\t\t\t5\t25\t\t\t\tx\nm\t\t200000\t10\t37\t\t\t\tx\nm\t2026-03-13\t\t4\t20\t\t\t\tx\n");
  EXPECT_EQ(prices.find("m", "2026-03-12", 10)->input, 5);
  EXPECT_EQ(prices.find("m", "2026-03-12", 200'001)->input, 10);
  EXPECT_EQ(prices.find("m", "2026-03-12", 200'000)->input, 5);
  EXPECT_EQ(prices.find("m", "2026-03-13", 200'001)->input, 4);
}

TEST(Cost, ModelsAreFoundByNameDateAndBeginning) {
  const PriceTable prices = table(
      "claude-opus-4\t\t\t15\t75\t\t\t\tx\nclaude-opus-4-5\t\t\t5\t25\t\t\t\tx\n"
      "mine-*\t\t\t1\t1\t\t\t\tx\nmine-big*\t\t\t2\t2\t\t\t\tx\n");
  EXPECT_EQ(prices.find("claude-opus-4-20250514", "", 0)->input, 15);
  EXPECT_EQ(prices.find("claude-opus-4-5-20251101", "", 0)->input, 5);
  EXPECT_EQ(prices.find("anthropic/claude-opus-4-5[1m]", "", 0)->input, 5);
  EXPECT_EQ(prices.find("claude-opus-4-9", "", 0), nullptr);  // another model: no price, not 15
  EXPECT_EQ(prices.find("mine-biggest", "", 0)->input, 2);
  EXPECT_EQ(prices.find("mine-small", "", 0)->input, 1);
  EXPECT_EQ(prices.find("", "", 0), nullptr);
}

TEST(Cost, TheBuiltInTableIsReadAndHashed) {
  const PriceTable prices = table(built_in_prices());
  EXPECT_GE(prices.rows().size(), 60u);
  EXPECT_EQ(prices.find("claude-sonnet-4-5-20250929", "2026-01-09", 1)->input, 3);
  EXPECT_EQ(prices.hash().size(), std::string_view("blake3:").size() + 64);
  EXPECT_EQ(table(prices.text()).hash(), prices.hash());
  for (const Price& row : prices.rows()) EXPECT_FALSE(row.source.empty()) << row.model;
}

TEST(Cost, ABadRowIsNamed) {
  const auto broken = PriceTable::parse("m\t\t\tfree\t10\t\t\t\tx\n", "prices.tsv");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("prices.tsv:1"));
  EXPECT_FALSE(PriceTable::parse("m\t1\n", "prices.tsv"));
  EXPECT_FALSE(PriceTable::parse("m\tsoon\t\t1\t10\t\t\t\tx\n", "prices.tsv"));
}

TEST(Cost, OverridesReplaceAllRowsOfAModel) {
  PriceTable prices = table("m\t\t\t5\t25\t\t\t\tx\nm\t\t200000\t10\t37\t\t\t\tx\n");
  prices.replace(parse_overrides({{"m", json::object{{"input", 1}, {"output", 2.5}}}}).value());
  ASSERT_EQ(prices.rows().size(), 1u);
  EXPECT_EQ(prices.rows()[0].output, 2.5);
  EXPECT_FALSE(parse_overrides({{"m", json::object{{"input", 1}}}}));
  EXPECT_FALSE(parse_overrides({{"m", json::object{{"input", 1}, {"output", 1}, {"otuput", 1}}}}));
}

TEST(Cost, LiteLlmsTableIsImported) {
  const auto rows = import_prices(
      R"({"sample_spec": {"input_cost_per_token": 0, "output_cost_per_token": 0},
          "m": {"input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05,
                "cache_creation_input_token_cost": 3.75e-06,
                "cache_creation_input_token_cost_above_1hr": 6e-06,
                "cache_read_input_token_cost": 3e-07,
                "input_cost_per_token_above_200k_tokens": 6e-06,
                "output_cost_per_token_above_200k_tokens": 2.25e-05},
          "azure/m": {"input_cost_per_token": 1, "output_cost_per_token": 1},
          "dall-e": {"output_cost_per_image": 0.04}})",
      "litellm");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].input, 3);
  EXPECT_EQ((*rows)[0].cache_write_1h, 6);
  EXPECT_EQ((*rows)[1].above, 200'000);
  EXPECT_EQ((*rows)[1].output, 22.5);
}

TEST(Cost, TheTableOfModelsDevIsImported) {
  const auto rows = import_prices(
      R"({"reseller": {"models": {"anthropic/m": {"cost": {"input": 9, "output": 9}}}},
          "anthropic": {"models": {"m": {"cost": {"input": 3, "output": 15, "cache_read": 0.3,
            "cache_write": 3.75, "context_over_200k": {"input": 6, "output": 22.5}}}}}})",
      "models.dev");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].input, 3);
  EXPECT_EQ((*rows)[0].cache_write_5m, 3.75);
  EXPECT_EQ((*rows)[1].input, 6);
  EXPECT_FALSE(import_prices("{}", "x"));
  EXPECT_FALSE(import_prices("[1", "x"));
}

TEST(Cost, MessagesOfTheHarnessAreFree) {
  EXPECT_TRUE(is_free("<synthetic>"));
  EXPECT_FALSE(is_free("claude-opus-4-5"));
}

}  // namespace
}  // namespace weft::query
