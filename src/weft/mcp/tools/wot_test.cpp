// The tools that read the web of thought.
#include "weft/mcp/answers/garden_for_test.hpp"
#include "weft/query/verify/verify.hpp"

namespace weft::mcp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string text(const json::object& object, std::string_view member) {
  return std::string(find_string(object, member).value_or("(none)"));
}
std::vector<std::string> kinds_in(const json::object& answer) {
  std::vector<std::string> kinds;
  for (const json::value& thought : answer.at("thoughts").as_array()) {
    kinds.emplace_back(query::kind_of(thought.as_object()));
  }
  return kinds;
}

class WotTools : public testing::Test {
 protected:
  Garden garden_;
  const std::string heron_ = garden_.cid_of(kHeron);
  const std::string answer_ = garden_.cid_of(kHeron, "response");
};

TEST_F(WotTools, ListTellsConversationsAsTheCommandDoes) {
  const ToolAnswer all = garden_.call("wot_conversation_list", "{}");
  EXPECT_EQ(all.structured, *query::list(garden_.library(), {}));
  EXPECT_EQ(all.structured.at("total"), 4);
  EXPECT_THAT(all.text, StartsWith("Conversations, most recently changed first: all 4.\n"));
  EXPECT_THAT(all.text, HasSubstr("\"The heron on the weir\" (anthropic-transcript)\n"));
  EXPECT_THAT(all.text, HasSubstr("subagent:a7d3"));
  EXPECT_THAT(all.text, HasSubstr("conversation_cid " + query::brief(heron_)));
}

TEST_F(WotTools, ListNarrowsAndPages) {
  const ToolAnswer herons =
      garden_.call("wot_conversation_list", R"({"format": "anthropic-transcript"})");
  EXPECT_EQ(herons.structured.at("total"), 1);
  EXPECT_THAT(herons.text,
              StartsWith("Conversations, most recently changed first: the only one.\n"));
  EXPECT_EQ(
      garden_.call("wot_conversation_list", R"({"project": "nowhere"})").structured.at("total"), 0);
  EXPECT_EQ(
      garden_.call("wot_conversation_list", R"({"since": "2026-02-02"})").structured.at("total"),
      3);
  const ToolAnswer page = garden_.call("wot_conversation_list", R"({"limit": 1, "offset": 1})");
  EXPECT_EQ(page.structured.at("conversations").as_array().size(), 1u);
  EXPECT_THAT(page.text, HasSubstr("2 to 2 of 4"));
  EXPECT_THAT(page.text, HasSubstr(R"(More: wot_conversation_list {"limit":1,)"));
  EXPECT_THAT(page.text, HasSubstr(R"("offset":2)"));
  const ToolAnswer bad = garden_.call("wot_conversation_list", R"({"since": "someday"})");
  EXPECT_TRUE(bad.is_error);
  EXPECT_THAT(bad.text, StartsWith("since: 'someday' is not a time: expected 2026-10-01, "));
  EXPECT_FALSE(garden_.call("wot_conversation_list", R"({"since": "2w"})").is_error);
  const ToolAnswer none = garden_.call("wot_conversation_list", R"({"project": "nowhere"})");
  EXPECT_THAT(none.text, HasSubstr("project nowhere: no conversation has it"));
  EXPECT_TRUE(garden_.call("wot_conversation_list", R"({"limit": 0})").is_error);
}

TEST_F(WotTools, GetTellsAThoughtWhole) {
  const ToolAnswer got = garden_.call("wot_thought_get", with("cid", query::brief(answer_)));
  EXPECT_EQ(text(got.structured, "cid"), answer_);
  EXPECT_EQ(text(got.structured, "type"), "anthropic/response");
  EXPECT_THAT(got.text, HasSubstr("response " + query::brief(answer_) +
                                  " by claude-opus-4-5, 2026-02-01T14:42:14.720Z, because of "));
  // Words of others are indented below a label.
  EXPECT_THAT(got.text,
              HasSubstr("\ntext:\n  To keep the other one warm; and it costs less than standing on "
                        "two.\n"));
  EXPECT_THAT(got.text, HasSubstr(answer_));
  EXPECT_THAT(got.text, HasSubstr("wot_walk_because {\"cid\":\"" + query::brief(answer_) + "\"}"));
}

