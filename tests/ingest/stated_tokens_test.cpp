// Tokens that each format states become model requests with one meaning of every column: input
// without cached tokens, output with its reasoning. The expected counts are added up by hand from
// the files. Where a format states totals alone, the cost is unknown, and not zero.
#include <gtest/gtest.h>

#include "tables_for_test.hpp"

namespace weft {
namespace {

struct StatedTokens {
  const char* file;  // in tests/fixtures
  std::int64_t requests, input, output, cache_read, cache_write;
};

class Ingested {
 public:
  explicit Ingested(const std::string& file) {
    store_ = *store::open_store(dir_ / "weft.db", store::Create::yes);
    ingest::Options options{.paths = {std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/" + file}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(*store_, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
  }
  json::object cost() const {
    const query::PinnedLibrary library(*store_, &keyring_);
    const auto prices = query::PriceTable::parse(query::built_in_prices(), "prices.tsv");
    return query::cost(library, *prices, {}).value();
  }
  json::object tokens() const {
    const query::PinnedLibrary library(*store_, &keyring_);
    return query::stats(library, {})->at("tokens").as_object();
  }

 private:
  TempDir dir_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  std::unique_ptr<store::Store> store_;
};

class StatedRequests : public testing::TestWithParam<StatedTokens> {};

TEST_P(StatedRequests, HaveTheTokensOfTheFile) {
  const StatedTokens& stated = GetParam();
  const Ingested ingested(stated.file);
  const json::object total = ingested.cost().at("total").as_object();
  const auto count = [&](const char* name) { return total.at(name).to_number<std::int64_t>(); };
  EXPECT_EQ(count("requests"), stated.requests);
  EXPECT_EQ(count("input"), stated.input);
  EXPECT_EQ(count("output"), stated.output);
  EXPECT_EQ(count("cache_read"), stated.cache_read);
  EXPECT_EQ(count("cache_write_5m") + count("cache_write_1h"), stated.cache_write);
  EXPECT_EQ(count("unknown_sessions"), 0);
  // Statistics add up the same.
  const json::object tokens = ingested.tokens();
  EXPECT_EQ(tokens.at("input").to_number<std::int64_t>(), stated.input);
  EXPECT_EQ(tokens.at("output").to_number<std::int64_t>(), stated.output);
  EXPECT_EQ(tokens.at("cache_read").to_number<std::int64_t>(), stated.cache_read);
  EXPECT_EQ(tokens.at("cache_write").to_number<std::int64_t>(), stated.cache_write);
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, StatedRequests,
                         testing::Values(StatedTokens{"gemini/document.json", 2, 90, 22, 140, 0},
                                         StatedTokens{"gemini/log.jsonl", 2, 60, 9, 50, 0},
                                         StatedTokens{"qwen/session.jsonl", 2, 90, 14, 120, 0},
                                         StatedTokens{"pi/branches.jsonl", 2, 22, 23, 5, 1},
                                         StatedTokens{"kimi/wire.jsonl", 2, 130, 24, 105, 1},
                                         StatedTokens{"openai/response.json", 1, 32, 12, 8, 0}),
                         [](const auto& stated) {
                           std::string name = stated.param.file;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

class StatedTotals : public testing::TestWithParam<const char*> {};

TEST_P(StatedTotals, AreTokensOfUnknownCost) {
  const Ingested ingested(GetParam());
  const json::object cost = ingested.cost();
  EXPECT_TRUE(cost.at("total").at("cost").is_null());
  EXPECT_EQ(cost.at("total").at("unknown_sessions").to_number<std::int64_t>(), 1);
  EXPECT_FALSE(cost.at("notes").as_array().empty());
  EXPECT_GT(ingested.tokens().at("output").to_number<std::int64_t>(), 0);
}

INSTANTIATE_TEST_SUITE_P(FormatsWithoutRequests, StatedTotals,
                         testing::Values("copilot/resumed.jsonl", "cline/task.json"),
                         [](const auto& file) {
                           return std::string(file.param).substr(0, 5) + "_file";
                         });

}  // namespace
}  // namespace weft
