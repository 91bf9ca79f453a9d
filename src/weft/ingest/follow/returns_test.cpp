// A parent and its subagent are read line by line, in every order: what the subagent returned is as
// in one ingest of both files.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "weft/ingest/ingest.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSession = "11111111-1111-4111-8111-111111111111";

// A line of either file. `second` is its time.
std::string line(std::string_view type, std::string_view id, int second, std::string_view content,
                 std::string_view more = "") {
  const std::string role(type == "assistant" ? "assistant" : "user");
  const std::string message = type == "assistant"
                                  ? R"("id":"m-)" + std::string(id) + R"(","model":"claude-x",)"
                                  : std::string();
  return R"({"type":")" + std::string(type) + R"(","uuid":")" + std::string(id) +
         R"(","sessionId":")" + std::string(kSession) + R"(","timestamp":"2026-02-01T10:00:)" +
         (second < 10 ? "0" : "") + std::to_string(second) + R"(Z",)" + std::string(more) +
         R"("message":{)" + message + R"("role":")" + role + R"(","content":)" +
         std::string(content) + "}}\n";
}

using Lines = std::vector<std::string>;

const Lines kForeground = {
    line("user", "p1", 0, R"("find the loom")"),
    line("assistant", "p2", 1,
         R"([{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"look"}}])"),
    line("user", "p3", 9, R"([{"type":"tool_result","tool_use_id":"t1","content":"it is there"}])",
         R"("toolUseResult":{"agentId":"a7","status":"completed"},)"),
    line("assistant", "p4", 10, R"([{"type":"text","text":"in the attic"}])"),
};
const Lines kBackground = {
    kForeground[0],
    kForeground[1],
    line("user", "b1", 4, R"([{"type":"tool_result","tool_use_id":"t1","content":"started"}])",
         R"("toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"a7"},)"),
    line("assistant", "b2", 5, R"([{"type":"text","text":"it runs"}])"),
    line("user", "b3", 9,
         R"("<task-notification>\n<task-id>a7</task-id>\n<tool-use-id>t1</tool-use-id>\n)"
         R"(<status>completed</status>\n</task-notification>")"),
};

Lines child_lines() {
  const std::string_view of_agent = R"("isSidechain":true,"agentId":"a7",)";
  const auto says = [&](std::string_view id, int second) {
    return line("assistant", id, second, R"([{"type":"text","text":")" + std::string(id) + R"("}])",
                of_agent);
  };
  return {line("user", "c1", 2, R"("look")", of_agent), says("c2", 3), says("c3", 8), says("c4", 8),
          says("c5", 11)};
}

// Two files in a folder of Claude Code's, and a store.
class Home {
 public:
  explicit Home(const crypto::Keyring& keyring) : keyring_(keyring) {
    fs::create_directories(child().parent_path());
    auto store = store::open_store(scratch_.path() / "weft.db", store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }
  fs::path parent() const { return scratch_.path() / (std::string(kSession) + ".jsonl"); }
  fs::path child() const { return scratch_.path() / kSession / "subagents/agent-a7.jsonl"; }

  static void append(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
  }
  void take(const std::vector<fs::path>& paths) {
    Options options;
    for (const fs::path& path : paths) {
      if (fs::exists(path)) options.paths.push_back(path);
    }
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest(*store_, keyring_, options);
    ASSERT_TRUE(report) << report.error().message;
  }

  // The responses that return to the outcome, as woven: the last one counts.
  std::vector<Cid> returned(std::string_view kind) const {
    const auto rows = store_->conversations({});
    for (const store::ConversationRow& row : rows.value()) {
      if (row.source != "primary") continue;
      const std::vector<Cid> outcomes = store_->find_blocks(row.cid, kind, 100).value();
      if (outcomes.empty()) return {};
      return store_->neighbours_by(row.created_by, outcomes.back(), "returns", store::Direction::to)
          .value();
    }
    return {};
  }

 private:
  const crypto::Keyring& keyring_;
  store::Scratch scratch_;
  std::unique_ptr<store::Store> store_;
};

// Every order of `parents` lines of one file and `children` of another; true for a parent's.
std::vector<std::vector<bool>> orders(std::size_t parents, std::size_t children) {
  std::vector<bool> order(parents + children, false);
  std::fill_n(order.rbegin(), parents, true);
  std::vector<std::vector<bool>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  if (test_is_long()) return all;
  constexpr std::size_t kSample = 8;
  std::mt19937 random(test_seed());
  std::ranges::shuffle(all, random);
  all.resize(kSample);
  return all;
}

void expect_returns_in_every_order(const Lines& parent, std::string_view kind) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  const auto keyring = crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking).value();
  const Lines child = child_lines();
  std::vector<Cid> cold;
  for (const bool child_first : {false, true}) {
    Home home(keyring);
    for (const std::string& text : parent) Home::append(home.parent(), text);
    for (const std::string& text : child) Home::append(home.child(), text);
    home.take({child_first ? home.child() : home.parent()});
    home.take({home.parent(), home.child()});
    const std::vector<Cid> found = home.returned(kind);
    ASSERT_EQ(found.size(), 1u) << child_first;
    if (child_first) EXPECT_EQ(found, cold);
    cold = found;
  }
  for (const std::vector<bool>& order : orders(parent.size(), child.size())) {
    Home home(keyring);
    std::size_t parents = 0, children = 0;
    std::string shown;
    for (const bool is_parents : order) {
      shown += is_parents ? 'p' : 'c';
      if (is_parents) Home::append(home.parent(), parent[parents++]);
      else Home::append(home.child(), child[children++]);
      home.take({home.parent(), home.child()});
    }
    const std::vector<Cid> found = home.returned(kind);
    ASSERT_FALSE(found.empty()) << shown;
    EXPECT_EQ(found.back(), cold.back()) << shown;
  }
}

TEST(Returns, AreAsInAColdIngestInEveryOrderOfLines) {
  expect_returns_in_every_order(kForeground, "tool_result");
}

TEST(Returns, OfABackgroundAgentLeadToItsNotificationInEveryOrderOfLines) {
  expect_returns_in_every_order(kBackground, "system_input");
}

}  // namespace
}  // namespace weft::ingest