TEST_F(WotTools, WhatIsNotThereIsRefusedWithWhatToCallInstead) {
  const ToolAnswer none = garden_.call("wot_thought_get", R"({"cid": "00000000aaaa"})");
  EXPECT_TRUE(none.is_error);
  EXPECT_THAT(none.text, StartsWith("cid '00000000aaaa': no thought begins with 00000000aaaa\n"));
  EXPECT_THAT(none.text, HasSubstr("wot_thought_search"));
  EXPECT_THAT(garden_.call("wot_walk_because", R"({"cid": "no cid"})").text,
              HasSubstr("not a CID"));
  const ToolAnswer walk = garden_.call("wot_walk_sequence", R"({"conversation_cid": "nobody"})");
  EXPECT_TRUE(walk.is_error);
  EXPECT_THAT(walk.text, HasSubstr("wot_conversation_list"));
  EXPECT_TRUE(garden_.call("wot_walk_sequence", with("conversation_cid", answer_)).is_error);
  EXPECT_TRUE(garden_.call("wot_connections", R"({"cid": "00000000"})").is_error);
  EXPECT_TRUE(garden_.call("wot_conversation_stats", R"({"cid": "nobody"})").is_error);
  EXPECT_TRUE(garden_.call("wot_verify", R"({"cid": "nobody"})").is_error);
  EXPECT_TRUE(garden_.call("wot_thought_get", "{}").is_error);
}

TEST_F(WotTools, SearchTellsSnippetsAndOnDemandThoughts) {
  const ToolAnswer found = garden_.call("wot_thought_search", R"({"query": "heron leg"})");
  EXPECT_EQ(found.structured, *query::search(garden_.library(), {.query = "heron leg"}));
  EXPECT_THAT(found.text, StartsWith("1 thought found, best first: the only one.\n"));
  EXPECT_THAT(found.text, HasSubstr("\nsnippet:\n  Why does a **heron** stand on one **leg**?\n"));
  EXPECT_THAT(found.text, HasSubstr("in \"The heron on the weir\""));
  const ToolAnswer detailed = garden_.call(
      "wot_thought_search", R"({"query": "heron leg", "response_format": "detailed"})");
  const json::object& result = detailed.structured.at("results").as_array().at(0).as_object();
  EXPECT_EQ(text(result.at("thought").as_object(), "type"), "anthropic/human_input");
  EXPECT_THAT(detailed.text, HasSubstr("\ntext:\n  Why does a heron stand on one leg?\n"));
}

