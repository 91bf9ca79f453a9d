// Lists and statistics: from the catalogue and the figures of conversations.
#include <gmock/gmock.h>

#include "forget_for_test.hpp"
#include "session_for_test.hpp"
#include "tables_for_test.hpp"

namespace weft {
namespace {

using test::Session;
using testing::ElementsAre;

constexpr const char* kOne = "11111111-1111-4111-8111-111111111111";
constexpr const char* kTwo = "22222222-2222-4222-8222-222222222222";
constexpr const char* kThree = "33333333-3333-4333-8333-333333333333";

// A home with sessions of Claude Code.
class Home {
 public:
  Home() { std::filesystem::create_directories(dir / "-looms"); }

  void ingest(const Session& session, const std::string& file = "") {
    const std::filesystem::path path =
        dir.path() / "-looms" / (file.empty() ? session.id() + ".jsonl" : file);
    std::filesystem::create_directories(path.parent_path());
    write_text(path, session.text());
    ingest::Options options{.paths = {path}, .format = "claude-code"};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    auto store = open();
    const auto report = ingest::ingest(*store, keyring, options);
    EXPECT_TRUE(report) << report.error().message;
  }
  std::unique_ptr<store::Store> open() const {
    auto store = store::open_store(dir / "weft.db", store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  json::object list(const query::ListOptions& options) const {
    const auto store = open();
    const query::PinnedLibrary library(*store, &keyring);
    auto answer = query::list(library, options);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(json::object());
  }
  std::vector<std::string> sessions(const query::ListOptions& options) const {
    std::vector<std::string> out;
    for (const json::value& row : list(options).at("conversations").as_array()) {
      out.emplace_back(row.at("session_id").as_string());
    }
    return out;
  }
  json::object stats(const std::string& session = "") const {
    const auto store = open();
    const query::PinnedLibrary library(*store, &keyring);
    std::optional<store::ConversationRow> one;
    if (!session.empty()) one = row_of(*store, session);
    auto answer = query::stats(library, one);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(json::object());
  }

  TempDir dir;
  crypto::Keyring keyring = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
};

Session talk(const char* id, std::string_view prompt, int rounds = 1) {
  Session session(id);
  for (int i = 0; i < rounds; ++i) {
    session.human(std::string(prompt));
    session.calls("t" + std::to_string(i), "Bash", "ls");
    session.prints("t" + std::to_string(i), "out");
    session.says("done");
  }
  return session;
}

TEST(UxB4, OverSeveralConversationsAForkedPlaceCountsOnce) {
  Home home;
  const Session origin = talk(kOne, "weave", 2);
  Session fork(kTwo);
  fork.copy(origin);
  fork.human("unpick");
  fork.says("done");
  home.ingest(origin);
  home.ingest(fork);
  EXPECT_EQ(home.stats(kOne).at("tool_calls"), 2);
  EXPECT_EQ(home.stats(kTwo).at("tool_calls"), 2);
  const json::object all = home.stats();
  EXPECT_EQ(all.at("tool_calls"), 2);
  EXPECT_EQ(all.at("by_tool").at("Bash"), 2);
  EXPECT_EQ(all.at("by_type").at("anthropic/human_input"), 3);
  EXPECT_EQ(all.at("turn_count"), home.stats(kTwo).at("turn_count"));
  EXPECT_EQ(all.at("tool_ms"), home.stats(kOne).at("tool_ms"));

  // The fork is the first that holds them now.
  {
    const auto store = home.open();
    ASSERT_TRUE(ingest::forget(*store, home.keyring, row_of(*store, kOne), 1'800'000'000'000));
  }
  EXPECT_EQ(home.stats().at("tool_calls"), 2);
  EXPECT_EQ(home.stats().at("by_type"), home.stats(kTwo).at("by_type"));
}

TEST(UxC5, ATimeThatNobodyMeasuredIsNull) {
  Home home;
  Session session(kOne);
  session.human("weave");
  session.says("done");
  home.ingest(session);
  const json::object stats = home.stats();
  for (const char* member : {"thinking_ms", "response_ms", "tool_ms", "waiting_ms"}) {
    EXPECT_TRUE(stats.at(member).is_null()) << member;
  }
}

TEST(UxC5, TimeInWhichAPersonWasAskedIsWaiting) {
  Home home;
  Session session(kOne);
  session.human("weave");
  session.calls("t1", "AskUserQuestion", "which colour?");
  session.prints("t1", "red");
  session.calls("t2", "Bash", "ls");
  session.prints("t2", "out");
  home.ingest(session);
  EXPECT_EQ(home.stats().at("waiting_ms"), 1000);
  EXPECT_EQ(home.stats().at("tool_ms"), 1000);
}

TEST(Catalogue, PagesByACursorWhileSessionsGrow) {
  Home home;
  Session first = talk(kOne, "weave a scarf", 3);
  home.ingest(talk(kThree, "a short talk", 1));
  home.ingest(talk(kTwo, "weave a shawl", 2));
  home.ingest(first);
  const json::object page = home.list({.limit = 1});
  EXPECT_EQ(page.at("total"), 3);
  EXPECT_THAT(home.sessions({.limit = 1}), ElementsAre(kOne));
  const std::string cursor(page.at("next_cursor").as_string());
  first.human("and a hat");
  home.ingest(first);
  const query::ListOptions rest{.cursor = cursor};
  EXPECT_THAT(home.sessions(rest), ElementsAre(kTwo, kThree));
  EXPECT_FALSE(home.list(rest).contains("next_cursor"));
  EXPECT_THAT(home.sessions({.title = "WEAVE"}), ElementsAre(kOne, kTwo));

  const auto store = home.open();
  const query::PinnedLibrary library(*store, &home.keyring);
  for (const char* bad : {"", "x", "17-", "-17", "17-abc"}) {
    const auto answer = query::list(library, {.cursor = bad});
    ASSERT_FALSE(answer) << bad;
    EXPECT_EQ(answer.error().code, ErrorCode::invalid_input);
  }
}

TEST(Catalogue, FoldsSubagentsUnderTheConversationThatSpawnedThem) {
  for (const bool is_child_first : {false, true}) {
    Home home;
    Session parent(kOne);
    parent.human("find the loom");
    parent.calls("task-1", "Task", "look in the attic");
    parent.prints("task-1", "it is there",
                  json::object{{"agentId", "a7"}, {"status", "completed"}});
    Session child(kOne);
    child.make_subagent("a7");
    child.human("look in the attic");
    child.says("it is there");
    const std::string file = std::string(kOne) + "/subagents/agent-a7.jsonl";
    if (is_child_first) home.ingest(child, file);
    home.ingest(parent);
    if (!is_child_first) home.ingest(child, file);
    EXPECT_EQ(home.list({}).at("total"), 2);
    const json::object folded = home.list({.fold = true});
    ASSERT_EQ(folded.at("total"), 1);
    const json::value& row = folded.at("conversations").at(0);
    EXPECT_EQ(row.at("source"), "primary");
    EXPECT_EQ(row.at("subagents"), 1);
    bool has_parent = false;
    const json::object unfolded = home.list({});
    for (const json::value& listed : unfolded.at("conversations").as_array()) {
      if (!listed.as_object().contains("parent")) continue;
      has_parent = true;
      EXPECT_EQ(listed.at("parent"), row.at("cid"));
    }
    EXPECT_TRUE(has_parent);
    expect_sound_tables(home.dir / "weft.db", &home.keyring);
  }
}

// Internal conversations, and activity, as one reader sees them.
std::string internal_answers(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = *store::open_store_to_read(path);
  const query::PinnedLibrary library(*store, keyring);
  return shown(query::list(library, {})) + shown(query::list(library, {.internal = true})) +
         shown(query::list(library, {.fold = true, .internal = true})) +
         shown(query::activity(library, {}));
}

TEST(Catalogue, AHelperAgentIsHiddenByItsRowAsByItsFacts) {
  Home home;
  home.ingest(talk(kOne, "weave"));
  Session helper(kOne, "helper");
  helper.make_subagent("acompact-1");
  helper.human("summarize");
  helper.says("done");
  home.ingest(helper, std::string(kOne) + "/subagents/agent-acompact-1.jsonl");
  EXPECT_THAT(home.sessions({}), ElementsAre(kOne));
  EXPECT_THAT(home.sessions({.internal = true}), ElementsAre(kOne, kOne));
  const std::string path = home.dir / "weft.db";
  const auto metadata =
      crypto::Keyring::parse(home.keyring.exported(crypto::Reach::metadata).value(), {}).value();
  for (const crypto::Keyring* reader :
       {&std::as_const(home.keyring), &metadata, static_cast<const crypto::Keyring*>(nullptr)}) {
    EXPECT_EQ(internal_answers(path, reader), slow_answers(path, reader, internal_answers));
  }
}

}  // namespace
}  // namespace weft
