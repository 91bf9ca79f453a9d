// Everything that a commit carries is covered by its checkpoint: whatever is removed or exchanged,
// in the store or in an export, shows.
#include <gmock/gmock.h>

#include <cctype>
#include <set>

#include "forget_for_test.hpp"
#include "import_for_test.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/ingest/import.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Kinds that no place, edge or checkpoint of version 1 counts.
struct Kind {
  std::string name, table, where;
};

std::string of_type(const std::string& type) {
  return "type = (SELECT id FROM words WHERE text = '" + type + "')";
}

const Kind kKinds[] = {
    {"facts", "thoughts", of_type("anthropic/conversation_facts")},
    {"citation", "thoughts", of_type("anthropic/citation")},
    {"web_resource", "thoughts", of_type("external/web_resource")},
    {"summary", "thoughts", of_type("anthropic/thinking_summary")},
    {"identity", "thoughts", of_type("identity")},
    {"schema", "thoughts", of_type("schema")},
    {"uses_input", "connections", "relation = (SELECT id FROM words WHERE text = 'uses_input')"},
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Two conversations, with another one of each kind.
struct TwoTalks : Web {
  TwoTalks() {
    std::string other(kTalk);
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>("Counting files", "Counting folders"),
          {"example.org/ls", "example.org/find"},
          {"Considering a listing", "Considering a search"},
          {"T14:", "T15:"}}) {
      other = replaced(other, from, to);
    }
    write_text(dir / "other.txt", other);
    ingest(dir / "other.txt");
    Tool(store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
    clean = read_text(store_path());
  }
  // The answers after a change of the clean store: of the whole, and of each conversation.
  std::vector<json::object> answers_after(const std::string& sql) const {
    write_text(store_path(), clean);
    const auto rows = open()->conversations({}).value();
    Tool(store_path()).run(sql);
    std::vector<json::object> answers = {verify(nullptr)};
    for (const store::ConversationRow& row : rows) {
      const auto store = open();
      Result<json::object> answer = query::verify(*store, nullptr, {.conversations = {row.cid}});
      // What cannot be read at all is an error, and no "valid".
      answers.push_back(
          answer ? *answer
                 : json::object{{"bad", {answer.error().message}}, {"missing", json::array()}});
    }
    return answers;
  }
  std::vector<std::vector<std::string>> rows_of(const Kind& kind) const {
    return Tool(store_path())
        .rows("SELECT id FROM " + kind.table + " WHERE " + kind.where + " ORDER BY id");
  }
  std::string clean;
};

class Security4Cover : public testing::TestWithParam<Kind> {};

// Whether a thought of an export is of a kind that is tried.
bool is_of_kind(const thought::Thought& thought, const Kind& tried) {
  const std::string_view kind = thought::kind_of(thought.type);
  if (tried.name == "facts") return kind == "conversation_facts";
  if (tried.name == "summary") return kind == "thinking_summary";
  if (tried.name == "uses_input") return find_string(thought.content, "relation") == "uses_input";
  return kind == tried.name;
}

TEST_P(Security4Cover, AThoughtThatWasRemovedIsNamed) {
  const TwoTalks web;
  ASSERT_TRUE(holds(web.verify()));
  for (const auto& row : web.rows_of(GetParam())) {
    write_text(web.store_path(), web.clean);
    const auto name =
        Tool(web.store_path()).rows("SELECT hex(cid) FROM names WHERE id = " + row[0]);
    const auto answers =
        web.answers_after("DELETE FROM " + GetParam().table + " WHERE id = " + row[0]);
    EXPECT_FALSE(holds(answers[0])) << row[0];
    std::string missing = canonical_json(answers[0].at("missing"));
    for (char& c : missing) c = static_cast<char>(std::toupper(c));
    EXPECT_THAT(missing, HasSubstr(name.at(0).at(0)));
    EXPECT_TRUE(!holds(answers[1]) || !holds(answers[2])) << row[0];
  }
}

// With its name nothing in the store speaks of it any more.
TEST_P(Security4Cover, AThoughtThatWasRemovedWithItsNameIsMissed) {
  const TwoTalks web;
  for (const auto& row : web.rows_of(GetParam())) {
    const auto answers =
        web.answers_after("DELETE FROM " + GetParam().table + " WHERE id = " + row[0] +
                          "; DELETE FROM names WHERE id = " + row[0] +
                          "; DELETE FROM effects WHERE thought = " + row[0]);
    EXPECT_FALSE(holds(answers[0])) << row[0];
    // Without the name of its creator nothing can be read: that is reported instead.
    if (GetParam().name != "identity") {
      EXPECT_THAT(pretty_json(answers[0]), testing::ContainsRegex("leaf [0-9]+ of its tree"));
    }
    EXPECT_TRUE(!holds(answers[1]) || !holds(answers[2])) << row[0];
  }
}

