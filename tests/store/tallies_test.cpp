// Tables that are computed from thoughts equal a full recount, whatever was done to the store.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <random>
#include <thread>

#include "forget_for_test.hpp"
#include "tables_for_test.hpp"
#include "usage_for_test.hpp"
#include "weft/ingest/reweave.hpp"
#include "weft/store/import/outlines.hpp"

namespace weft {
namespace {

// Sessions of Claude Code in files, which grow, fork and are rewritten, and a store that follows.
class Changes {
 public:
  Changes(unsigned seed, crypto::SealMode mode)
      : keyring(*crypto::Keyring::create("Ada", 1'000, mode)), random_(seed) {
    std::filesystem::create_directories(dir / "talks");
  }

  std::string store_path() const { return dir / "weft.db"; }

  // Does one of the things that change a store, and names it.
  std::string change() {
    switch (below(12)) {
      case 0:
      case 1: return begin();
      case 2:
      case 3: return grow();
      case 4: return fork();
      case 5: return rewrite();
      case 6: return forget_one();
      case 7: return reweave();
      case 8: return branch();
      case 9: return grow_and_kill();
      case 10: return grow_by_lines();
      default: return import_one();
    }
  }

  TempDir dir;
  crypto::Keyring keyring;

 private:
  struct Record {
    std::string uuid, parent, type, content, details;
    int minute = 0;
  };
  struct Session {
    std::string id;
    std::vector<Record> records{};
  };

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  std::string new_name(const char* kind) { return kind + std::to_string(++names_); }

  static std::string text_of(const Session& session) {
    std::string out;
    for (const Record& record : session.records) {
      char time[40];
      std::snprintf(time, sizeof time, "2026-02-%02dT%02d:%02d:00.000Z", 1 + record.minute / 1440,
                    record.minute / 60 % 24, record.minute % 60);
      out += R"({"type":")" + record.type + R"(","uuid":")" + record.uuid + R"(","parentUuid":)" +
             (record.parent.empty() ? "null" : "\"" + record.parent + "\"") + R"(,"sessionId":")" +
             session.id + R"(","timestamp":")" + time + R"(","message":)" + record.content +
             record.details + "}\n";
    }
    return out;
  }

  void append(Session& session, std::string type, std::string content, std::string details = {}) {
    minute_ = (minute_ + 7) % (20 * 1440);
    session.records.push_back({.uuid = new_name("u"),
                               .parent = session.records.empty() ? "" : session.records.back().uuid,
                               .type = std::move(type),
                               .content = std::move(content),
                               .details = std::move(details),
                               .minute = minute_});
  }

