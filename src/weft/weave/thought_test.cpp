#include "weft/thought/thought.hpp"

#include <gtest/gtest.h>

#include "weft/crypto/blake3.hpp"
#include "weft/thought/connection.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

Cid some_cid(std::uint8_t byte) {
  Digest digest{};
  digest.fill(byte);
  return Cid(digest);
}

thought::Thought some_thought() {
  thought::Thought thought;
  thought.type = "anthropic/response";
  thought.content = {{"text", "so."}, {"duration_ms", 5}};
  thought.created_by = some_cid(1);
  thought.created_at = 1'738'417'334'720;
  thought.source = some_cid(2);
  thought.because = {{.thought = some_cid(3)},
                     {.thought = some_cid(4),
                      .segment = some_cid(5),
                      .anchor = thought::Anchor{"x", "before ", " after"},
                      .path = "/text",
                      .temporal = std::pair{0.5, 2.0}}};
  thought.cid = cid_of(thought);
  return thought;
}

std::string form_from_text(const thought::Thought& thought, std::string_view clear_content) {
  std::string form;
  append_canonical_form(form, thought, clear_content);
  return form;
}

TEST(Thought, CanonicalFormIsSortedJsonWithoutCidAndSignature) {
  thought::Thought thought;
  thought.type = "anthropic/human_input";
  thought.content = {{"text", "hi"}};
  thought.created_by = some_cid(1);
  thought.created_at = 7;
  EXPECT_EQ(thought::canonical_form(thought),
            R"({"because":[],"content":{"text":"hi"},"created_at":7,"created_by":")" +
                some_cid(1).str() + R"(","type":"anthropic/human_input"})");
}

TEST(Thought, CanonicalFormIsThatOfItsJson) {
  const thought::Thought thought = some_thought();
  json::object object = to_json(thought);
  object.erase("cid");
  object.erase("signature");
  EXPECT_EQ(thought::canonical_form(thought), canonical_json(object));
}

TEST(Thought, CanonicalFormOfASealedThoughtIsThatOfItsJsonToo) {
  for (const crypto::SealMode mode : {crypto::SealMode::thinking, crypto::SealMode::all}) {
    Loom loom(mode);
    loom.human("why?");
    loom.thinks("secret", {"short"});
    loom.calls("t1");
    for (const auto& [cid, thought] : loom.known_web.thoughts) {
      json::object object = to_json(thought);
      object.erase("cid");
      object.erase("signature");
      if (is_identity(thought)) object["created_by"] = "SELF";
      EXPECT_EQ(thought::canonical_form(thought), canonical_json(object));
      EXPECT_EQ(thought::canonical_form(thought),
                form_from_text(thought, canonical_json(thought.content)));
    }
  }
}