TEST_P(Security4Cover, TwoThoughtsThatChangedPlacesShow) {
  const TwoTalks web;
  const auto rows = web.rows_of(GetParam());
  ASSERT_GE(rows.size(), 2u);
  const std::string one = rows.front()[0], other = rows.back()[0];
  std::string sql;
  std::vector<std::string> tables = {"names"};
  if (GetParam().table == "thoughts") {
    tables.emplace_back("thoughts");
  } else {  // whose ids cannot be changed
    sql = "CREATE TEMP TABLE old AS SELECT * FROM connections;";
    for (const std::string column : {"from_id", "to_id", "created_by", "created_at", "signature"}) {
      for (const auto& [to, from] : {std::pair(one, other), {other, one}}) {
        sql += "UPDATE connections SET " + column + " = (SELECT " + column +
               " FROM old WHERE id = " + from + ") WHERE id = " + to + ";";
      }
    }
  }
  for (const std::string& table : tables) {
    for (const auto& [from, to] :
         {std::pair(one, std::string("999999")), {other, one}, {std::string("999999"), other}}) {
      sql += "UPDATE " + table + " SET id = " + to + " WHERE id = " + from + ";";
    }
  }
  const auto answers = web.answers_after(sql);
  EXPECT_FALSE(holds(answers[0]));
  EXPECT_TRUE(!holds(answers[1]) || !holds(answers[2]));
}

TEST_P(Security4Cover, AThoughtThatIsLeftOutOfAnExportIsMissed) {
  const TwoTalks web;
  const auto store = web.open();
  const Cid conversation = store->conversations({})->front().cid;
  std::vector<thought::Thought> all;
  ASSERT_TRUE(store->each_of(conversation, [&](thought::Thought thought) {
    all.push_back(std::move(thought));
    return true;
  }));
  std::size_t removed = 0;
  for (const thought::Thought& gone : all) {
    if (!is_of_kind(gone, GetParam())) continue;
    ++removed;
    std::string lines;
    for (const thought::Thought& thought : all) {
      if (thought.cid != gone.cid) lines += canonical_json(to_json(thought)) + "\n";
    }
    const Web other("");
    {
      const auto elsewhere = other.open();
      const auto report = test::import_text(*elsewhere, nullptr, lines);
      ASSERT_TRUE(report) << report.error().message;
      EXPECT_FALSE(report->refused.empty()) << "structure that does not hold as a whole";
      if (report->conversations.empty()) continue;  // without its owner all of it is refused
      if (!report->incomplete.empty()) {
        EXPECT_EQ(report->incomplete[0].cid, conversation);
        EXPECT_GE(report->incomplete[0].missing, 1u);
      }
      EXPECT_TRUE(elsewhere->conversations({})->empty());
    }
    const json::object answer = other.verify(nullptr);
    EXPECT_TRUE(holds(answer)) << gone.type << ": no import leaves a store that is bad";
  }
  EXPECT_GE(removed, 1u);
}

// Another one of its kind, with the cover of the first.
TEST_P(Security4Cover, AThoughtThatIsExchangedInAnExportIsRefused) {
  const TwoTalks web;
  const auto store = web.open();
  std::vector<thought::Thought> covered;
  for (const store::ConversationRow& row : store->conversations({}).value()) {
    ASSERT_TRUE(store->each_of(row.cid, [&](const thought::Thought& thought) {
      const bool is_new = std::ranges::none_of(
          covered, [&](const thought::Thought& other) { return other.cid == thought.cid; });
      if (is_new && is_of_kind(thought, GetParam()) && !thought.covered.empty()) {
        covered.push_back(thought);
      }
      return true;
    }));
  }
  ASSERT_GE(covered.size(), 2u);
  thought::Thought forged = covered.front();
  forged.covered = covered.back().covered;
  std::string lines;
  for (const store::ConversationRow& row : store->conversations({}).value()) {
    ASSERT_TRUE(store->each_of(row.cid, [&](const thought::Thought& thought) {
      lines += canonical_json(to_json(thought.cid == forged.cid ? forged : thought)) + "\n";
      return true;
    }));
  }
  const Web other("");
  const auto elsewhere = other.open();
  const auto report = test::import_text(*elsewhere, nullptr, lines);
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->refused.empty());
  // Either the cover is refused, or, where the thought stands in several trees and one of them
  // is left without it, that tree is.
  std::string reasons;
  for (const ingest::Refused& refused : report->refused) {
    reasons += refused.cid + ": " + refused.reason + "\n";
  }
  EXPECT_THAT(reasons, testing::AnyOf(testing::ContainsRegex(forged.cid.str() + ": [^\n]*cover"),
                                      HasSubstr("of which the file has")));
  EXPECT_LT(elsewhere->conversations({})->size(), store->conversations({})->size());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Security4Cover, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return kind.param.name; });

// --- where checkpoints come from --------------------------------------------------------