TEST_F(WotTools, SearchNarrowsByEveryArgument) {
  const auto total = [&](std::string_view arguments) {
    return garden_.call("wot_thought_search", arguments).structured.at("total").to_number<int>();
  };
  EXPECT_EQ(total(R"({"query": "tulips"})"), 5);
  EXPECT_EQ(total(R"({"query": "tulips", "type_filter": "human_input"})"), 1);
  EXPECT_EQ(total(R"({"query": "tulips", "type_filter": "anthropic/tool_result"})"), 1);
  EXPECT_EQ(total(R"({"query": "tulips", "role": "human"})"), 1);
  EXPECT_EQ(total(R"({"query": "tulips", "project": "nowhere"})"), 0);
  EXPECT_EQ(total(R"({"query": "tulips", "until": "2026-02-28"})"), 0);
  EXPECT_EQ(total(R"({"query": "tulips", "since": "2026-03-01"})"), 5);
  EXPECT_EQ(total(with("query", "tulips", "\"conversation_cid\": \"" + std::string(kHeron) + "\"")),
            0);
  const ToolAnswer page = garden_.call("wot_thought_search", R"({"query": "tulips", "limit": 2})");
  EXPECT_EQ(page.structured.at("results").as_array().size(), 2u);
  const std::string cursor = text(page.structured, "next_cursor");
  EXPECT_THAT(page.text, HasSubstr("\"cursor\":\"" + cursor + "\""));
  const ToolAnswer next = garden_.call(
      "wot_thought_search", R"({"query": "tulips", "limit": 9, "cursor": ")" + cursor + "\"}");
  EXPECT_EQ(next.structured.at("results").as_array().size(), 3u);
  EXPECT_FALSE(next.structured.contains("next_cursor"));
  EXPECT_TRUE(garden_.call("wot_thought_search", R"({"query": "x", "cursor": "y"})").is_error);
  const ToolAnswer grouped =
      garden_.call("wot_thought_search", R"({"query": "tulips", "group": "session"})");
  std::uint64_t hits = 0;
  for (const json::value& hit : grouped.structured.at("results").as_array()) {
    hits += 1 + hit.at("more").to_number<std::uint64_t>();
  }
  EXPECT_EQ(hits, 5u);
  EXPECT_THAT(grouped.text, HasSubstr(" more there"));
  const ToolAnswer mistyped =
      garden_.call("wot_thought_search", R"({"query": "tulips", "type_filter": "respons"})");
  EXPECT_TRUE(mistyped.is_error);
  EXPECT_THAT(mistyped.text, HasSubstr("did you mean response?"));
  EXPECT_THAT(garden_.call("wot_thought_search", R"({"query": "tulips type:respons"})").text,
              HasSubstr("type:respons: no such type; did you mean response?"));
  const ToolAnswer none = garden_.call("wot_thought_search", R"({"query": "zeppelin"})");
  EXPECT_FALSE(none.is_error);
  EXPECT_THAT(none.text, StartsWith("Nothing was found."));
  EXPECT_TRUE(garden_.call("wot_thought_search", R"({"query": ""})").is_error);
  EXPECT_TRUE(garden_.call("wot_thought_search", R"({"query": "x", "role": "cat"})").is_error);
}

TEST_F(WotTools, BecauseLeadsFromAnAnswerToTheQuestion) {
  const ToolAnswer why = garden_.call("wot_walk_because", with("cid", answer_));
  EXPECT_EQ(why.structured, *query::why_answer(garden_.library(), *Cid::parse(answer_), {}));
  EXPECT_THAT(kinds_in(why.structured), ElementsAre("response", "thinking", "human_input"));
  EXPECT_EQ(why.structured.at("truncated"), false);
  EXPECT_THAT(why.text, HasSubstr("[0] response " + query::brief(answer_)));
  EXPECT_THAT(why.text,
              HasSubstr("reasoning:\n  Heat loss through bare legs, and less muscle work. Say "
                        "both.\n"));
  EXPECT_THAT(why.text, HasSubstr("[1] human_input "));
}

TEST_F(WotTools, EffectsLeadFromAQuestionToTheAnswer) {
  const json::array steps =
      query::why_answer(garden_.library(), *Cid::parse(answer_), {})->at("thoughts").as_array();
  const std::string prompt = text(steps.back().as_object(), "cid");
  const ToolAnswer effects = garden_.call("wot_effects", with("cid", prompt, R"("depth": 1)"));
  EXPECT_EQ(effects.structured,
            *query::effects_answer(garden_.library(), *Cid::parse(prompt), {.depth = 1}));
  EXPECT_THAT(kinds_in(effects.structured), ElementsAre("human_input", "thinking", "response"));
  EXPECT_THAT(effects.text, StartsWith("The effects, breadth first, 3 thoughts"));
  EXPECT_THAT(effects.text, HasSubstr("There is more"));
}

