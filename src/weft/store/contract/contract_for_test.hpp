// StoreContract: the fixture of the tests that every store must pass, one file an interface. They
// run on each of every_backend(); a new backend adds one line there.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "weft/postgres/postgres_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/postgres/postgres_store.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::store {

struct Backend {
  std::string name;
  // The same place always gives the same store.
  Result<std::unique_ptr<Store>> (*open)(const std::filesystem::path& directory);

  friend void PrintTo(const Backend& backend, std::ostream* out) { *out << backend.name; }
};

// A schema for each directory. The server of the tests is thrown away behind the last one.
inline Result<std::unique_ptr<Store>> open_on_postgres(const std::filesystem::path& directory) {
  const std::string schema = "t" + std::to_string(std::hash<std::string>{}(directory.string()));
  const auto url = postgres::Url::parse(
      "postgres://weft@/weft?host=" + postgres::test_server().directory() + "&schema=" + schema);
  if (!url) return fail(Error(url.error()));
  return sql::open_postgres_store(*url, Create::yes);
}

inline std::vector<Backend> every_backend() {
  std::vector<Backend> all = {
      {"Sqlite",
       [](const std::filesystem::path& directory) {
         return open_store("sqlite:" + (directory / "weft.db").string(), Create::yes);
       }},
  };
  if (postgres::is_built()) all.push_back({"Postgres", open_on_postgres});
  return all;
}

inline std::string backend_name(const testing::TestParamInfo<Backend>& info) {
  return info.param.name;
}

class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  // Whatever a test did to it, by the store's own means: everything derived follows.
  void TearDown() override {
    if (store_ == nullptr) return;
    const auto checks = store_->derived().checks(CheckDepth::full);
    ASSERT_TRUE(checks) << checks.error().message;
    for (const StoreCheck& check : *checks) {
      const auto found = store_->derived().run(check);
      ASSERT_TRUE(found) << found.error().message;
      for (const StoreFinding& finding : *found) {
        ADD_FAILURE() << finding.table << ": " << finding.what;
      }
    }
  }
  std::unique_ptr<Store> open() {
    Result<std::unique_ptr<Store>> store = GetParam().open(scratch_.path());
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  Committed commit(Talk& talk) { return commit(talk.batch()); }
  Committed commit(const Batch& batch) {
    Result<Committed> done = store_->writer().commit(batch);
    EXPECT_TRUE(done) << done.error().message;
    return done.value_or(Committed{});
  }
  thought::Thought get(const Cid& cid) {
    Result<thought::Thought> thought = store_->get(cid);
    EXPECT_TRUE(thought) << thought.error().message;
    return thought.value_or(thought::Thought{});
  }
  ConversationRow row(const Cid& conversation) {
    Result<ConversationRow> row = store_->conversation(conversation);
    EXPECT_TRUE(row) << row.error().message;
    return row.value_or(ConversationRow{});
  }
  std::vector<Cid> neighbours(const Cid& cid, std::string_view relation, Direction direction) {
    return store_->neighbours(cid, relation, direction).value();
  }
  // Checkpoint, path and root agree, as anyone would check them.
  void expect_tree_signed(const thought::Thought& thought) {
    const auto& tree = std::get<thought::TreeSignature>(thought.signature);
    const auto checkpoint = thought::to_checkpoint(get(tree.checkpoint));
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(thought::is_valid_path(thought.cid, tree.index, checkpoint->leaves, tree.path,
                                       checkpoint->root));
  }
  // The counts that rows show are those of what is held.
  void expect_counts_to_be_true(const Store& store, const Cid& conversation) {
    const std::vector<thought::Thought> all = all_of(store, conversation);
    std::unordered_set<Cid> held;
    std::uint64_t turns = 0, blocks = 0;
    for (const thought::Thought& thought : all) {
      if (thought.type == "checkpoint" || thought.type == "tombstone" ||
          thought.type == "test/conversation_facts") {
        continue;
      }
      if (thought::kind_of(thought.type) == "conversation" && thought.cid != conversation) continue;
      EXPECT_TRUE(held.insert(thought.cid).second) << "visited twice: " << thought.type;
      if (thought.type != "connection") continue;
      const thought::Connection edge = thought::to_connection(thought).value();
      if (edge.relation != "contains") continue;
      ++(edge.from == conversation ? turns : blocks);
    }
    const ConversationRow shown = store.conversation(conversation).value();
    EXPECT_EQ(shown.thought_count, held.size());
    EXPECT_EQ(shown.turn_count, turns);
    EXPECT_EQ(shown.block_count, blocks);
  }

  Scratch scratch_;
  std::unique_ptr<Store> store_ = open();
};

}  // namespace weft::store
