// weft forget: what goes is gone from every file, what stays still verifies, and nothing of it
// comes back.
#include <gmock/gmock.h>

#include <algorithm>

#include "forget_for_test.hpp"
#include "import_for_test.hpp"
#include "program.hpp"
#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/weave/weaver.hpp"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// --- what goes ----------------------------------------------------------------------------

TEST(Forget, LeavesNoWordInAnyFileOfTheHome) {
  // A word that is in every kind of block, in every fact, and in a body that is compressed.
  const std::string word = "zyzzyva";
  std::string everything = read_text(std::string(WEFT_SOURCE_DIR) +
                                     "/tests/fixtures/anthropic_transcript/every-block.txt");
  for (const char* prefix :
       {"heron", "One of each", "Every kind", "/home/ada", "main", "Replaced", "notes.md", "kraak",
        "Page one", "Page two", "So far", "Another model", "print(2)", "Ardea", "field book"}) {
    for (auto at = everything.find(prefix); at != std::string::npos;
         at = everything.find(prefix, at)) {
      everything.insert(at, word);
      at += word.size() + std::string_view(prefix).size();
    }
  }
  everything = "Session: " + word + "-session\n" + everything;
  std::string long_answer = "\n==========\nHuman:\nContent:\n[{\"type\":\"text\",\"text\":\"";
  for (int i = 0; i < 200; ++i) long_answer += word + " again and again ";
  everything += long_answer + "\"}]\n";
  Web web(heading("stays") + round_of("stays", 1));
  write_text(web.dir / "gone.txt", everything);
  web.ingest(web.dir / "gone.txt");
  ASSERT_TRUE(files_say(web.dir.path(), word));
  expect_sound(web);

  const ingest::ForgetReport report = forget(web, word + "-session");
  EXPECT_EQ(report.archives, 1u);
  EXPECT_FALSE(files_say(web.dir.path(), word));
  expect_sound(web);
  const Tool tool(web.store_path());
  EXPECT_EQ(tool.rows("SELECT * FROM archive").size(), 1u) << "that of the other file";
  EXPECT_EQ(tool.rows("SELECT * FROM sources WHERE length(state) > 0 AND archived = 0").size(), 0u);
  EXPECT_EQ(tool.rows("SELECT * FROM wipes").size(), 0u);
  for (const char* table : {"places", "runs", "shares", "source_conversations", "waits"}) {
    EXPECT_EQ(tool.rows("SELECT DISTINCT conversation FROM " + std::string(table) +
                        " WHERE conversation NOT IN (SELECT id FROM conversations)")
                  .size(),
              0u)
        << table;
  }
  EXPECT_EQ(
      tool.rows("SELECT * FROM effects WHERE thought NOT IN (SELECT id FROM thoughts)").size(), 0u);
  EXPECT_EQ(tool.rows("SELECT 1 WHERE (SELECT sum(names) FROM name_runs) < "
                      "(SELECT count(*) FROM names)")
                .size(),
            0u);
}

TEST(Forget, TakesTheLastConversationToo) {
  Web web(heading("only") + round_of("only", 1));
  forget(web, "only");
  expect_sound(web);
  EXPECT_FALSE(files_say(web.dir.path(), "asked only"));
  // What is left: who signs, their checkpoints, the tombstone.
  const auto left = Tool(web.store_path())
                        .rows(
                            "SELECT DISTINCT text FROM thoughts JOIN words ON words.id = type "
                            "ORDER BY text");
  EXPECT_EQ(left,
            (std::vector<std::vector<std::string>>{{"checkpoint"}, {"identity"}, {"tombstone"}}));
  EXPECT_EQ(web.open()->conversations({})->size(), 0u);
}

TEST(Forget, OfAForksOriginLeavesTheForkWhole) {
  Forks forks;
  const Cid fork = row_of(*forks.web.open(), "fork").cid;
  const store::ConversationRow whole = *forks.web.open()->conversation(fork);
  const ingest::ForgetReport report = forget(forks.web, "origin");
  EXPECT_GT(report.shared_kept, 20u);
  expect_sound(forks.web);
  const auto store = forks.web.open();
  EXPECT_EQ(store->conversation(fork)->thought_count, whole.thought_count);
  EXPECT_EQ(store->neighbours(fork, "continues", store::Direction::from)->size(), 1u);
  EXPECT_FALSE(files_say(forks.web.dir.path(), "origin-only"));
  EXPECT_TRUE(files_say(forks.web.dir.path(), "asked shared-a"));
  const json::object alone = forks.web.verify(&forks.web.keyring, {.conversations = {fork}});
  EXPECT_EQ(alone.at("verdict"), "valid") << pretty_json(alone);
  // Every edge of it is signed through a checkpoint of its own.
  std::ignore = store->each_of(fork, [&](const thought::Thought& thought) {
    if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
      EXPECT_EQ(thought::to_checkpoint(*store->get(tree->checkpoint))->conversation, fork);
    }
    return true;
  });
  // And it continues: more of it is woven on the checkpoint that was added.
  write_text(forks.web.dir / "fork.txt", heading("fork") + Forks::common() +
                                             round_of("fork-only", 30) + round_of("fork-more", 31));
  EXPECT_GT(forks.web.ingest(forks.web.dir / "fork.txt").new_thoughts, 0u);
  expect_sound(forks.web);
}