TEST_F(WotTools, BecauseStopsWhereItIsTold) {
  const ToolAnswer near = garden_.call("wot_walk_because", with("cid", answer_, R"("depth": 0)"));
  EXPECT_THAT(kinds_in(near.structured), ElementsAre("response"));
  EXPECT_EQ(near.structured.at("truncated"), true);
  EXPECT_THAT(near.text, HasSubstr("There is more"));
  const ToolAnswer few = garden_.call("wot_walk_because", with("cid", answer_, R"("limit": 2)"));
  EXPECT_THAT(kinds_in(few.structured), ElementsAre("response", "thinking"));
  // No more than fits, but the first always.
  const ToolAnswer small =
      garden_.call("wot_walk_because", with("cid", answer_, R"("max_chars": 1000)"));
  EXPECT_THAT(kinds_in(small.structured), ElementsAre("response"));
  EXPECT_EQ(small.structured.at("truncated"), true);
}

TEST_F(WotTools, ConciseThoughtsHaveNoSignatures) {
  const ToolAnswer why =
      garden_.call("wot_walk_because", with("cid", answer_, R"("response_format": "concise")"));
  EXPECT_THAT(kinds_in(why.structured), ElementsAre("response", "thinking", "human_input"));
  for (const json::value& thought : why.structured.at("thoughts").as_array()) {
    EXPECT_FALSE(thought.as_object().contains("signature"));
  }
}

TEST_F(WotTools, SequenceTellsAConversationAsTheCommandDoes) {
  const ToolAnswer walk = garden_.call("wot_walk_sequence", with("conversation_cid", kHeron));
  const auto row = query::resolve_conversation(garden_.library(), kHeron);
  json::array turns;
  ASSERT_TRUE(query::walk(garden_.library(), *row, {},
                          [&](json::object turn) { turns.push_back(std::move(turn)); }));
  EXPECT_EQ(walk.structured,
            (json::object{{"conversation_cid", heron_}, {"turns", std::move(turns)}}));
  EXPECT_THAT(walk.text,
              StartsWith("Conversation \"The heron on the weir\" (anthropic-transcript), " +
                         query::brief(heron_) + "\n"));
  EXPECT_THAT(walk.text, HasSubstr("\n=== turn 1, assistant\n"));
  EXPECT_THAT(walk.text, HasSubstr("summaries: [\"Weighed two reasons.\"]"));
}

TEST_F(WotTools, SequenceComesInPages) {
  const ToolAnswer page = garden_.call(
      "wot_walk_sequence", with("conversation_cid", kHeron, R"("limit": 2, "offset": 1)"));
  EXPECT_EQ(page.structured.at("turns").as_array().size(), 2u);
  EXPECT_EQ(page.structured.at("total"), 4);
  EXPECT_EQ(page.structured.at("next_offset"), 3);
  EXPECT_THAT(page.text, HasSubstr("turns 2 to 3 of 4\n"));
  EXPECT_THAT(page.text, HasSubstr("Next: wot_walk_sequence {\"conversation_cid\":\"" +
                                   query::brief(heron_) + "\",\"limit\":2,"));
  EXPECT_THAT(page.text, HasSubstr("\"offset\":3"));
  const ToolAnswer last =
      garden_.call("wot_walk_sequence", with("conversation_cid", kHeron, R"("offset": 3)"));
  EXPECT_EQ(last.structured.at("turns").as_array().size(), 1u);
  EXPECT_FALSE(last.structured.contains("next_offset"));
  const ToolAnswer one =
      garden_.call("wot_walk_sequence", with("conversation_cid", kHeron, R"("turn": 2)"));
  EXPECT_EQ(one.structured.at("turns").as_array().at(0).at("sequence"), 2);
  EXPECT_FALSE(one.structured.contains("total"));
  const ToolAnswer none =
      garden_.call("wot_walk_sequence", with("conversation_cid", kHeron, R"("turn": 9)"));
  EXPECT_TRUE(none.is_error);
  EXPECT_THAT(none.text, HasSubstr("It has 4 turns"));
}