TEST(Thought, CidOfALongThoughtIsTheHashOfItsCanonicalForm) {
  std::string text;
  for (std::size_t i = 0; text.size() < (2u << 20); ++i) {
    text += "piece " + std::to_string(i) + (i % 1000 == 0 ? std::string(70'000, 'x') : "\n\"\x01");
  }
  const json::object members = {
      {"zebra", 1},   {"text", text},     {"alpha", {1.5, nullptr, true}},
      {"empty", ""},  {"signature", "s"}, {"nested", {{"b", 2}, {"a", text}}},
      {"cut_off", -7}};
  for (const auto mode : {crypto::SealMode::thinking, crypto::SealMode::all}) {
    for (const std::string_view type : {"anthropic/response", "anthropic/thinking"}) {
      for (const std::size_t cut : {0, 1, 2, 3}) {
        thought::Thought thought = some_thought();
        thought.type = type;
        json::object content = members;
        content["text"] = text.substr(cut);
        set_content(thought, std::move(content), Loom(mode).keyring);
        EXPECT_EQ(cid_of(thought), Cid(crypto::blake3(thought::canonical_form(thought)))) << type;
      }
    }
  }
}

TEST(Thought, CanonicalFormFromTextSortsClearAndSealedMembersAsOne) {
  Loom loom;
  loom.human("why?");
  thought::Thought mixed = loom.thought(loom.thinks("secret"));
  EXPECT_NE(thought::canonical_form(mixed), form_from_text(mixed, "{m"))
      << "damage is not passed over";
  mixed.content = {{"z", 1}, {"#", 2}};
  EXPECT_EQ(thought::canonical_form(mixed), form_from_text(mixed, canonical_json(mixed.content)));
}

TEST(Thought, IdentityIsHashedWithSelfForItsOwnName) {
  const crypto::Keyring keyring = *crypto::Keyring::create("Ada", 1, crypto::SealMode::thinking);
  const thought::Thought owner = thought::owner_identity(keyring);
  EXPECT_EQ(owner.created_by, owner.cid);
  EXPECT_NE(thought::canonical_form(owner).find(R"("created_by":"SELF")"), std::string::npos);
  EXPECT_EQ(cid_of(owner), owner.cid);
}

TEST(Thought, ReadsBackWhatItWrites) {
  const thought::Thought thought = some_thought();
  const Result<ParsedJson> parsed = parse_json(canonical_json(to_json(thought)));
  ASSERT_TRUE(parsed);
  const Result<thought::Thought> back = thought::parse_thought(parsed->value);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, thought);
}

TEST(Thought, IsNotHashedWithTheLeavesThatCoverIt) {
  thought::Thought thought = some_thought();
  const json::object before = to_json(thought);
  EXPECT_FALSE(before.contains("covered"));
  thought.covered = {{.checkpoint = some_cid(6), .index = 3, .path = {Digest{1}, Digest{2}}},
                     {.checkpoint = some_cid(7), .index = 12, .path = {}}};
  EXPECT_EQ(cid_of(thought), thought.cid);
  json::object object = to_json(thought);
  EXPECT_EQ(find_string(object, "covered"), to_string(thought.covered[0]));
  EXPECT_EQ(object.at("again").as_array().at(0).as_string(), to_string(thought.covered[1]));
  EXPECT_EQ(thought::parse_thought(object).value(), thought);
  // Of structure, whose first leaf signs it, all others are `again`.
  thought.signature = thought.covered[0];
  thought.covered.erase(thought.covered.begin());
  object = to_json(thought);
  EXPECT_FALSE(object.contains("covered"));
  EXPECT_EQ(thought::parse_thought(object).value(), thought);

  const auto refused = [&](std::string_view member, const json::value& value) {
    json::object wrong = to_json(some_thought());
    wrong[member] = value;
    const Result<thought::Thought> parsed = thought::parse_thought(wrong);
    return !parsed && parsed.error().message.find(member) != std::string::npos;
  };
  const std::string leaf = "tree:" + some_cid(6).str() + ":3:";
  EXPECT_FALSE(refused("covered", json::string(leaf)));
  EXPECT_TRUE(refused("covered", json::string("ed25519:" + std::string(128, '0'))));
  EXPECT_TRUE(refused("covered", json::array{leaf}));
  EXPECT_TRUE(refused("again", json::array{leaf})) << "without a first";
  object["again"] = json::array{leaf + std::string(64, '0')};
  EXPECT_FALSE(thought::parse_thought(object)) << "with a path";
  object["again"] = json::array{};
  EXPECT_FALSE(thought::parse_thought(object));
}

TEST(Thought, AcceptsABareCidAsAReference) {
  json::object object = to_json(some_thought());
  object["because"] = json::array{some_cid(9).str()};
  const Result<thought::Thought> thought = thought::parse_thought(object);
  ASSERT_TRUE(thought);
  EXPECT_EQ(thought->because, std::vector<thought::ContentRef>{{.thought = some_cid(9)}});
}

TEST(Thought, NamesTheMemberThatIsWrong) {
  for (const std::string_view member :
       {"cid", "type", "content", "created_by", "created_at", "because", "signature"}) {
    json::object object = to_json(some_thought());
    object.erase(member);
    const Result<thought::Thought> thought = thought::parse_thought(object);
    ASSERT_FALSE(thought) << member;
    EXPECT_EQ(thought.error().code, ErrorCode::invalid_input);
    EXPECT_NE(thought.error().message.find(member), std::string::npos) << thought.error().message;
  }
}

TEST(Thought, RefusesMembersThatItCouldNotKeep) {
  json::object object = to_json(some_thought());
  object["mood"] = "good";
  EXPECT_EQ(thought::parse_thought(object).error().code, ErrorCode::invalid_input);
  object = to_json(some_thought());
  object["because"].get_array()[0].get_object()["mood"] = "good";
  EXPECT_EQ(thought::parse_thought(object).error().code, ErrorCode::invalid_input);
}

TEST(Signature, HasOneSpelling) {
  const std::string tree = "tree:" + some_cid(1).str() + ":12:" + std::string(128, 'a');
  const Result<thought::Signature> signature = thought::parse_signature(tree);
  ASSERT_TRUE(signature);
  EXPECT_EQ(to_string(*signature), tree);
  EXPECT_EQ(std::get<thought::TreeSignature>(*signature).path.size(), 2u);
  for (const std::string& wrong :
       {std::string("ed25519:00"), "tree:" + some_cid(1).str() + ":012:",
        "tree:" + some_cid(1).str() + ":-1:", "tree:" + some_cid(1).str() + ":1:abc",
        "tree:" + some_cid(1).str() + "::", std::string("tree:"), std::string()}) {
    EXPECT_EQ(thought::parse_signature(wrong).error().code, ErrorCode::invalid_input) << wrong;
  }
}

TEST(Connection, CanonicalFormIsThatOfItsThoughtWithEveryMixOfMembers) {
  for (const bool label : {false, true}) {
    for (const bool index : {false, true}) {
      thought::Connection connection{
          .relation = "contains", .from = some_cid(1), .to = some_cid(2)};
      if (label) connection.label = "a \"label\"";
      if (index) connection.index = 18'446'744'073'709'551'615u;
      connection.created_by = some_cid(3);
      connection.created_at = -5;
      EXPECT_EQ(thought::canonical_form(connection),
                thought::canonical_form(thought::to_thought(connection)));
      if (index) continue;  // beyond int64: a thought can hold it, a Connection read back cannot
      EXPECT_EQ(*to_connection(thought::to_thought(connection)), connection);
    }
  }
}

TEST(Connection, RefusesAThoughtThatSaysMoreThanItCanHold) {
  thought::Thought thought =
      thought::to_thought({.relation = "causes", .from = some_cid(1), .to = some_cid(2)});
  thought.content["weight"] = 3;
  EXPECT_EQ(to_connection(thought).error().code, ErrorCode::invalid_input);
}

TEST(Seal, ThinkingShowsNothingClearAndOpensByLayer) {
  Loom loom;
  loom.human("why?");
  const Cid cid = loom.thinks("secret plan");
  const thought::Thought& thought = loom.thought(cid);
  EXPECT_TRUE(thought.content.empty());
  EXPECT_EQ(loom.opened(cid), (json::object{{"duration_ms", 5},
                                            {"cut_off", false},
                                            {"chars", 11},
                                            {"withheld", false},
                                            {"reasoning", "secret plan"}}));
  const auto metadata = crypto::Keyring::parse(*loom.keyring.exported(crypto::Reach::metadata), {});
  ASSERT_TRUE(metadata);
  const Result<json::object> seen = open_content(thought, &*metadata);
  ASSERT_TRUE(seen);
  EXPECT_EQ(find_int(*seen, "chars"), 11);
  EXPECT_FALSE(seen->contains("reasoning"));
  EXPECT_TRUE(find_object(*seen, "$layers")->contains("content"));
}

TEST(Seal, ModeAllSealsWordsAndKeepsStructureClear) {
  Loom loom(crypto::SealMode::all);
  const Cid prompt = loom.human("my secret");
  loom.calls("t1");
  const Cid result = loom.prints("t1", "hidden");
  EXPECT_TRUE(loom.thought(prompt).content.empty());
  EXPECT_EQ(find_string(loom.opened(prompt), "text"), "my secret");
  const auto metadata = crypto::Keyring::parse(*loom.keyring.exported(crypto::Reach::metadata), {});
  const Result<json::object> seen = open_content(loom.thought(result), &*metadata);
  ASSERT_TRUE(seen);
  EXPECT_EQ(find_string(*seen, "tool_name"), "Bash");
  EXPECT_EQ(find_bool(*seen, "is_error"), false);
  EXPECT_FALSE(seen->contains("result_text"));
  for (const auto& [cid, thought] : loom.known_web.thoughts) {
    EXPECT_EQ(thought::canonical_form(thought).find("secret"), std::string::npos);
    EXPECT_EQ(thought::canonical_form(thought).find("hidden"), std::string::npos);
  }
}

TEST(Seal, WithheldThinkingIsSaidToBeSo) {
  Loom loom;
  loom.human("why?");
  const Cid cid = loom.emit(transcript::Author::model, transcript::Thinking{"", "c2ln", {}, false});
  EXPECT_EQ(find_bool(loom.opened(cid), "withheld"), true);
  EXPECT_EQ(find_string(loom.opened(cid), "signature"), "c2ln");
}

}  // namespace
}  // namespace weft::weave