  std::string message(const std::string& role, const std::string& id, const std::string& content) {
    static constexpr const char* kModels[] = {"claude-opus-4-5", "claude-sonnet-4-5", "claude-x"};
    return R"({"role":")" + role + R"(","id":")" + id + R"(","model":")" + kModels[below(3)] +
           R"(","content":)" + content + R"(,"usage":{"input_tokens":)" +
           std::to_string(below(300'000)) + R"(,"output_tokens":)" + std::to_string(1 + below(9)) +
           "}}";
  }

  // The name of a tool, and its arguments.
  std::pair<std::string, std::string> call_of_some_tool() {
    const std::string path = R"("file_path":"/home/ada/)" + std::string(below(2) == 0 ? "a/" : "") +
                             "f" + std::to_string(below(4)) + ".py\"";
    // Some need a page of their own.
    std::string text = "wrote " + new_name("w") + "\\n";
    for (std::size_t i = below(8) == 0 ? 300 : 1; i > 0; --i)
      text += "and " + new_name("w") + "\\n";
    switch (below(7)) {
      case 0: return {"Bash", R"({"command":"ls"})"};
      case 1: return {"Read", "{" + path + "}"};
      case 2: return {"AskUserQuestion", "{}"};
      case 3: return {"Bash", R"({"command":"cat > f1.py <<'EOF'\n)" + text + R"(EOF\n"})"};
      case 4: return {"Write", "{" + path + R"(,"content":")" + text + R"("})"};
      case 5:
        return {"apply_patch",
                R"({"input":"*** Begin Patch\n*** Update File: f0.py\n*** Move to: f3.py\n@@\n+)" +
                    text + R"(*** End Patch\n"})"};
      default: return {"Edit", "{" + path + R"(,"old_string":"x","new_string":")" + text + R"("})"};
    }
  }

  // A prompt, thinking, a call with its result, and an answer; or some of it.
  void add_round(Session& session) {
    append(session, "user", message("user", new_name("m"), "\"asked " + new_name("w") + "\""));
    if (below(4) == 0) return;
    append(session, "assistant",
           message("assistant", new_name("m"),
                   R"([{"type":"thinking","thinking":"hm )" + new_name("w") + R"("}])"));
    const std::string call = new_name("t");
    const auto [tool, arguments] = call_of_some_tool();
    append(session, "assistant",
           message("assistant", new_name("m"),
                   R"([{"type":"tool_use","id":")" + call + R"(","name":")" + tool +
                       R"(","input":)" + arguments + "}]"));
    if (below(4) == 0) return;
    const bool is_error = below(3) == 0;
    append(session, "user",
           message("user", new_name("m"),
                   R"([{"type":"tool_result","tool_use_id":")" + call + R"(","is_error":)" +
                       (is_error ? "true" : "false") + R"(,"content":")" +
                       (is_error && below(2) == 0 ? "The user doesn't want to proceed" : "out") +
                       R"("}])"),
           below(3) == 0 ? R"(,"toolUseResult":{"originalFile":"and w1\nx\n","userModified":true})"
                         : "");
    append(session, "assistant",
           message("assistant", new_name("m"),
                   R"([{"type":"text","text":"answered )" + new_name("w") + R"("}])"));
  }

  std::unique_ptr<store::Store> open() const {
    auto store = store::open_store(store_path(), store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  ingest::Options options() const {
    ingest::Options options{.paths = {dir / "talks"}, .format = "claude-code"};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    return options;
  }
  void write(const Session& session) {
    write_text(dir.path() / "talks" / (session.id + ".jsonl"), text_of(session));
    const auto store = open();
    const auto report = ingest::ingest(*store, keyring, options());
    EXPECT_TRUE(report) << report.error().message;
  }

  std::string begin() {
    Session& session = sessions_.emplace_back(Session{.id = new_name("s")});
    // Some outlines are longer than a page.
    const std::size_t rounds = below(8) == 0 ? 36 : 1 + below(3);
    for (std::size_t i = 0; i < rounds; ++i) add_round(session);
    write(session);
    return "begin " + session.id;
  }
  std::string grow() {
    if (sessions_.empty()) return begin();
    Session& session = sessions_[below(sessions_.size())];
    add_round(session);
    write(session);
    return "grow " + session.id;
  }
  // A commit for each line: a call and its result come apart.
  std::string grow_by_lines() {
    if (sessions_.empty()) return begin();
    Session& session = sessions_[below(sessions_.size())];
    Session longer = session;
    add_round(longer);
    for (std::size_t i = session.records.size(); i < longer.records.size(); ++i) {
      session.records.push_back(longer.records[i]);
      write(session);
    }
    return "grow " + session.id + " by lines";
  }
  // The process that ingests a longer session is killed: some of it is stored, or all, or nothing.
  std::string grow_and_kill() {
    if (sessions_.empty()) return begin();
    Session& session = sessions_[below(sessions_.size())];
    for (int i = 0; i < 10; ++i) add_round(session);
    write_text(dir.path() / "talks" / (session.id + ".jsonl"), text_of(session));
    const pid_t child = in_child([&] {
      ingest::Options small = options();
      small.commit_bytes = 1u << 10;
      return ingest::ingest(*open(), keyring, small).has_value();
    });
    const auto moment = std::chrono::microseconds(below(30'000));
    std::this_thread::sleep_for(moment);
    ::kill(child, SIGKILL);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    return "grow " + session.id + " and kill after " + std::to_string(moment.count()) + " us";
  }
  // A prompt is asked again: its branch begins at an earlier record.
  std::string branch() {
    if (sessions_.empty()) return begin();
    Session& session = sessions_[below(sessions_.size())];
    const std::size_t from = below(session.records.size()), next = session.records.size();
    add_round(session);
    session.records[next].parent = session.records[from].uuid;
    write(session);
    return "branch " + session.id + " at " + session.records[from].uuid;
  }
  std::string fork() {
    if (sessions_.empty()) return begin();
    Session copy = sessions_[below(sessions_.size())];
    const std::string from = copy.id;
    copy.id = new_name("s");
    copy.records.resize(1 + below(copy.records.size()));
    if (below(2) == 0) add_round(copy);
    write(sessions_.emplace_back(std::move(copy)));
    return "fork " + from + " as " + sessions_.back().id;
  }
  // A record says something else: its blocks supersede those that it had.
  std::string rewrite() {
    if (sessions_.empty()) return begin();
    Session& session = sessions_[below(sessions_.size())];
    Record& record = session.records[below(session.records.size())];
    for (const std::string_view word : {"asked ", "hm ", "answered ", "out", "wrote "}) {
      const auto at = record.content.find(word);
      if (at != std::string::npos) record.content.insert(at, new_name("rewritten"));
    }
    // A stream states its tokens again when there are more.
    constexpr std::string_view kTokens = R"("output_tokens":)";
    record.content.insert(record.content.find(kTokens) + kTokens.size(), "1");
    write(session);
    return "rewrite " + record.uuid + " of " + session.id;
  }
  std::string forget_one() {
    const auto store = open();
    const auto rows = store->conversations({});
    if (rows->empty()) return begin();
    const store::ConversationRow row = (*rows)[below(rows->size())];
    const auto report = ingest::forget(*store, keyring, row, 1'800'000'000'000);
    EXPECT_TRUE(report) << report.error().message;
    std::erase_if(sessions_, [&](const Session& session) {
      if (session.id != row.session_id) return false;
      std::filesystem::remove(dir.path() / "talks" / (session.id + ".jsonl"));
      return true;
    });
    return "forget " + row.session_id;
  }
  std::string reweave() {
    const auto store = open();
    const auto report = ingest::reweave(*store, keyring, options(), ingest::Which::all);
    EXPECT_TRUE(report) << report.error().message;
    return "reweave";
  }
  // A session that was ingested elsewhere, as a fork of one that is here.
  std::string import_one() {
    if (sessions_.empty()) return begin();
    Session copy = sessions_[below(sessions_.size())];
    const std::string from = copy.id;
    copy.id = new_name("s");
    add_round(copy);
    const TempDir elsewhere;
    write_text(elsewhere / "copy.jsonl", text_of(copy));
    const auto other = store::open_store(elsewhere / "weft.db", store::Create::yes);
    ingest::Options only = options();
    only.paths = {elsewhere / "copy.jsonl"};
    EXPECT_TRUE(ingest::ingest(**other, keyring, only));
    std::vector<thought::Thought> thoughts;
    for (const store::ConversationRow& row : *(*other)->conversations({})) {
      EXPECT_TRUE((*other)->each_of(row.cid, [&](thought::Thought thought) {
        thoughts.push_back(std::move(thought));
        return true;
      }));
    }
    const auto imported = open()->writer().import(thoughts, {.keyring = &keyring});
    EXPECT_TRUE(imported) << imported.error().message;
    return "import " + copy.id + ", a fork of " + from;
  }

  std::mt19937 random_;
  std::vector<Session> sessions_;
  int names_ = 0, minute_ = 0;
};

// Lists, statistics and activity, as one reader sees them.
template <bool kWithNotes>
std::string figure_answers(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = store::open_store_to_read(path);
  EXPECT_TRUE(store) << store.error().message;
  if (!store) return {};
  const query::PinnedLibrary library(**store, keyring);
  std::string all = shown(query::list(library, {.internal = true}));
  const auto add = [&](const std::optional<store::ConversationRow>& of) {
    for (Result<json::object> answer :
         {query::stats(library, of), query::activity(library, {.conversation = of})}) {
      if (answer && !kWithNotes) answer->erase("notes");
      all += shown(std::move(answer));
    }
  };
  add({});
  const auto rows = (*store)->conversations({});
  for (const store::ConversationRow& row : *rows) add(row);
  return all;
}

// Cost and tokens are those of the usage thoughts.
void expect_used_tokens(const std::string& path, const crypto::Keyring& keyring) {
  const auto store = store::open_store_to_read(path);
  ASSERT_TRUE(store) << store.error().message;
  const query::PinnedLibrary library(**store, &keyring);
  const UsedTokens used = used_tokens(library);
  const auto prices = query::PriceTable::parse(query::built_in_prices(), "prices.tsv");
  const json::object total = query::cost(library, *prices, {})->at("total").as_object();
  EXPECT_EQ(total.at("requests").to_number<std::uint64_t>(), used.requests);
  EXPECT_EQ(total.at("input").to_number<std::int64_t>(), used.tokens.input);
  EXPECT_EQ(total.at("output").to_number<std::int64_t>(), used.tokens.output);
  const json::object tokens = query::stats(library, {})->at("tokens").as_object();
  EXPECT_EQ(tokens.at("input").to_number<std::int64_t>(), used.tokens.input);
  EXPECT_EQ(tokens.at("output").to_number<std::int64_t>(), used.tokens.output);
}

class Tallies : public testing::TestWithParam<crypto::SealMode> {};

TEST_P(Tallies, EqualAFullRecountWhateverWasDone) {
  const unsigned seed = test_seed();
  Changes changes(seed, GetParam());
  const auto metadata =
      crypto::Keyring::parse(changes.keyring.exported(crypto::Reach::metadata).value(), {}).value();
  const auto other = *crypto::Keyring::create("Eve", 1'000, GetParam());
  std::string history = "seed " + std::to_string(seed);
  const int steps = test_is_long() ? 300 : 15;
  for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
    history += "; " + changes.change();
    SCOPED_TRACE(history);
    expect_sound_tables(changes.store_path(), &changes.keyring);
    expect_used_tokens(changes.store_path(), changes.keyring);
    if (i % 3 != 0 && i + 1 < steps) continue;
    EXPECT_EQ(table_answers(changes.store_path(), &changes.keyring),
              slow_answers(changes.store_path(), &changes.keyring));
    EXPECT_EQ(table_answers(changes.store_path(), nullptr),
              slow_answers(changes.store_path(), nullptr));
    // A page is written with all keys, and read with others.
    for (const crypto::Keyring* reader : {&metadata, &other}) {
      EXPECT_EQ(outline_answers(changes.store_path(), reader),
                slow_answers(changes.store_path(), reader, outline_answers));
      EXPECT_EQ(edit_answers(changes.store_path(), reader),
                slow_answers(changes.store_path(), reader, edit_answers));
    }
    EXPECT_EQ(figure_answers<true>(changes.store_path(), &other),
              slow_answers(changes.store_path(), &other, figure_answers<true>));
    // Only the writer of a row knows whether the content that this reader does not open says more.
    EXPECT_EQ(figure_answers<false>(changes.store_path(), &metadata),
              slow_answers(changes.store_path(), &metadata, figure_answers<false>));
  }
}

INSTANTIATE_TEST_SUITE_P(EverySeal, Tallies,
                         testing::Values(crypto::SealMode::thinking, crypto::SealMode::all),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

}  // namespace
}  // namespace weft