// What is too long comes in pieces, and the pieces make the whole.
TEST_F(WotTools, SequenceGoesOnInTheMidstOfATurn) {
  const auto names_in = [](const ToolAnswer& answer, std::vector<std::string>& names) {
    for (const json::value& turn : answer.structured.at("turns").as_array()) {
      for (const json::value& thought : turn.at("thoughts").as_array()) {
        names.push_back(text(thought.as_object(), "cid"));
      }
    }
  };
  for (const std::string only : {"", "\"turn\": 1, "}) {
    std::vector<std::string> whole, pieces;
    names_in(
        garden_.call("wot_walk_sequence", with("conversation_cid", kHeron, only + "\"offset\": 0")),
        whole);
    std::string next = "\"offset\": 0";
    int parts = 0, rounds = 0;
    for (; !next.empty() && rounds < 20; ++rounds) {
      const ToolAnswer piece =
          garden_.call("wot_walk_sequence",
                       with("conversation_cid", kHeron, only + next + R"(, "max_chars": 1800)"));
      names_in(piece, pieces);
      next.clear();
      const json::value* offset = find_member(piece.structured, "next_offset");
      if (offset == nullptr) break;
      next = "\"offset\": " + canonical_json(*offset);
      if (const json::value* at = find_member(piece.structured, "next_thought_offset")) {
        ++parts;
        next += ", \"thought_offset\": " + canonical_json(*at);
        EXPECT_THAT(piece.text, HasSubstr("\"thought_offset\":" + canonical_json(*at)));
        EXPECT_THAT(piece.text, HasSubstr(" of its 3 thoughts\n"));
      }
    }
    EXPECT_EQ(pieces, whole);
    EXPECT_GT(parts, 0);
  }
}

TEST_F(WotTools, ConnectionsTellEdgesWithTheirOtherEnds) {
  const ToolAnswer all = garden_.call("wot_connections", with("cid", answer_));
  EXPECT_EQ(all.structured, *query::connections(garden_.library(), *Cid::parse(answer_), {},
                                                store::Direction::both));
  EXPECT_THAT(all.text, HasSubstr(" causes it, \"reasoning produced response\""));
  const ToolAnswer from = garden_.call(
      "wot_connections", with("cid", answer_, R"("relation": "causes", "direction": "from")"));
  ASSERT_EQ(from.structured.at("connections").as_array().size(), 1u);
  EXPECT_THAT(from.text, HasSubstr("- it causes human_input "));
  EXPECT_THAT(from.text, HasSubstr("\"And at night?\""));
  const ToolAnswer none =
      garden_.call("wot_connections", with("cid", answer_, R"("relation": "none")"));
  EXPECT_TRUE(none.structured.at("connections").as_array().empty());
  EXPECT_TRUE(
      garden_.call("wot_connections", with("cid", answer_, R"("direction": "up")")).is_error);
  const ToolAnswer page = garden_.call("wot_connections", with("cid", heron_, R"("limit": 1)"));
  EXPECT_EQ(page.structured.at("connections").as_array().size(), 1u);
  EXPECT_EQ(page.structured.at("total"), 4);
  EXPECT_EQ(page.structured.at("next_offset"), 1);
}

TEST_F(WotTools, StatsCountOneOrAll) {
  const ToolAnswer one = garden_.call("wot_conversation_stats", with("cid", kHeron));
  EXPECT_EQ(one.structured.at("conversations"), 1);
  EXPECT_EQ(one.structured.at("turn_count"), 4);
  EXPECT_THAT(one.text, StartsWith("1 conversation, 4 turns\n"));
  const ToolAnswer all = garden_.call("wot_conversation_stats", "{}");
  EXPECT_EQ(all.structured.at("conversations"), 4);
  ASSERT_FALSE(garden_.notified().empty());
  EXPECT_EQ(garden_.notified().back().first, "notifications/progress");
  EXPECT_EQ(garden_.notified().back().second.at("progress"), 4.0);
}