// The leaves of all checkpoints of a conversation, and that they are there.
std::set<Cid> covered_by(const store::Store& store, const Cid& conversation) {
  std::set<Cid> covered;
  std::ignore = store.each_of(conversation, [&](const thought::Thought& thought) {
    if (thought.type != thought::kCheckpointType) return true;
    const Result<thought::Checkpoint> checkpoint = to_checkpoint(thought);
    if (!checkpoint || checkpoint->conversation != conversation) return true;
    for (const Cid& leaf : store.audit().leaves(thought.cid).value()) covered.insert(leaf);
    return true;
  });
  return covered;
}

void expect_all_covered(const store::Store& store, const Cid& conversation) {
  const std::set<Cid> covered = covered_by(store, conversation);
  ASSERT_TRUE(store.each_of(conversation, [&](const thought::Thought& thought) {
    const std::string_view kind = thought::kind_of(thought.type);
    if (kind == "checkpoint" || kind == "tombstone") return true;
    if (kind == "conversation" && thought.cid != conversation) return true;
    EXPECT_TRUE(covered.contains(thought.cid)) << thought.type;
    const bool is_structure = may_be_tree_signed(thought);
    EXPECT_EQ(std::holds_alternative<thought::TreeSignature>(thought.signature), is_structure);
    if (!is_structure) EXPECT_FALSE(thought.covered.empty()) << thought.type;
    return true;
  }));
}

TEST(Cover, OfAForkIsItsOwn) {
  Forks forks;
  const auto store = forks.web.open();
  for (const char* session : {"origin", "fork"}) {
    expect_all_covered(*store, row_of(*store, session).cid);
  }
  expect_sound(forks.web);
}

TEST(Cover, OfAForkStaysWhenItsOriginIsForgotten) {
  for (const char* gone : {"origin", "fork"}) {
    Forks forks;
    forget(forks.web, gone);
    const std::string stays = std::string(gone) == "origin" ? "fork" : "origin";
    const auto store = forks.web.open();
    expect_all_covered(*store, row_of(*store, stays).cid);
    expect_sound(forks.web);
  }
}

TEST(Cover, GrowsWithAFileThatIsAppendedTo) {
  const std::string talk(kTalk);
  const std::size_t half = talk.find("Human:", talk.find("Human:") + 1);
  Web web(talk.substr(0, half));
  write_text(web.dir / "talk.txt", talk);
  web.ingest(web.dir / "talk.txt");
  const auto store = web.open();
  expect_all_covered(*store, store->conversations({})->front().cid);
  expect_sound(web);
}

TEST(Cover, IsHandedOnWhole) {
  Forks forks;
  const auto store = forks.web.open();
  for (const char* session : {"origin", "fork"}) {
    const Cid conversation = row_of(*store, session).cid;
    const auto exported = [&](const store::Store& from) {
      std::set<std::string> lines;
      EXPECT_TRUE(from.each_of(conversation, [&](const thought::Thought& thought) {
        lines.insert(canonical_json(to_json(thought)) + "\n");
        return true;
      }));
      return lines;
    };
    std::string lines;
    for (const std::string& line : exported(*store)) lines += line;
    const Web other("");
    const auto elsewhere = other.open();
    const auto report = test::import_text(*elsewhere, nullptr, lines);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->refused, IsEmpty());
    EXPECT_THAT(report->incomplete, IsEmpty());
    EXPECT_EQ(exported(*elsewhere), exported(*store)) << "a second export says the same";
    EXPECT_EQ(covered_by(*elsewhere, conversation), covered_by(*store, conversation));
    const json::object answer = other.verify(nullptr);
    EXPECT_TRUE(holds(answer)) << pretty_json(answer);
  }
}

TEST(Cover, OfANewerVersionIsNamedAsSuch) {
  const Web web;
  const auto store = web.open();
  std::string lines;
  thought::Thought newer;
  ASSERT_TRUE(
      store->each_of(store->conversations({})->front().cid, [&](const thought::Thought& thought) {
        lines += canonical_json(to_json(thought)) + "\n";
        if (thought.type == thought::kCheckpointType) newer = thought;
        return true;
      }));
  newer.content["previous"] = newer.cid.str();
  newer.content["version"] = 3;
  newer.content["more"] = "that this weft does not know";
  newer.cid = cid_of(newer);
  newer.signature = web.keyring.owner_signing_key().sign(crypto::bytes_of(newer.cid.digest()));
  const std::string reason = "made by a newer weft: version 3; this one knows 2";
  const Web other("");
  const auto elsewhere = other.open();
  const auto report =
      test::import_text(*elsewhere, nullptr, lines + canonical_json(to_json(newer)) + "\n");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->refused.size(), 1u);
  EXPECT_THAT(report->refused[0].reason, HasSubstr(reason));
  // In a store that a newer weft wrote.
  ASSERT_TRUE(store->writer().import({newer}, {}));
  EXPECT_THAT(pretty_json(web.verify(nullptr)), HasSubstr(reason));
}

}  // namespace
}  // namespace weft
