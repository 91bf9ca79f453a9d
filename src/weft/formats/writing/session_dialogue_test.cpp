// Sessions for other agents: what each holds, and that its own reader reads it back.
#include "weft/formats/writing/session_dialogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/formats/adapter.hpp"
#include "weft/formats/agent.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

using testing::Contains;
using testing::HasSubstr;
using transcript::Author;
using transcript::Block;
using transcript::Conversation;
using transcript::Role;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;

Conversation sample(std::string family) {
  Conversation conversation;
  conversation.heading = {.format = "x", .family = std::move(family), .session_id = "s"};
  conversation.turns = {
      {.head = {.role = Role::system},
       .blocks = {{.author = Author::program, .body = Text{"Be terse.", {}}}}},
      {.head = {.role = Role::human},
       .blocks = {{.author = Author::human, .body = Text{"look at the loom", {}}}}},
      {.head = {.role = Role::assistant},
       .blocks = {
           {.body = Thinking{.text = "hm", .signature = "c2ln"}},
           {.body = Thinking{.text = "unsigned"}},
           {.body = Text{"I look.", {}}},
           {.body = ToolCall{.id = "call.1", .name = "a tool", .input = json::object{{"x", 1}}}},
           {.body = ToolCall{.id = "call.1", .name = "Bash", .input = "ls"}},
           {.author = Author::tool, .body = ToolResult{.call_id = "call.1", .text = "wood"}},
           {.author = Author::program, .body = Text{"mind the gap", {}}},
           {.body = Text{"It is wood.", {}}},
           {.body = Thinking{.text = "the end", .signature = "ZW5k"}}}}};
  return conversation;
}

NewSession new_session() {
  return {.id = new_uuid(1'770'000'000'000, {1, 2, 3}),
          .cwd = "/home/ada/looms",
          .now = 1'770'000'000'000,
          .environment = [](std::string_view name) {
            return name == "HOME" ? std::optional<std::string>("/home/ada") : std::nullopt;
          }};
}

class EveryAgent : public testing::TestWithParam<const Agent*> {
 protected:
  static NativeSession write(const Conversation& conversation) {
    const auto written = GetParam()->write(conversation, new_session());
    EXPECT_TRUE(written) << written.error().message;
    return written.value_or(NativeSession());
  }
  // "human look at the loom", "call …": what its own reader makes of a session.
  static std::vector<std::string> read(const NativeSession& session) {
    transcript::Collector collector;
    read_all(*find_adapter(GetParam()->format),
             {.name = std::string(last_component(session.path)),
              .directory = std::string(parent_folder(session.path))},
             session.text, collector);
    EXPECT_TRUE(collector.skipped.empty() || collector.skipped.size() < 5);
    std::vector<std::string> blocks;
    for (const Conversation& conversation : collector.conversations) {
      for (const transcript::Turn& turn : conversation.turns) {
        for (const Block& block : turn.blocks) {
          if (const auto* call = std::get_if<ToolCall>(&block.body)) {
            blocks.push_back("call " + call->name);
          } else if (const auto* result = std::get_if<ToolResult>(&block.body)) {
            blocks.push_back("result " + result->text);
          } else if (is<Thinking>(block)) {
            blocks.push_back("thinking");
          } else {
            const bool is_human = block.author == Author::human;
            blocks.push_back((is_human                        ? "human "
                              : block.author == Author::model ? "model "
                                                              : "") +
                             std::string(words_in(block)));
          }
        }
      }
    }
    return blocks;
  }
};

TEST_P(EveryAgent, ReadsBackWhatWasWritten) {
  const NativeSession session = write(sample("x"));
  const std::vector<std::string> blocks = read(session);
  for (const char* block :
       {"human look at the loom", "model I look.", "call a_tool", "call Bash", "result wood",
        "model It is wood.", "result No result of this call was recorded."}) {
    EXPECT_THAT(blocks, Contains(std::string(block)).Times(1)) << session.text;
  }
  EXPECT_THAT(session.text, testing::Not(HasSubstr("Be terse.")));
  EXPECT_THAT(session.text, HasSubstr("mind the gap"));
}

TEST_P(EveryAgent, TakesOnlyTheThinkingThatItsProviderSigned) {
  EXPECT_THAT(write(sample("x")).text, testing::Not(HasSubstr("c2ln")));
  const NativeSession own = write(sample(std::string(GetParam()->family)));
  EXPECT_THAT(own.text, HasSubstr("c2ln"));
  EXPECT_THAT(own.text, testing::Not(HasSubstr("unsigned"))) << "nobody signed it";
  EXPECT_THAT(own.text, testing::Not(HasSubstr("ZW5k"))) << "nothing follows it";
  EXPECT_THAT(own.notes, Contains("1 × unsigned thinking, left out"));
}

TEST_P(EveryAgent, WritesIntoItsOwnFolder) {
  const NativeSession session = write(sample("x"));
  EXPECT_THAT(session.path, testing::StartsWith("/home/ada/."));
  EXPECT_THAT(session.path, HasSubstr(new_session().id));
  EXPECT_EQ(session.command.front(), GetParam()->name);
  NewSession homeless = new_session();
  homeless.environment = [](std::string_view) { return std::optional<std::string>(); };
  EXPECT_EQ(GetParam()->write(sample("x"), homeless).error().code, ErrorCode::not_found);
}

TEST_P(EveryAgent, RefusesWhatHasNothingToSend) {
  Conversation conversation = sample("x");
  conversation.turns.resize(1);
  EXPECT_EQ(GetParam()->write(conversation, new_session()).error().code, ErrorCode::invalid_input);
}

TEST_P(EveryAgent, BeginsWithAPerson) {
  Conversation conversation = sample("x");
  conversation.turns.erase(conversation.turns.begin() + 1);
  EXPECT_THAT(write(conversation).text, HasSubstr("I look."));
}

INSTANTIATE_TEST_SUITE_P(Agents, EveryAgent,
                         testing::ValuesIn(all_agents().begin(), all_agents().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Uuids, HaveTheirVersionAndOrder) {
  const std::string early = new_uuid(1'000, {}), late = new_uuid(2'000, {});
  EXPECT_TRUE(is_uuid(early)) << early;
  EXPECT_LT(early, late);
  EXPECT_EQ(early[14], '7');
  EXPECT_EQ(numbered_uuid("s", 1), numbered_uuid("s", 1));
  EXPECT_NE(numbered_uuid("s", 1), numbered_uuid("s", 2));
  EXPECT_EQ(numbered_uuid("s", 1)[14], '8');
}

}  // namespace
}  // namespace weft::formats