TEST_F(WotTools, VerifyChecksAThoughtAConversationAndAll) {
  const ToolAnswer all = garden_.call("wot_verify", "{}");
  EXPECT_EQ(all.structured, *query::verify(garden_.store(), garden_.library().keyring, {}));
  EXPECT_EQ(text(all.structured, "verdict"), "valid");
  EXPECT_THAT(all.text, StartsWith("valid: "));
  EXPECT_FALSE(garden_.notified().empty());
  EXPECT_EQ(garden_.call("wot_verify", with("cid", answer_)).structured.at("checked"), 1);
  EXPECT_EQ(text(garden_.call("wot_verify", with("cid", kHeron)).structured, "verdict"), "valid");
  garden_.use_keys(Keys::none);
  EXPECT_EQ(text(garden_.call("wot_verify", with("cid", kHeron)).structured, "verdict"),
            "consistent");
}

TEST_F(WotTools, StopWhenNobodyWaits) {
  std::stop_source stop;
  stop.request_stop();
  for (const auto& [name, arguments] :
       {std::pair<std::string_view, std::string>("wot_verify", "{}"),
        {"wot_verify", with("cid", kHeron)},
        {"wot_conversation_stats", "{}"},
        {"wot_walk_because", with("cid", answer_)},
        {"wot_walk_sequence", with("conversation_cid", kHeron)},
        {"list_conversations", "{}"}}) {
    const ToolAnswer answer = garden_.call(name, arguments, stop.get_token());
    EXPECT_TRUE(answer.is_error) << name;
    EXPECT_EQ(answer.text, "This call was cancelled.") << name;
  }
}

TEST_F(WotTools, SayWhichKeyOpensWhatIsSealed) {
  for (const Keys keys : {Keys::metadata, Keys::none}) {
    garden_.use_keys(keys);
    for (const auto& [name, arguments] :
         {std::pair<std::string_view, std::string>("wot_walk_because", with("cid", answer_)),
          {"wot_walk_sequence", with("conversation_cid", kHeron)},
          {"wot_thought_get", with("cid", garden_.cid_of(kHeron, "thinking"))}}) {
      const ToolAnswer answer = garden_.call(name, arguments);
      EXPECT_THAT(answer.text, HasSubstr("weft keys export --layer content")) << name;
      EXPECT_THAT(answer.text, HasSubstr("(the content layer is sealed)")) << name;
      EXPECT_THAT(answer.text, Not(HasSubstr("Heat loss"))) << name;
      EXPECT_THAT(answer.text, Not(HasSubstr("xc20p:"))) << name;
      EXPECT_THAT(canonical_json(answer.structured), HasSubstr(R"("$layers":{"content":"xc20p:)"))
          << name;
    }
    // Everything else can be read.
    EXPECT_THAT(garden_.call("wot_walk_sequence", with("conversation_cid", kHeron)).text,
                HasSubstr("To keep the other one warm"));
    EXPECT_EQ(garden_.call("wot_thought_search", R"({"query": "heron"})").structured.at("total"),
              1);
    EXPECT_THAT(garden_.call("wot_thought_search", R"({"query": "muscle"})").text,
                HasSubstr("searched"));
    EXPECT_EQ(garden_.call("wot_conversation_list", "{}").structured.at("total"), 4);
    EXPECT_FALSE(garden_.call("wot_conversation_stats", "{}").is_error);
    EXPECT_FALSE(garden_.call("wot_connections", with("cid", answer_)).is_error);
  }
  garden_.use_keys(Keys::metadata);
  EXPECT_THAT(garden_.call("wot_walk_sequence", with("conversation_cid", kHeron)).text,
              HasSubstr("Weighed two reasons."));
  garden_.use_keys(Keys::content);
  EXPECT_THAT(garden_.call("wot_walk_because", with("cid", answer_)).text, HasSubstr("Heat loss"));
}

}  // namespace
}  // namespace weft::mcp