TEST(Forget, OfAForkLeavesItsOriginWhole) {
  Forks forks;
  forget(forks.web, "fork");
  expect_sound(forks.web);
  EXPECT_FALSE(files_say(forks.web.dir.path(), "fork-only"));
  const auto store = forks.web.open();
  const Cid origin = row_of(*store, "origin").cid;
  EXPECT_THAT(*store->neighbours(origin, "continues", store::Direction::to), IsEmpty());
}

TEST(Forget, OfBothLeavesNothing) {
  Forks forks;
  forget(forks.web, "origin");
  forget(forks.web, "fork");
  expect_sound(forks.web);
  EXPECT_FALSE(files_say(forks.web.dir.path(), "shared-"));
}

// --- sessions and what they spawned ---------------------------------------------------------

// CommitUnit directly: a session with a call, and two that were spawned in it.
struct Session {
  Session() : web(heading("other") + round_of("other", 1)) {
    emit("primary", "prompted-main", 1'000);
    emit("subagent:one", "prompted-one", 2'000);
    emit("subagent:two", "prompted-two", 3'000);
  }
  void emit(const std::string& source, const std::string& words, Millis time) {
    const auto store = web.open();
    thought::Identities identities(web.keyring);
    weave::Weaver weaver(identities, store->known_web());
    weaver.heading({.format = "claude-code",
                    .family = "anthropic",
                    .program = "claude-code",
                    .provider = "anthropic",
                    .session_id = "session",
                    .source = source});
    if (source != "primary") {
      weaver.origin({.kind = transcript::Origin::Kind::spawned,
                     .session_id = "session",
                     .call_id = "call-" + source.substr(source.find(':') + 1)});
    }
    weaver.turn({.role = transcript::Role::assistant, .source_id = "t" + words});
    const auto block = [&](const std::string& id, transcript::Body body) {
      transcript::Block block;
      block.body = std::move(body);
      block.source_id = id;
      block.start = block.stop = time;
      weaver.block(std::move(block));
    };
    block("text", transcript::Text{.text = words});
    if (source == "primary") {
      for (const char* child : {"one", "two"}) {
        const std::string call = std::string("call-") + child;
        block(call, transcript::ToolCall{.id = call, .name = "Task", .input = json::object{}});
        weaver.spawned({.call_id = call});
      }
    }
    saw_forgotten = weaver.saw_forgotten();
    store::Batch batch;
    batch.units = weaver.take(5'000).value();
    for (weave::CommitUnit& unit : batch.units) sign(unit);
    const auto committed = store->writer().commit(batch);
    EXPECT_TRUE(committed) << committed.error().message;
  }
  std::size_t left() const { return web.open()->conversations({.session_id = "session"})->size(); }

  Web web;
  bool saw_forgotten = false;
};

TEST(Forget, TakesASessionsSubagentsAlong) {
  Session session;
  expect_sound(session.web);
  ASSERT_EQ(session.left(), 3u);
  const ingest::ForgetReport report = forget(session.web, "session");
  ASSERT_EQ(report.conversations.size(), 3u);
  EXPECT_EQ(report.conversations[0].row.source, "primary");
  EXPECT_EQ(session.left(), 0u);
  EXPECT_FALSE(files_say(session.web.dir.path(), "prompted-"));
  expect_sound(session.web);
  // Nor do those come in that it spawned and that were not there yet.
  for (const char* source : {"primary", "subagent:two", "subagent:three"}) {
    session.emit(source, "prompted-late", 4'000);
    EXPECT_TRUE(session.saw_forgotten) << source;
  }
  EXPECT_EQ(session.left(), 0u);
}

TEST(Forget, OfASubagentLeavesItsSession) {
  Session session;
  const Cid gone = row_of(*session.web.open(), "session", "subagent:one").cid;
  EXPECT_EQ(forget(session.web, "session", "subagent:one").conversations.size(), 1u);
  EXPECT_EQ(session.left(), 2u);
  EXPECT_FALSE(files_say(session.web.dir.path(), "prompted-one"));
  expect_sound(session.web);
  EXPECT_FALSE(session.web.open()->has(gone).value());
  session.emit("subagent:one", "prompted-one", 2'000);
  EXPECT_TRUE(session.saw_forgotten);
  session.emit("subagent:two", "prompted-two", 3'000);
  EXPECT_FALSE(session.saw_forgotten);
}

// --- who checks ---------------------------------------------------------------------------

TEST(Forget, KeepsHeadsThatWereWrittenDownBefore) {
  Forks forks;
  const auto head_now = [&] {
    Digest head{};
    EXPECT_TRUE(parse_hex(std::string_view(forks.web.verify().at("head").get_string()), head));
    return head;
  };
  const Digest before = head_now();
  forget(forks.web, "origin");
  const Digest after = head_now();
  EXPECT_NE(before, after) << "the tombstone is in the log";
  for (const Digest& head : {before, after}) {
    EXPECT_TRUE(holds(forks.web.verify(&forks.web.keyring, {.head = head})));
  }
  // A store from before the forget is a rollback, and shows as one.
  const Forks other;
  EXPECT_FALSE(holds(other.web.verify(nullptr, {.head = after})));
}

TEST(Forget, HidesNothingElse) {
  const auto found_after = [](const std::string& sql) {
    Forks forks;
    forget(forks.web, "origin");
    Tool(forks.web.store_path()).run(sql);
    return !holds(forks.web.verify()) && !holds(forks.web.verify(nullptr));
  };
  EXPECT_FALSE(found_after("SELECT 1"));
  for (const char* sql : {
           "DELETE FROM thoughts WHERE id = (SELECT max(thought) FROM effects)",
           "DELETE FROM connections WHERE id = (SELECT max(id) FROM connections)",
           "DELETE FROM connections WHERE relation = (SELECT id FROM words WHERE text = "
           "'continues')",
           "DELETE FROM thoughts WHERE type = (SELECT id FROM words WHERE text = 'tombstone')",
           "DELETE FROM tombstones",
           "UPDATE thoughts SET created_at = created_at + 1 WHERE type = (SELECT id FROM words "
           "WHERE text = 'tombstone')",
           "DELETE FROM thoughts WHERE id = (SELECT min(id) FROM checkpoints)",
           // The fork, whole, with every name: its checkpoints are still in the log.
           "DELETE FROM thoughts WHERE type <> (SELECT id FROM words WHERE text = 'checkpoint') "
           "AND "
           "type <> (SELECT id FROM words WHERE text = 'tombstone') AND "
           "type <> (SELECT id FROM words WHERE text = 'identity');"
           "DELETE FROM connections; UPDATE checkpoints SET leaves = NULL;"
           "DELETE FROM names WHERE id NOT IN (SELECT id FROM thoughts)",
       }) {
    EXPECT_TRUE(found_after(sql)) << sql;
  }
}

TEST(Forget, IsNotForgedByAStranger) {
  Forks forks;
  const crypto::Keyring eve = *crypto::Keyring::create("Eve", 1'000, crypto::SealMode::thinking);
  const thought::Identities identities(eve);
  const auto store = forks.web.open();
  const Cid fork = row_of(*store, "fork").cid, origin = row_of(*store, "origin").cid;
  // She removes a conversation's thought, and says that it was forgotten.
  thought::Thought tombstone;
  tombstone.type = thought::kTombstoneType;
  tombstone.content = to_content(
      thought::Tombstone{.conversations = {std::min(fork, origin), std::max(fork, origin)}});
  tombstone.created_by = identities.owner().cid;
  tombstone.cid = cid_of(tombstone);
  tombstone.signature = identities.owner_key().sign(crypto::bytes_of(tombstone.cid.digest()));
  ASSERT_TRUE(store->writer().import({identities.owner(), tombstone}, {}));
  EXPECT_TRUE(holds(forks.web.verify()));
  Tool(forks.web.store_path())
      .run("DELETE FROM thoughts WHERE id IN (SELECT id FROM conversations)");
  const json::object answer = forks.web.verify();
  EXPECT_EQ(answer.at("missing").get_array().size(), 2u) << pretty_json(answer);
}

std::string exported_of(const Web& web, const std::string& session) {
  std::string lines;
  const auto store = web.open();
  std::ignore = store->each_of(row_of(*store, session).cid, [&](const thought::Thought& thought) {
    lines += canonical_json(to_json(thought)) + "\n";
    return true;
  });
  return lines;
}

TEST(Forget, IsUnderstoodWhereWhatRemainsIsHandedOn) {
  Forks forks;
  forget(forks.web, "origin");
  const std::string exported = exported_of(forks.web, "fork");
  EXPECT_THAT(exported, HasSubstr(R"("type":"tombstone")"));
  // By somebody with a keyring of their own, to whom all of it is foreign.
  const Web other;
  {
    const auto store = other.open();
    const auto report = test::import_text(*store, &other.keyring, exported);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->refused.empty());
  }
  expect_sound(other);
  // Who forgets it in turn keeps the tombstone of the first.
  forget(other, "fork");
  expect_sound(other);
}

}  // namespace
}  // namespace weft
